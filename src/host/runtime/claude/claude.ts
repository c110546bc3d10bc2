// Claude Code. Everything is given per launch (settings file, session id, system prompt file), so the user's own configuration
// and login are used as they are. Messages go in by the wake-up hook or by pasting; the transcript is the proof, because the
// UserPromptSubmit hook already fires when a message is merely queued behind the current turn.

import { basename } from "node:path";
import type { LiveSession, Proof, Runtime, RuntimeMachine } from "../../../ports/runtime.ts";
import { detectProgram } from "../detect.ts";
import { hookRecordOf } from "../hook-record.ts";
import { readHooks } from "../hook-records.ts";
import { judge } from "../judge-status.ts";
import { pasteWithProof, unsafeIn } from "../paste.ts";
import { pushWithProof } from "../push.ts";
import { everyTranscript, holdsConversation, namedByHooks, proofSearch, tailRows, usageIn } from "../transcripts.ts";
import { carryClaude } from "./carry.ts";
import { claudeCommands } from "./commands.ts";
import { claudeHeadless, parseClaudeHeadless } from "./headless.ts";
import { claudeInstalls } from "./hooks.ts";
import { prepareClaude } from "./launch.ts";
import { claudeInputLine, readClaudeScreen, readClaudeTitle } from "./screen.ts";
import { ownWord } from "./session-file.ts";
import { claudeOwnFiles, envOf, readClaudeRow, transcriptPath, linesWithSubagents } from "./transcript.ts";

const checkedVersions = ["2.1.325"];

export const claude: Runtime = {
  name: "claude",
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
    ownSessionId: true,
  },
  holdsTo: ["readOnly", "tools", "fork"],
  detect: (machine) => detectProgram("claude", checkedVersions, machine),
  prepare: (launch) => Promise.resolve(prepareClaude(launch)),
  ownFiles: claudeOwnFiles,
  accounts: { variable: "CLAUDE_CONFIG_DIR", carry: carryClaude },
  headless: claudeHeadless,
  parseHeadless: parseClaudeHeadless,
  hookRecord: hookRecordOf("claude"),

  async observe(session, machine) {
    const hooks = readHooks(session.launch.home, session.launch.agent, session.sinceMs);
    const own = ownWord(session, hooks, envOf(session.launch, machine.env));
    const screen = await session.pane?.capture();
    return {
      nowMs: machine.clock.nowMs(),
      sinceMs: session.sinceMs,
      process: own === "gone" ? "dead" : own === undefined ? "unknown" : "alive",
      hooks,
      rows: tailRows(locate(session, machine), () => readClaudeRow, session.sinceMs),
      ...(own === undefined || own === "gone" ? {} : { own }),
      ...(screen === undefined ? {} : { screen }),
    };
  },
  status: (evidence) => judge(evidence, { title: readClaudeTitle, screen: readClaudeScreen }),
  currentSession: (session) => Promise.resolve(lastSession(session) ?? chosenSession(session)),
  canResume(session, machine) {
    const { launch, sessionId } = session;
    if (sessionId === undefined) return Promise.resolve(false);
    // What a hook names may lie in another project's directory, and the program finds it there; but it must be this session's.
    const named = namedByHooks(readHooks(launch.home, launch.agent, session.sinceMs));
    const own = transcriptPath(envOf(launch, machine.env), launch.cwd, sessionId);
    const path = named !== undefined && basename(named) === basename(own) ? named : own;
    return Promise.resolve(holdsConversation(path, readClaudeRow));
  },
  transcript: (session, machine) => Promise.resolve(locate(session, machine)),
  rowReader: () => readClaudeRow,

  async inject(session, message, machine) {
    const search = proofSearch(message.id, readClaudeRow);
    const proof = (): Promise<Proof | undefined> => Promise.resolve(search(locate(session, machine)));
    const { state } = claude.status(await claude.observe(session, machine));
    if (state === "dead") return { state: "unknown", way: "none", sent: false, reason: "the program has ended" };
    const { pane, push } = session;
    const isTyped =
      pane !== undefined && (message.asUser === "must" || (message.asUser === "rather" && state === "idle"));
    const canPush = async (): Promise<boolean> => push !== undefined && (await push.attended());
    if (!isTyped && (await canPush())) return pushWithProof(push, message, machine.clock, proof);
    if (pane === undefined)
      return { state: "unknown", way: "none", sent: false, reason: "no terminal and no waiting hook" };
    const unsafe = async (): Promise<string | undefined> =>
      unsafeIn(claude.status(await claude.observe(session, machine)), session.launch.permissions);
    const target = { pane, clock: machine.clock, inputLine: claudeInputLine, proof, unsafe };
    const typed = await pasteWithProof(target, message);
    // Somebody's half-typed line may stand there: rather by the hook than later.
    const isOver = typed.state === "delivered" || typed.sent || message.asUser === "must";
    return isOver || !(await canPush()) ? typed : pushWithProof(push, message, machine.clock, proof);
  },
  proof: (session, messageId, machine) =>
    Promise.resolve(proofSearch(messageId, readClaudeRow)(locate(session, machine))),
  usage(session, machine) {
    const paths = everyTranscript(session, locate(session, machine));
    return Promise.resolve(usageIn(linesWithSubagents(paths), readClaudeRow));
  },
  commands: claudeCommands,
  installs: claudeInstalls,
};

/** The hooks know best: `/clear` gives the session another id. */
function lastSession(session: LiveSession): string | undefined {
  const hooks = readHooks(session.launch.home, session.launch.agent, session.sinceMs);
  return hooks.findLast((hook) => hook.inSubagent !== true)?.session;
}

function chosenSession(session: LiveSession): string | undefined {
  return session.sessionId ?? session.launch.resume ?? session.launch.sessionId;
}

function locate(session: LiveSession, machine: RuntimeMachine): string | undefined {
  const hooks = readHooks(session.launch.home, session.launch.agent, session.sinceMs);
  const id = chosenSession(session);
  return (
    namedByHooks(hooks) ??
    (id === undefined ? undefined : transcriptPath(envOf(session.launch, machine.env), session.launch.cwd, id))
  );
}
