// Gemini CLI. Its title tells the state, its chat file is the proof and the count, and messages are pasted. Its hooks say what lies
// ready for it; own-home.ts says how an agent of ours comes by them.

import { join } from "node:path";
import type { CommandFile, Launch, LiveSession, Proof, Runtime, RuntimeMachine } from "../../../ports/runtime.ts";
import { isAlive } from "../alive.ts";
import { detectProgram } from "../detect.ts";
import { hookRecordOf } from "../hook-record.ts";
import { judge } from "../judge-status.ts";
import { bytesFrom } from "../json-lines.ts";
import { pasteWithProof, unsafeIn } from "../paste.ts";
import { downText, upText } from "../session-commands.ts";
import { holdsConversation, proofSearch, tailRows, usageIn } from "../transcripts.ts";
import { chatsIn, chatsOf, findChat, geminiHome, readChatRow } from "./chat.ts";
import { approvalModes, geminiHeadless, parseGeminiHeadless } from "./headless.ts";
import { geminiInstalls } from "./install.ts";
import { homeAtStart, ownGeminiHome, prepareOwnHome } from "./own-home.ts";
import { geminiInputLine, readGeminiScreen, readGeminiTitle } from "./screen.ts";

const checkedVersions = ["0.61.0"];

export const gemini: Runtime = {
  name: "gemini",
  checkedVersions,
  abilities: {
    systemPrompt: "first-turn",
    hooks: false,
    hears: true,
    mcp: false,
    resume: true,
    headless: true,
    usageReport: true,
    idleDetection: true,
    push: false,
    ownSessionId: true,
  },
  detect: (machine) => detectProgram("gemini", checkedVersions, machine),
  prepare(launch, machine) {
    const own = prepareOwnHome(launch, machine.env);
    const noMcp = "gemini takes MCP servers only from its own settings: use `constel install gemini`";
    return Promise.resolve({
      files: own.files,
      links: own.links,
      argv: argvFor(launch),
      env: {
        CONSTEL_AGENT: launch.agent,
        CONSTEL_HOME: launch.home,
        ...(launch.trusted ? { GEMINI_CLI_TRUST_WORKSPACE: "true" } : {}),
        ...own.env,
      },
      unset: ["GEMINI_CLI", "GEMINI_CLI_NO_RELAUNCH"],
      notes: [...own.notes, ...(launch.mcp === undefined ? [] : [noMcp])],
    });
  },
  headless: geminiHeadless,
  parseHeadless: parseGeminiHeadless,
  hookRecord: hookRecordOf("gemini"),

  async observe(session, machine) {
    const screen = await session.pane?.capture();
    const rows = tailRows(locate(session, machine), () => readChatRow, session.sinceMs);
    // It shows its prompt before it takes up the opening message; until then it is starting, not idle.
    const begun = session.launch.resume !== undefined || rows.length > 0;
    const tells = screen !== undefined && (begun || screen.dead || readGeminiScreen(screen)?.state !== "idle");
    return {
      nowMs: machine.clock.nowMs(),
      sinceMs: session.sinceMs,
      process: session.pid === undefined ? "unknown" : isAlive(session.pid) ? "alive" : "dead",
      hooks: [],
      rows,
      ...(tells ? { screen } : {}),
    };
  },
  status: (evidence) => judge(evidence, { title: readGeminiTitle, screen: readGeminiScreen }),
  currentSession: (session) => Promise.resolve(sessionOf(session)),
  canResume({ launch, sessionId }, machine) {
    const places = chatsOf(homeAtStart(launch, machine.env), launch.cwd);
    const chats = sessionId === undefined ? [] : chatsIn(places, sessionId);
    // One that was resumed and killed before its first word has left an empty file beside the other.
    return Promise.resolve(chats.some((path) => holdsConversation(path, readChatRow)));
  },
  transcript: (session, machine) => Promise.resolve(locate(session, machine)),
  rowReader: () => readChatRow,

  inject(session, message, machine) {
    const { pane } = session;
    if (pane === undefined) {
      return Promise.resolve({ state: "unknown", way: "none", sent: false, reason: "it has no terminal" });
    }
    const search = proofSearch(message.id, readChatRow);
    const proof = (): Promise<Proof | undefined> => Promise.resolve(search(locate(session, machine)));
    const unsafe = async (): Promise<string | undefined> =>
      unsafeIn(gemini.status(await gemini.observe(session, machine)), session.launch.permissions);
    return pasteWithProof({ pane, clock: machine.clock, inputLine: geminiInputLine, proof, unsafe }, message);
  },
  proof: (session, messageId, machine) =>
    Promise.resolve(proofSearch(messageId, readChatRow)(locate(session, machine))),
  usage(session, machine) {
    const path = locate(session, machine);
    const lines = path === undefined ? [] : bytesFrom(path, 0).toString("utf8").split("\n");
    return Promise.resolve(usageIn(lines, readChatRow));
  },
  commands: geminiCommands,
  installs: geminiInstalls,
};

function argvFor(launch: Launch): string[] {
  const argv = [launch.program, "--approval-mode", approvalModes[launch.permissions]];
  // Without a model it asks a routing model first.
  if (launch.model !== undefined) argv.push("--model", launch.model);
  if (launch.resume !== undefined) argv.push("--resume", launch.resume);
  else if (launch.sessionId !== undefined) argv.push("--session-id", launch.sessionId);
  // Its system prompt can only be replaced whole, so the first turn points at ours.
  const opening =
    launch.opening ?? `Read the file ${launch.promptFile}: it says who you are and how you work. Answer only "ready".`;
  if (launch.resume === undefined || launch.opening !== undefined) argv.push("--prompt-interactive", opening);
  return argv;
}

function sessionOf(session: LiveSession): string | undefined {
  return session.sessionId ?? session.launch.resume ?? session.launch.sessionId;
}

function locate(session: LiveSession, machine: RuntimeMachine): string | undefined {
  const id = sessionOf(session);
  if (id === undefined) return undefined;
  // Its own place has a link to the person's conversations, unless there were none when it first started.
  return findChat(machine.env, id) ?? findChat({ GEMINI_CLI_HOME: ownGeminiHome(session.launch) }, id);
}

function geminiCommands(env: Readonly<Record<string, string>>): readonly CommandFile[] {
  const file = (name: "up" | "down", description: string, body: string): CommandFile => ({
    name,
    path: join(geminiHome(env), "commands", `${name}.toml`),
    content: `description = ${JSON.stringify(description)}\nprompt = ${JSON.stringify(body)}\n`,
    invokedBy: `/${name}`,
  });
  return [
    file("up", upText.description, upText.body("{{args}}")),
    file("down", downText.description, downText.body("{{args}}")),
  ];
}
