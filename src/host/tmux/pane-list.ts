// The one question that answers for all terminals, or for one of them, and the reading of its answer.

import type { Terminal } from "../../ports/terminal.ts";
import { quote } from "./quote.ts";

/** Marks the pane an agent was started in: a person may have split its window. */
export const ownPaneOption = "@constel_pane";

const fields = [
  "session_name",
  "pane_id",
  ownPaneOption,
  "pane_pid",
  "pane_dead",
  "pane_dead_status",
  "pane_dead_signal",
  "pane_in_mode",
  "cursor_x",
  "cursor_y",
  "session_created",
  "session_attached",
  "window_activity",
  // Written by the program inside, hence last.
  "pane_current_command",
  "pane_title",
] as const;

const separator = "\t";

export interface PaneList {
  readonly line: string;
  read(body: string): Terminal[];
}

/**
 * Each record starts with a word that nobody could know beforehand, so that a program with a line end in its name cannot
 * write a record of its own.
 */
export function paneList(session?: string): PaneList {
  const nonce = crypto.randomUUID().slice(0, 13);
  const format = [nonce, ...fields.map((field) => `#{${field}}`)].join(separator);
  return {
    line: `list-panes ${session === undefined ? "-a" : `-s -t =${session}:`} -F ${quote(format)}`,
    read: (body) => readPanes(body.split(`${nonce}${separator}`).slice(1)),
  };
}

function readPanes(records: readonly string[]): Terminal[] {
  const chosen = new Map<string, { terminal: Terminal; own: boolean }>();
  for (const record of records) {
    const [
      name = "",
      paneId = "",
      own,
      pid,
      dead,
      status,
      signal,
      mode,
      cursorX,
      cursorY,
      created,
      attached,
      activity,
      command,
      ...title
    ] = record.replace(/\n$/, "").split(separator);
    const terminal: Terminal = {
      name,
      paneId,
      pid: Number(pid),
      dead: dead === "1",
      exitStatus: numberOrNone(status),
      exitSignal: numberOrNone(signal),
      currentCommand: command ?? "",
      title: title.join(separator),
      inMode: mode !== "0" && mode !== "",
      cursorX: Number(cursorX),
      cursorY: Number(cursorY),
      createdMs: Number(created) * 1000,
      attached: attached !== "0",
      lastActivityMs: Number(activity) * 1000,
    };
    const before = chosen.get(name);
    const isOwn = own === "1";
    const better =
      before === undefined || (isOwn && !before.own) || (isOwn === before.own && isOlder(terminal, before.terminal));
    if (better) chosen.set(name, { terminal, own: isOwn });
  }
  return [...chosen.values()].map(({ terminal }) => terminal);
}

function isOlder(a: Terminal, b: Terminal): boolean {
  return Number(a.paneId.slice(1)) < Number(b.paneId.slice(1));
}

function numberOrNone(text: string | undefined): number | undefined {
  return text === undefined || text === "" ? undefined : Number(text);
}
