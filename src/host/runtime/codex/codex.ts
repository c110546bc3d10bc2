// Codex. Hooks, trust and instructions are given per launch as configuration overrides, so the user's own CODEX_HOME and login
// are used as they are. Messages are pasted into an idle session and go by `codex queue` behind a busy one. The rollout file is
// the proof.

import type {
  Delivery,
  LiveSession,
  OutgoingMessage,
  Pane,
  Proof,
  Runtime,
  RuntimeMachine,
  Screen,
  TranscriptRow,
} from "../../../ports/runtime.ts";
import { markedText } from "../../../protocol/message-marks.ts";
import { isAlive } from "../alive.ts";
import { detectProgram } from "../detect.ts";
import { hookRecordOf } from "../hook-record.ts";
import { readHooks } from "../hook-records.ts";
import { judge } from "../judge-status.ts";
import { type PasteTarget, pasteWithProof, unsafeIn } from "../paste.ts";
import {
  everyTranscript,
  holdsConversation,
  linesOf,
  namedByHooks,
  proofSearch,
  tailRows,
  usageIn,
} from "../transcripts.ts";
import { carryCodex } from "./carry.ts";
import { codexCommands } from "./commands.ts";
import { codexInstalls, codexTrusts } from "./install.ts";
import { prepareCodex, isShutIn } from "./launch.ts";
import { codexHeadless, parseCodexHeadless } from "./headless.ts";
import { codexOwnFiles, envOf, findRollout, rolloutReader } from "./rollout.ts";
import { codexInputLine, readCodexScreen, readCodexTitle } from "./screen.ts";

const checkedVersions = ["0.166.0"];
const queueDeadlineMs = 20_000;
/** One argument may hold 128 KiB on Linux; longer messages are pasted. */
const longestArgument = 100_000;
const lookMs = 50;

