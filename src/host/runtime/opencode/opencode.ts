// opencode. Its terminal program serves an HTTP interface on loopback, behind a password made for the launch: messages, state,
// questions and tokens all go through it, and nothing is typed. Settings are given per launch in the environment, on top of the
// user's own.

import { join } from "node:path";
import { Outage } from "../../../protocol/errors.ts";
import {
  type CommandFile,
  type Evidence,
  type LiveSession,
  type Proof,
  type Runtime,
  type RuntimeMachine,
  type TranscriptRow,
} from "../../../ports/runtime.ts";
import { markedText } from "../../../protocol/message-marks.ts";
import { isAlive } from "../alive.ts";
import { detectProgram } from "../detect.ts";
import { hookRecordOf } from "../hook-record.ts";
import { judge } from "../judge-status.ts";
import { asNumber, asObject, asText } from "../json-lines.ts";
import { usageKept } from "../driving/usage-file.ts";
import { downText, upText } from "../session-commands.ts";
import { opencodeHeadless, parseOpencodeHeadless } from "./headless.ts";
import { opencodeInstalls } from "./install.ts";
import { answerStarted, readMessage, rowsOf } from "./messages.ts";
import { prepareOpencode } from "./launch.ts";
import { OpencodeServer } from "./server.ts";

const checkedVersions = ["1.18.18", "1.18.33"];
const lookMs = 100;

export const opencode: Runtime = {
  name: "opencode",
  checkedVersions,
  abilities: {
    systemPrompt: "launch",
    hooks: false,
    hears: true,
    mcp: true,
    resume: true,
    headless: true,
    usageReport: true,
    idleDetection: true,
    push: true,
    ownSessionId: false,
  },
  holdsTo: ["readOnly", "fork"],
  detect: (machine) => detectProgram("opencode", checkedVersions, machine),
  prepare: (launch, machine) => Promise.resolve(prepareOpencode(launch, machine.env)),
  headless: opencodeHeadless,
  parseHeadless: parseOpencodeHeadless,
  hookRecord: hookRecordOf("opencode"),

  async observe(session, machine) {
    const server = OpencodeServer.of(session.launch);
    const screen = await session.pane?.capture();
    const seen = await ownWord(server, session, machine);
    return {
      nowMs: machine.clock.nowMs(),
      sinceMs: session.sinceMs,
      process: session.pid === undefined ? "unknown" : isAlive(session.pid) ? "alive" : "dead",
      hooks: [],
      ...seen,
      ...(screen === undefined ? {} : { screen }),
    };
  },
  status: (evidence) => judge(evidence, { title: () => undefined, screen: () => undefined }),
  async currentSession(session) {
    const id = await sessionIn(OpencodeServer.of(session.launch), session);
    return id === "unreachable" ? (session.sessionId ?? session.launch.resume) : id;
  },
  /** It keeps its sessions in a database of its own, whose shape is nobody's promise. */
  canResume: () => Promise.resolve("unknown"),
  /** It keeps a database, not a file of lines. */
  transcript: () => Promise.resolve(undefined),
  rowReader: () => () => undefined,

  async inject(session, message, machine) {
    const server = OpencodeServer.of(session.launch);
    const known = await sessionIn(server, session);
    if (known === "unreachable") {
      return { state: "unknown", way: "http", sent: false, reason: "the program does not answer on its port" };
    }
    const id = known ?? (await server.newSession(session.launch.agent));
    if (id === undefined) return { state: "unknown", way: "http", sent: false, reason: "it made no session" };
    const taken = await server.prompt(id, markedText(message.id, message.text));
    if (taken === "refused") {
      return { state: "unknown", way: "http", sent: false, reason: "the program did not take the message" };
    }
    const startedMs = machine.clock.monotonicMs();
    for (;;) {
      const proof = await proofIn(server, id, message.id);
      if (proof !== undefined) {
        // By now its terminal is there: should it have missed the first word, a person would look at an empty screen.
        if (known === undefined) await server.show(id);
        return { state: "delivered", way: "http", proof };
      }
      if (machine.clock.monotonicMs() - startedMs >= message.proofMs) break;
      await machine.clock.sleep(lookMs);
    }
    return {
      state: "unknown",
      way: "http",
      sent: true,
      reason:
        taken === "taken"
          ? "taken by the program, but no turn with it has begun yet"
          : "the program did not say whether it took the message",
    };
  },
  async proof(session, messageId) {
    const server = OpencodeServer.of(session.launch);
    const id = await sessionIn(server, session);
    return id === undefined || id === "unreachable" ? undefined : proofIn(server, id, messageId);
  },
  async usage(session) {
    // Over a pipe it has no server of ours.
    if (session.launch.drive !== undefined) return usageKept(session.launch);
    const server = OpencodeServer.of(session.launch);
    const id = await sessionIn(server, session);
    if (id === "unreachable") throw new Outage("read usage of", session.launch.agent, "the program does not answer");
    if (id === undefined) return [];
    const messages = await server.messages(id);
    if (messages === undefined) throw new Outage("read usage of", session.launch.agent, "the program does not answer");
    const rows = rowsOf(messages);
    return rows.flatMap((row) => (row.usage === undefined ? [] : [row.usage]));
  },
  commands: opencodeCommands,
  installs: opencodeInstalls,
};

