// Lists what more-screens.test.ts has the real programs show, and what each of it must be called. The expectation is written by hand before
// anybody has seen the screen.

import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { codex } from "../../../src/host/runtime/codex/codex.ts";
import { gemini } from "../../../src/host/runtime/gemini/gemini.ts";
import { opencode } from "../../../src/host/runtime/opencode/opencode.ts";
import type { AgentState, Launch, Runtime } from "../../../src/ports/runtime.ts";
import { homes } from "./homes.ts";
import type { Home, Started } from "./lab.ts";

export interface Scene {
  readonly name: string;
  readonly expect: AgentState;
  /** The text on the screen when it is time to look. */
  readonly shows: RegExp;
  /** Entered before. */
  readonly first?: string;
  /** Sent once the program is ready for it. */
  readonly says?: string;
  /** Typed once the program is ready for it, without anything around it. */
  readonly types?: string;
  readonly home?: Home;
  readonly launch?: Partial<Launch>;
  readonly columns?: number;
  readonly rows?: number;
  /** The parts of the evidence that alone can know it. */
  readonly knownBy?: readonly string[];
  readonly afterwards?: (started: Started) => void | Promise<void>;
}

export interface Programme {
  readonly runtime: Runtime;
  /** The text on the screen when something can be typed. */
  readonly ready: RegExp;
  readonly isolate: boolean;
  readonly scenes: readonly Scene[];
}

const options = ["Red", "Blue"].map((label) => ({ label, description: `${label}, as you like` }));
const questions = [
  { id: "colour", header: "Colour", question: "Which colour shall it have?", options, multiSelect: false },
];
/** Gemini wants to be told what kind of question it is; the others know no such word. */
const questionsFor = (call: string): readonly unknown[] =>
  call === "ask_user" ? questions.map((one) => ({ ...one, type: "choice" })) : questions;
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `Line ${at + 1} of it.`).join("\n");

export const sceneRules = {
  default: { text: "default answer", usage: { input: 10, output: 2 } },
  rules: [
    {
      name: "build",
      when: { prompt: "build everything" },
      steps: [{ calls: [{ shell: "echo compiling 1 of 900; sleep 45" }] }, { text: "built" }],
    },
    {
      name: "command",
      when: { prompt: "run it to its end" },
      steps: [{ calls: [{ shell: "echo begun; sleep 45", input: { yield_time_ms: 30_000 } }] }, { text: "it ended" }],
    },
    {
      name: "background",
      when: { prompt: "run it beside you" },
      steps: [{ calls: [{ shell: "sleep 45", input: { run_in_background: true } }] }, { text: "It runs beside me." }],
    },
    { name: "hold", when: { prompt: "/please hold (\\w+)/" }, reply: { text: "held {{1}}", hold: "{{1}}" } },
    {
      name: "login",
      when: { prompt: "who am I", side: "any" },
      reply: { error: { status: 401, type: "authentication_error", message: "Invalid authentication credentials" } },
    },
    {
      name: "overloaded",
      when: { prompt: "try again and again", side: "any" },
      reply: { error: { status: 529, type: "overloaded_error", message: "Overloaded" } },
    },
    {
      name: "used-up",
      when: { prompt: "use it all up", side: "any" },
      reply: { error: { status: 429, type: "usage_limit_reached", message: "The usage limit has been reached" } },
    },
    {
      name: "helper",
      when: { prompt: "give it to a helper" },
      steps: [
        {
          calls: [
            {
              call: "Agent",
              input: { description: "Help", prompt: "please hold helper", subagent_type: "general-purpose" },
            },
          ],
        },
        { text: "helped" },
      ],
    },
    {
      name: "fetch",
      when: { prompt: "look it up" },
      steps: [
        { calls: [{ call: "WebFetch", input: { url: "http://127.0.0.1:9/", prompt: "what is there" } }] },
        { text: "looked" },
      ],
    },
    {
      name: "write",
      when: { prompt: "write it down" },
      steps: [{ calls: [{ write: "{{cwd}}/written.txt", content: "written\n" }] }, { text: "written" }],
    },
    ...["AskUserQuestion", "request_user_input", "ask_user", "question"].map((call) => ({
      name: call,
      when: { prompt: "ask me something", offers: call },
      steps: [{ calls: [{ call, input: { questions: questionsFor(call) } }] }, { text: "answered" }],
    })),
    { name: "answer", when: { prompt: "tell me much" }, reply: { text: lines(60) } },
    { name: "slowly", when: { prompt: "tell me slowly" }, reply: { text: lines(2000), chunk_ms: 150 } },
    { name: "repeats", when: { prompt: "say it again" }, reply: { text: "A long answer.\n".repeat(60) } },
  ],
};