export const codex: Runtime = {
  name: "codex",
  checkedVersions,
  abilities: {
    systemPrompt: "launch",
    hooks: true,
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
  detect: (machine) => detectProgram("codex", checkedVersions, machine),
  prepare: (launch, machine) => prepareCodex(launch, machine),
  isShutIn,
  ownFiles: codexOwnFiles,
  accounts: { variable: "CODEX_HOME", carry: carryCodex },
  headless: codexHeadless,
  parseHeadless: parseCodexHeadless,
  hookRecord: hookRecordOf("codex"),

  async observe(session, machine) {
    const screen = await session.pane?.capture();
    return {
      nowMs: machine.clock.nowMs(),
      sinceMs: session.sinceMs,
      process: session.pid === undefined ? "unknown" : isAlive(session.pid) ? "alive" : "dead",
      hooks: readHooks(session.launch.home, session.launch.agent, session.sinceMs),
      rows: tailRows(locate(session, machine), rolloutReader, session.sinceMs),
      ...(screen === undefined ? {} : { screen }),
    };
  },
  status: (evidence) => judge(evidence, { title: readCodexTitle, screen: readCodexScreen }),
  currentSession: (session, machine) =>
    Promise.resolve(threadOf(session) ?? session.launch.resume ?? threadIn(locate(session, machine))),
  canResume(session, machine) {
    const path = findRollout(envOf(session.launch, machine.env), session);
    const isOfIt = session.sessionId !== undefined && path?.endsWith(`-${session.sessionId}.jsonl`) === true;
    return Promise.resolve(isOfIt && holdsConversation(path, rolloutReader()));
  },
  transcript: (session, machine) => Promise.resolve(locate(session, machine)),
  rowReader: rolloutReader,

  async inject(session, message, machine) {
    const search = proofSearch(message.id, rolloutReader());
    const proof = (): Promise<Proof | undefined> => Promise.resolve(search(locate(session, machine)));
    const { pane } = session;
    const screen = await pane?.capture();
    // A queue outlives its session: a message left there for a dead one would come up at some later resume.
    if (codex.status(await codex.observe(session, machine)).state === "dead") {
      return { state: "unknown", way: "queue", sent: false, reason: "the program has ended" };
    }
    const target = pane === undefined ? undefined : pasteTarget(session, pane, machine, proof);
    if (target !== undefined && screen !== undefined && (await pastesBetter(session, screen, machine))) {
      return pasteWithProof(target, message);
    }
    if (await queue(session, message, machine)) return awaitProof(message, machine, proof);
    if (target !== undefined) return pasteWithProof(target, message);
    return { state: "unknown", way: "none", sent: false, reason: "no thread yet and no terminal" };
  },
  proof: (session, messageId, machine) =>
    Promise.resolve(proofSearch(messageId, rolloutReader())(locate(session, machine))),
  usage(session, machine) {
    // Each with a reader of its own, which remembers the model that the file names.
    const paths = everyTranscript(session, locate(session, machine));
    return Promise.resolve(paths.flatMap((path) => usageIn(linesOf([path]), rolloutReader())));
  },
  commands: codexCommands,
  installs: codexInstalls,
  trusts: codexTrusts,
};

/**
 * An idle session looks at its queue only every ten seconds, and an interrupted one not before somebody types again; into an
 * empty line of an idle session a paste is quicker. A busy one, one that asks, and a half-typed line are for the queue.
 */
async function pastesBetter(session: LiveSession, screen: Screen, machine: RuntimeMachine): Promise<boolean> {
  if (threadOf(session) === undefined) return true;
  if (wasInterrupted(tailRows(locate(session, machine), rolloutReader, session.sinceMs))) return true;
  const { state } = codex.status(await codex.observe(session, machine));
  return (state === "idle" || state === "limited") && codexInputLine(screen) === "empty";
}

function pasteTarget(
  session: LiveSession,
  pane: Pane,
  machine: RuntimeMachine,
  proof: () => Promise<Proof | undefined>,
): PasteTarget {
  const unsafe = async (): Promise<string | undefined> =>
    unsafeIn(codex.status(await codex.observe(session, machine)), session.launch.permissions);
  return { pane, clock: machine.clock, inputLine: codexInputLine, proof, unsafe };
}

function wasInterrupted(rows: readonly TranscriptRow[]): boolean {
  return rows.findLast((row) => row.kind !== "answer" && row.kind !== "queued")?.kind === "interrupted";
}

/** True when the message is in the queue of the live thread. */
async function queue(session: LiveSession, message: OutgoingMessage, machine: RuntimeMachine): Promise<boolean> {
  // It would run here, outside of the sandbox, by a configuration that the agent can write.
  if (session.launch.ownFiles !== undefined) return false;
  const thread = threadOf(session);
  const text = markedText(message.id, message.text);
  if (thread === undefined || Buffer.byteLength(text) > longestArgument) return false;
  const command = [session.launch.program, "queue", "--thread", thread, "--message", text];
  const env = envOf(session.launch, machine.env);
  const outcome = await machine.processes.run(command, { env, deadlineMs: queueDeadlineMs });
  return outcome.code === 0;
}

async function awaitProof(
  message: OutgoingMessage,
  machine: RuntimeMachine,
  proof: () => Promise<Proof | undefined>,
): Promise<Delivery> {
  const startedMs = machine.clock.monotonicMs();
  for (;;) {
    const proven = await proof();
    if (proven !== undefined) return { state: "delivered", way: "queue", proof: proven };
    if (machine.clock.monotonicMs() - startedMs >= message.proofMs) break;
    await machine.clock.sleep(lookMs);
  }
  const reason = "queued, but no turn with it has begun yet";
  return { state: "unknown", way: "queue", sent: true, reason };
}

/** The thread the hooks last spoke of: only then is it known to be live in this terminal. */
function threadOf(session: LiveSession): string | undefined {
  const hooks = readHooks(session.launch.home, session.launch.agent, session.sinceMs);
  return hooks.findLast((hook) => hook.inSubagent !== true)?.session ?? session.sessionId;
}

/** The thread a rollout file is named after. */
function threadIn(path: string | undefined): string | undefined {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(path ?? "")?.[1];
}

function locate(session: LiveSession, machine: RuntimeMachine): string | undefined {
  const hooks = readHooks(session.launch.home, session.launch.agent, session.sinceMs);
  return namedByHooks(hooks) ?? findRollout(envOf(session.launch, machine.env), session);
}