type OwnWord = Pick<Evidence, "rows" | "own">;

async function ownWord(server: OpencodeServer, session: LiveSession, machine: RuntimeMachine): Promise<OwnWord> {
  const id = await sessionIn(server, session);
  if (id === "unreachable") return { rows: [] };
  const at = machine.clock.nowMs();
  if (id === undefined) return { rows: [], own: { state: "idle", says: "it serves, and no session was begun", at } };
  const messages = await server.messages(id);
  if (messages === undefined) return { rows: [] };
  const rows: TranscriptRow[] = rowsOf(messages).filter((row) => row.at >= session.sinceMs);
  const asks = await server.asks(id);
  if (asks !== undefined && asks !== "nobody") return { rows, own: { state: "waiting", says: asks, at } };
  const status = await server.status(id);
  if (asks === undefined || status === undefined) return { rows };
  if (status === "idle") return { rows, own: { state: "idle", says: "the program says it is idle", at } };
  if (status["type"] === "retry") {
    // It waits out a refusal by itself and says until when; it is limited, not busy.
    const says = asText(status["message"]) ?? "it will try again later";
    return {
      rows: [...rows, { kind: "turn-failed", at, failure: "limit", says, liftsAtMs: asNumber(status["next"]) }],
    };
  }
  return { rows, own: { state: "busy", says: "the program says it is busy", at } };
}

/** The session of this agent: the one we know of, else the one begun here since the launch. */
async function sessionIn(server: OpencodeServer, session: LiveSession): Promise<string | undefined | "unreachable"> {
  const sessions = await server.sessions();
  if (sessions === undefined) return "unreachable";
  const known = session.sessionId ?? session.launch.resume;
  if (known !== undefined) return known;
  const begun = sessions
    .filter((one) => one["parentID"] === undefined && one["directory"] === session.launch.cwd)
    .filter((one) => asNumber(asObject(one["time"])?.["created"]) >= session.sinceMs)
    .sort((a, b) => asNumber(asObject(a["time"])?.["created"]) - asNumber(asObject(b["time"])?.["created"]));
  return asText(begun.at(-1)?.["id"]);
}

/** A message stands in the session as soon as it is posted; its turn has begun when an answer to it has. */
async function proofIn(server: OpencodeServer, id: string, messageId: string): Promise<Proof | undefined> {
  const messages = ((await server.messages(id)) ?? []).map(readMessage);
  const prompt = messages.find(
    (message) => message?.row.kind === "prompt" && message.row.messages?.includes(messageId),
  );
  if (prompt === undefined) return undefined;
  const at = answerStarted(messages, prompt.id);
  return at === undefined ? undefined : { by: "transcript", at };
}

function opencodeCommands(env: Readonly<Record<string, string>>): readonly CommandFile[] {
  const config = env["XDG_CONFIG_HOME"] ?? join(env["HOME"] ?? "/", ".config");
  const file = (name: "up" | "down", description: string, body: string): CommandFile => ({
    name,
    path: join(config, "opencode", "commands", `${name}.md`),
    content: `---\ndescription: ${description}\n---\n${body}`,
    invokedBy: `/${name}`,
  });
  return [
    file("up", upText.description, upText.body("$ARGUMENTS")),
    file("down", downText.description, downText.body("$ARGUMENTS")),
  ];
}
