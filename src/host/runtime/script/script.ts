// Any command as an agent, for tests and demos. It speaks our own formats, so nothing is guessed:
//  - messages reach it as JSON lines on its terminal, {"id","text"}, or in parts {"id","part","of","text"} when the text is too
//    long for a line (part 1 begins the message anew); or it asks for them itself with `constel channel drain`;
//  - its state is what it appends to $CONSTEL_HOOK_FILE as hook records, or `constel:idle|busy|waiting` in its terminal title;
//  - a message counts as delivered when a `prompt-submitted` record names its id and carries the agent's seal, as those that
//    `constel hook script` leaves do; what a script appends by itself shows its state and proves nothing;
//  - tokens, when it wants to show some, are rows in $CONSTEL_TRANSCRIPT.

import { join } from "node:path";
import type {
  Delivery,
  Evidence,
  HeadlessOutcome,
  LiveSession,
  Proof,
  Runtime,
  RuntimeMachine,
  Screen,
  TranscriptRow,
  Usage,
} from "../../../ports/runtime.ts";
import { usageFile } from "../driving/usage-file.ts";
import { hookRecordOf } from "../hook-record.ts";
import { isSealed } from "../../keys/seals.ts";
import { hookFile, readAllHooks, readHooks } from "../hook-records.ts";
import { isAlive } from "../alive.ts";
import { asNumber, asText, bytesFrom, parseObject } from "../json-lines.ts";
import { type Glance, judge } from "../judge-status.ts";
import { limitFrom } from "../limits.ts";
import { proofSearch, tailRows, usageIn } from "../transcripts.ts";

/** A terminal in line mode cuts lines at 4,095 bytes. */
const longestLine = 3500;
const lookMs = 20;

export const script: Runtime = {
  name: "script",
  checkedVersions: [],
  holdsTo: ["fork"],
  onlyByName: true,
  abilities: {
    systemPrompt: "no",
    hooks: true,
    hears: true,
    mcp: false,
    resume: false,
    headless: true,
    usageReport: true,
    idleDetection: true,
    push: false,
    ownSessionId: true,
  },
  detect: () => Promise.resolve({ installed: true, path: undefined, version: undefined, matchesChecked: true }),
  prepare: (launch) =>
    Promise.resolve({
      files: [],
      argv: launch.command ?? [launch.program],
      env: {
        CONSTEL_AGENT: launch.agent,
        CONSTEL_HOME: launch.home,
        CONSTEL_PROMPT_FILE: launch.promptFile,
        CONSTEL_HOOK_FILE: hookFile(launch.home, launch.agent),
        CONSTEL_TRANSCRIPT: transcriptOf(launch.home, launch.agent),
      },
      unset: [],
      notes: [],
    }),
  ownFiles: () => ({ copies: [] }),
  headless: (turn) => ({ argv: [turn.program], env: {}, unset: [], stdin: turn.prompt }),
  parseHeadless: parseScriptHeadless,
  hookRecord: hookRecordOf("script"),

  observe: async (session, machine) => evidenceOf(session, machine, await session.pane?.capture()),
  status: (evidence) => judge(evidence, { title: readTitle, screen: () => undefined }),
  currentSession: () => Promise.resolve(undefined),
  canResume: () => Promise.resolve(false),
  transcript: (session) => Promise.resolve(transcriptOf(session.launch.home, session.launch.agent)),
  rowReader: () => readScriptRow,

  async inject(session, message, machine) {
    const { pane } = session;
    if (pane === undefined) return unknown(false, "it has no terminal");
    const before = await pane.capture();
    if (before.dead) return unknown(false, "the terminal's program has ended");
    const { state } = script.status(evidenceOf(session, machine, before));
    if (state === "waiting-permission") return unknown(false, "it asks for permission; nothing was typed");
    if (before.inMode) await pane.leaveMode();
    // Whatever stands half typed, a person's words or what a killed program of ours left, would spoil the line.
    await pane.keys("C-u");
    for (const line of linesFor(message.id, message.text)) {
      await pane.paste(line);
      await pane.enter();
    }
    const startedMs = machine.clock.monotonicMs();
    for (;;) {
      const proof = acknowledged(session, message.id);
      if (proof !== undefined) return { state: "delivered", way: "line", proof };
      if (machine.clock.monotonicMs() - startedMs >= message.proofMs) break;
      await machine.clock.sleep(lookMs);
    }
    return unknown(true, "written to its terminal, but it has not acknowledged it");
  },
  proof: (session, messageId) => Promise.resolve(acknowledged(session, messageId)),
  usage: (session) => {
    const { home, agent, drive } = session.launch;
    const path = drive === undefined ? transcriptOf(home, agent) : usageFile(home, agent);
    return Promise.resolve(usageIn(bytesFrom(path, 0).toString("utf8").split("\n"), readScriptRow));
  },
  commands: () => [],
  installs: () => [],
};