const all = { permissions: "all" } as const;
/** The permissions that agents are started with where the settings say nothing else. */
const edits = { permissions: "edits" } as const;
const edited = (name: string, change: (env: Record<string, string>) => Record<string, string>): Home => ({
  env: (lab) => change({ ...homes[name]?.env(lab) }),
  files: (lab) => homes[name]?.files(lab) ?? {},
});
/** Claude Code lets root do everything only in a sandbox. */
const sandboxed = edited("claude", (env) => ({ ...env, IS_SANDBOX: "1" }));
const loggedOut = edited("claude", (env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name !== "ANTHROPIC_AUTH_TOKEN")),
);
const patient = edited("claude", (env) => ({ ...env, CLAUDE_CODE_MAX_RETRIES: "10" }));
const nothing: Home = { env: () => ({}), files: () => ({}) };

/** Codex with other words in its settings, and perhaps another file beside them. */
const codexWith = (change: (config: string) => string, more: Record<string, string> = {}): Home => ({
  env: (lab) => homes["codex"]?.env(lab) ?? {},
  files: (lab) => ({
    ...Object.fromEntries(
      Object.entries(homes["codex"]?.files(lab) ?? {}).map(([path, content]) => [path, change(content)]),
    ),
    ...Object.fromEntries(Object.entries(more).map(([name, content]) => [`${lab.home}/.codex/${name}`, content])),
  }),
});

const stop = ({ session }: Started): void => void process.kill(-(session.pid ?? 0), "SIGSTOP");
const kill = ({ session }: Started): void => void process.kill(session.pid ?? 0, "SIGKILL");
const escape = async ({ pane }: Started): Promise<void> => {
  await pane.keys("Escape");
  await Bun.sleep(1500);
};

const escapeTwice = async (started: Started): Promise<void> => {
  await started.pane.keys("Escape");
  await escape(started);
};

const common = (busy: RegExp, ready: RegExp): readonly Scene[] => [
  { name: "busy-long-build", expect: "busy", says: "build everything", shows: /sleep 45|compiling 1 of/, launch: all },
  { name: "busy-narrow", expect: "busy", says: "please hold narrow", shows: busy, columns: 60, rows: 16 },
  { name: "busy-standing-still", expect: "busy", says: "please hold still", shows: busy, afterwards: stop },
  { name: "busy-streaming", expect: "busy", says: "tell me slowly", shows: /Line [3-9] of it/ },
  { name: "dead-killed", expect: "dead", says: "please hold dead", shows: busy, afterwards: kill },
  { name: "idle-narrow", expect: "idle", shows: ready, columns: 60, rows: 16 },
  { name: "idle-after-long-answer", expect: "idle", says: "tell me much", shows: /Line 5\d of it/ },
  { name: "idle-after-interrupt", expect: "idle", says: "please hold me", shows: busy, afterwards: escape },
];

const ofClaude: readonly Scene[] = [
  ...common(/esc to interrupt/, /❯/).map((scene) => (scene.launch === all ? { ...scene, home: sandboxed } : scene)),
  // Its turn has ended, and the helper works on in the background.
  {
    name: "busy-helper",
    expect: "busy",
    says: "give it to a helper",
    shows: /Waiting for 1 background agent/,
    knownBy: ["own", "screen"],
  },
  { name: "busy-retrying", expect: "busy", says: "try again and again", shows: /[Rr]etry/, home: patient },
  {
    name: "idle-with-background-shell",
    expect: "idle",
    says: "run it beside you",
    shows: /beside me/,
    home: sandboxed,
    launch: all,
  },
  { name: "idle-with-draft", expect: "idle", types: "half a thought", shows: /half a thought/ },
  { name: "limited-used-up", expect: "limited", says: "use it all up", shows: /429|limit/ },
  { name: "logged-out-refused", expect: "logged-out", says: "who am I", shows: /401|\/login/ },
  { name: "logged-out-at-start", expect: "logged-out", shows: /login/i, home: loggedOut },
  { name: "logged-out-under-edits", expect: "logged-out", shows: /login/i, home: loggedOut, launch: edits },
  { name: "waiting-answer", expect: "waiting-answer", says: "ask me something", shows: /Which colour/ },
  { name: "waiting-for-trust", expect: "waiting-permission", shows: /trust/i, launch: { trusted: false } },
  { name: "waiting-to-fetch", expect: "waiting-permission", says: "look it up", shows: /fetch/i },
  { name: "waiting-to-write", expect: "waiting-permission", says: "write it down", shows: /Do you want to/ },
  { name: "waiting-in-menu", expect: "waiting-permission", first: "/model", says: "", shows: /Select model/i },
  { name: "dead-no-network", expect: "dead", shows: /Unable to connect/, home: nothing },
];

