// Reads what agents' hooks left since the last look that matters for notices: which items they told, which files were edited, and in which
// conversation. Records from before the daemon came are past, unless a hook took an item up whose record is still to be found.

import { isAbsolute, join } from "node:path";
import { agentOfFile } from "../../protocol/agent-id.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { isSealed, sealedBy } from "../../host/keys/seals.ts";
import { inHome } from "../../settings/paths.ts";
import { realPathOf } from "./real-path.ts";

export interface HookNews {
  readonly agent: string;
  readonly event: string;
  readonly atMs: number;
  readonly told: readonly string[];
  /** An absolute path. */
  readonly edited?: string;
  /** The conversation that it ran in, when that is another than the agent's last one. A subagent's is none, nor one that anybody may have written. */
  readonly session?: string;
}

const mostBytes = 1024 * 1024;
/** Reading a file is a tool call too, and makes nobody a worker. */
const editing = /edit|write|patch|replace|create|delete|move/i;

export class HookNewsReader {
  readonly #home: string;
  /** By the file itself, whatever it is called: one that is set aside keeps its place. */
  #offsets: ReadonlyMap<number, number> | undefined;
  readonly #awaits: (agent: string) => boolean;
  /** The conversation that each agent was last in, and since when: a line that is older was copied from before. */
  readonly #sessions = new Map<string, { readonly session: string; readonly atMs: number }>();

  /** `awaits`: whether a record of the agent's may be in its file from before. */
  constructor(home: string, awaits: (agent: string) => boolean) {
    this.#home = home;
    this.#awaits = awaits;
  }

  read(): HookNews[] {
    using directory = TrustedDirectory.open(this.#home, inHome.hooks, { create: true });
    const news: HookNews[] = [];
    const offsets = new Map<number, number>();
    // Those set aside (`agent1.1.jsonl`) first: somebody may have been about to write to one.
    for (const name of directory.list().sort()) {
      const agent = agentOfFile(name, ".1.jsonl", ".jsonl");
      if (agent === undefined) continue;
      const { size, ino } = directory.stat(name) ?? { size: 0, ino: 0 };
      const isPast = this.#offsets === undefined && !this.#awaits(agent);
      let from = this.#offsets?.get(ino) ?? (isPast ? size : 0);
      if (from > size) from = 0; // another file in its place
      while (from < size) {
        const bytes = directory.readFrom(name, from, mostBytes);
        const end = bytes.lastIndexOf(0x0a) + 1;
        if (bytes.length === 0 || (end === 0 && bytes.length < mostBytes)) break;
        for (const line of bytes.subarray(0, end).toString("utf8").split("\n")) {
          const last = this.#sessions.get(agent);
          const read = newsIn(agent, line, this.#home, (session) => last?.session === session);
          if (read === undefined) continue;
          const { session, ...rest } = read;
          const isLater = session !== undefined && read.atMs >= (last?.atMs ?? 0);
          if (isLater) this.#sessions.set(agent, { session, atMs: read.atMs });
          news.push(isLater ? read : rest);
        }
        from += end === 0 ? bytes.length : end;
        if (bytes.length < mostBytes) break;
      }
      offsets.set(ino, from);
    }
    this.#offsets = offsets;
    return news;
  }
}

/** `isKnown`: it is the conversation that the agent was in before this line, so that nobody need ask who wrote it. */
function newsIn(
  agent: string,
  line: string,
  home: string,
  isKnown: (session: string) => boolean,
): HookNews | undefined {
  // Most lines are of no interest, and parsing is what costs.
  if (!line.includes('"told"') && !line.includes('"tool-ended"') && !line.includes('"session-started"'))
    return undefined;
  let record: Readonly<Record<string, unknown>>;
  try {
    record = JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined; // half a line of a process that died
  }
  const { event, at, told, tool, file, cwd, session, inSubagent } = record;
  if (typeof event !== "string" || typeof at !== "number" || !Number.isFinite(at)) return undefined;
  const isNamed = typeof session === "string" && session !== "" && session.length <= 200 && inSubagent !== true;
  const isAsked = Array.isArray(told) || (isNamed && !isKnown(session));
  // Whoever has a key seals its lines: one without is somebody else's, and proves nothing.
  const isOwn = isAsked && (!isSealed(home, agent) || sealedBy(home, line, [agent]) !== undefined);
  const ids = isOwn && Array.isArray(told) ? told.filter((id) => typeof id === "string").slice(0, 100) : [];
  const isEdit = event === "tool-ended" && typeof file === "string" && (typeof tool !== "string" || editing.test(tool));
  const path = !isEdit ? undefined : isAbsolute(file) ? file : typeof cwd === "string" ? join(cwd, file) : undefined;
  const isAnother = isNamed && isOwn && !isKnown(session);
  if (ids.length === 0 && path === undefined && !isAnother) return undefined;
  return {
    agent,
    event: event.slice(0, 50),
    atMs: Math.floor(at),
    told: ids,
    ...(isAnother ? { session } : {}),
    ...(path === undefined ? {} : { edited: realPathOf(path) }),
  };
}