function evidenceOf(session: LiveSession, machine: RuntimeMachine, screen: Screen | undefined): Evidence {
  const { home, agent } = session.launch;
  return {
    nowMs: machine.clock.nowMs(),
    sinceMs: session.sinceMs,
    process: session.pid === undefined ? "unknown" : isAlive(session.pid) ? "alive" : "dead",
    hooks: readAllHooks(home, agent, session.sinceMs),
    rows: tailRows(transcriptOf(home, agent), () => readScriptRow, session.sinceMs),
    ...(screen === undefined ? {} : { screen }),
  };
}

function unknown(sent: boolean, reason: string): Delivery {
  return { state: "unknown", way: "line", sent, reason };
}

function transcriptOf(home: string, agent: string): string {
  return join(home, "state", "runtime", agent, "transcript.jsonl");
}

function linesFor(id: string, text: string): string[] {
  const line = JSON.stringify({ id, text });
  if (Buffer.byteLength(line) <= longestLine) return [line];
  // A character takes at most six bytes once escaped.
  const size = Math.floor(
    (longestLine - Buffer.byteLength(JSON.stringify({ id, part: 9999, of: 9999, text: "" }))) / 6,
  );
  const characters = [...text];
  const of = Math.ceil(characters.length / size);
  return Array.from({ length: of }, (_, part) =>
    JSON.stringify({ id, part: part + 1, of, text: characters.slice(part * size, (part + 1) * size).join("") }),
  );
}

function acknowledged(session: LiveSession, messageId: string): Proof | undefined {
  const { home, agent } = session.launch;
  const record = readHooks(home, agent, session.sinceMs).find(
    (hook) => hook.event === "prompt-submitted" && hook.messages?.includes(messageId) === true,
  );
  if (record !== undefined) return { by: "acknowledgement", at: record.at };
  // A script's transcript lies in the home, where any agent of the account could write it.
  if (isSealed(home, agent)) return undefined;
  return proofSearch(messageId, readScriptRow)(transcriptOf(home, agent));
}

function readTitle(title: string): Glance | undefined {
  const state = /^constel:(idle|busy|waiting)\b/.exec(title)?.[1];
  return state === undefined ? undefined : { state: state as Glance["state"], says: `its title says ${state}` };
}

const kinds = new Set(["turn-began", "prompt", "queued", "answer", "turn-ended", "turn-failed", "interrupted"]);

/** The rows are ours already; only their outline is checked. Ids in anything but a list are nobody's word. */
function readScriptRow(line: string): TranscriptRow | undefined {
  const row = parseObject(line);
  const isRow = row !== undefined && kinds.has(asText(row["kind"]) ?? "") && typeof row["at"] === "number";
  if (!isRow || (row["messages"] !== undefined && !Array.isArray(row["messages"]))) return undefined;
  return row as unknown as TranscriptRow;
}

/** Its output is the answer, but for lines `{"constel":"usage"|"limit", …}`. */
function parseScriptHeadless(stdout: string, stderr: string, code: number | null, nowMs: number): HeadlessOutcome {
  const usage: Usage[] = [];
  const words: string[] = [];
  let limit: HeadlessOutcome["limit"];
  for (const line of stdout.split("\n")) {
    const said = line.startsWith('{"constel"') ? parseObject(line) : undefined;
    if (said?.["constel"] === "usage") usage.push(usageFrom(said, `${nowMs}:${usage.length}`, nowMs));
    else if (said?.["constel"] === "limit") {
      const until = asNumber(said["until"]);
      limit = limitFrom(asText(said["says"]) ?? "limit", nowMs, until > 0 ? { liftsAtMs: until } : {});
    } else words.push(line);
  }
  const ok = code === 0 && limit === undefined;
  return {
    ok,
    text: ok ? words.join("\n").trim() : "",
    sessionId: undefined,
    usage,
    denied: [],
    ...(limit === undefined ? {} : { limit }),
    ...(ok
      ? {}
      : { error: (stderr.trim() || words.join("\n").trim() || `ended with ${code ?? "a signal"}`).slice(0, 1000) }),
  };
}

export function usageFrom(said: Readonly<Record<string, unknown>>, fallbackId: string, nowMs: number): Usage {
  return {
    id: asText(said["id"]) ?? fallbackId,
    model: asText(said["model"]) ?? "script",
    input: asNumber(said["input"]),
    output: asNumber(said["output"]),
    cacheRead: asNumber(said["cacheRead"]),
    cacheWrite: asNumber(said["cacheWrite"]),
    atMs: nowMs,
  };
}