const ofCodex: readonly Scene[] = [
  // It puts a long command into the background by itself, and is idle then.
  ...common(/esc to interrupt/, /›/).filter(({ launch }) => launch !== all),
  { name: "busy-command", expect: "busy", says: "run it to its end", shows: /esc to interrupt/, launch: all },
  {
    name: "busy-retrying",
    expect: "busy",
    says: "try again and again",
    shows: /[Rr]econnect|[Rr]etry|esc to interrupt/,
    home: codexWith((config) => config.replaceAll("max_retries = 0", "max_retries = 8")),
  },
  { name: "idle-with-draft", expect: "idle", types: "half a thought", shows: /half a thought/ },
  { name: "limited-used-up", expect: "limited", says: "use it all up", shows: /429|limit/ },
  { name: "logged-out-refused", expect: "logged-out", says: "who am I", shows: /401/ },
  { name: "logged-out-at-start", expect: "logged-out", shows: /Sign in/, home: nothing },
  // Its plan mode alone offers the tool.
  { name: "waiting-answer", expect: "waiting-answer", says: "ask me something", shows: /Which colour/, first: "/plan" },
  { name: "waiting-for-trust", expect: "waiting-permission", shows: /trust/i, launch: { trusted: false } },
  { name: "waiting-in-menu", expect: "waiting-permission", first: "/model", says: "", shows: /Select Model/i },
  {
    name: "idle-update-notice",
    expect: "idle",
    shows: /[Uu]pdate (?:available|now)/,
    home: codexWith((config) => config.replace("check_for_update_on_startup = false\n", ""), {
      "version.json": JSON.stringify({ latest_version: "99.0.0", last_checked_at: "2099-01-01T00:00:00Z" }),
    }),
  },
  {
    name: "waiting-to-migrate",
    expect: "waiting-permission",
    shows: /Meet GPT-/,
    home: codexWith((config) => config.replace(/\[notice\.model_migrations\]\n.*\n/, "")),
  },
];

const ofGemini: readonly Scene[] = [
  ...common(/esc to cancel/, /Type your message/),
  { name: "logged-out-refused", expect: "logged-out", says: "who am I", shows: /401|auth/i },
  { name: "logged-out-at-start", expect: "logged-out", shows: /authenticate/, home: nothing },
  { name: "waiting-answer", expect: "waiting-answer", says: "ask me something", shows: /Which colour/ },
  // It takes an answer that repeats itself for a loop, and asks.
  { name: "waiting-about-a-loop", expect: "waiting-permission", says: "say it again", shows: /loop was detected/ },
];

const ofOpencode: readonly Scene[] = [
  // It wants to be told twice to stop.
  ...common(/esc (?:to )?interrupt/, /Ask anything/).map((scene) =>
    scene.afterwards === escape ? { ...scene, afterwards: escapeTwice } : scene,
  ),
  { name: "logged-out-refused", expect: "logged-out", says: "who am I", shows: /Invalid authentication|401/ },
  { name: "waiting-answer", expect: "waiting-answer", says: "ask me something", shows: /Which colour/ },
];

export const programmes: readonly Programme[] = [
  { runtime: claude, ready: /❯/, isolate: true, scenes: ofClaude },
  { runtime: codex, ready: /›/, isolate: true, scenes: ofCodex },
  { runtime: gemini, ready: /Type your message/, isolate: true, scenes: ofGemini },
  { runtime: opencode, ready: /Ask anything/, isolate: false, scenes: ofOpencode },
];
