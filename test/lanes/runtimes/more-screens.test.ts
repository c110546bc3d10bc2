// Records what the conformance lane does not come by: long commands, lost logins, login screens, questions, untrusted directories,
// narrow terminals, programs that stand still. What each must be called is written here by hand, so a recording shows at once whether the
// program's screen is read rightly at first sight. It runs with CONSTEL_RECORD_FIXTURES=1 and replaces nothing that a scene does not name;
// src/host/runtime/status.test.ts and test/hang-corpus.test.ts replay what it wrote.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { codex } from "../../../src/host/runtime/codex/codex.ts";
import { gemini } from "../../../src/host/runtime/gemini/gemini.ts";
import { opencode } from "../../../src/host/runtime/opencode/opencode.ts";
import type { AgentState, Launch, Runtime } from "../../../src/ports/runtime.ts";
import { homes } from "./homes.ts";
import { type Home, Lab, type Started, until } from "./lab.ts";
import { programOf } from "./programs.ts";

interface Scene {
  readonly name: string;
  readonly expect: AgentState;
  /** What stands on the screen when it is time to look. */
  readonly shows: RegExp;
  /** Entered before. */
  readonly first?: string;
  /** Typed once the program is ready for it. */
  readonly says?: string;
  readonly home?: Home;
  readonly launch?: Partial<Launch>;
  readonly columns?: number;
  readonly rows?: number;
  readonly afterwards?: (started: Started) => void;
}

const options = ["Red", "Blue"].map((label) => ({ label, description: `${label}, as you like` }));
const questions = [
  { id: "colour", header: "Colour", question: "Which colour shall it have?", options, multiSelect: false },
];

const rules = {
  default: { text: "default answer", usage: { input: 10, output: 2 } },
  rules: [
    {
      name: "build",
      when: { prompt: "build everything" },
      steps: [{ calls: [{ shell: "echo compiling 1 of 900; sleep 45" }] }, { text: "built" }],
    },
    { name: "hold", when: { prompt: "/please hold (\\w+)/" }, reply: { text: "held {{1}}", hold: "{{1}}" } },
    {
      name: "login",
      when: { prompt: "who am I", side: "any" },
      reply: { error: { status: 401, type: "authentication_error", message: "Invalid authentication credentials" } },
    },
    ...["AskUserQuestion", "request_user_input", "ask_user", "question"].map((call) => ({
      name: call,
      when: { prompt: "ask me something", offers: call },
      steps: [{ calls: [{ call, input: { questions } }] }, { text: "answered" }],
    })),
    { name: "answer", when: { prompt: "tell me much" }, reply: { text: "A long answer.\n".repeat(60) } },
  ],
};

const all = { permissions: "all" } as const;
/** Claude Code lets root do everything only in a sandbox. */
const sandboxed: Home = {
  env: (lab) => ({ ...homes["claude"]?.env(lab), IS_SANDBOX: "1" }),
  files: (lab) => homes["claude"]?.files(lab) ?? {},
};
const without = (home: Home | undefined, ...names: readonly string[]): Home => ({
  env: (lab) => Object.fromEntries(Object.entries(home?.env(lab) ?? {}).filter(([name]) => !names.includes(name))),
  files: (lab) => home?.files(lab) ?? {},
});
const nothing: Home = { env: () => ({}), files: () => ({}) };
const stop = ({ session }: Started): void => void process.kill(-(session.pid ?? 0), "SIGSTOP");
const kill = ({ session }: Started): void => void process.kill(session.pid ?? 0, "SIGKILL");

const common = (busy: RegExp, ready: RegExp): readonly Scene[] => [
  { name: "busy-long-build", expect: "busy", says: "build everything", shows: /sleep 45|compiling 1 of/, launch: all },
  { name: "busy-narrow", expect: "busy", says: "please hold narrow", shows: busy, columns: 60, rows: 16 },
  { name: "busy-standing-still", expect: "busy", says: "please hold still", shows: busy, afterwards: stop },
  { name: "dead-killed", expect: "dead", says: "please hold dead", shows: busy, afterwards: kill },
  { name: "idle-narrow", expect: "idle", shows: ready, columns: 60, rows: 16 },
  {
    name: "idle-after-long-answer",
    expect: "idle",
    says: "tell me much",
    shows: /A long answer\.[\s\S]*A long answer/,
  },
];

const scenes: readonly (readonly [runtime: Runtime, ready: RegExp, isolate: boolean, scenes: readonly Scene[]])[] = [
  [
    claude,
    /❯/,
    true,
    [
      ...common(/esc to interrupt/, /❯/).map((scene) => (scene.launch === all ? { ...scene, home: sandboxed } : scene)),
      { name: "logged-out-refused", expect: "logged-out", says: "who am I", shows: /401|\/login/ },
      { name: "waiting-answer", expect: "waiting-answer", says: "ask me something", shows: /Which colour/ },
      {
        name: "logged-out-at-start",
        expect: "logged-out",
        shows: /login/i,
        home: without(homes["claude"], "ANTHROPIC_AUTH_TOKEN"),
      },
      { name: "dead-no-network", expect: "dead", shows: /Unable to connect/, home: nothing },
      { name: "waiting-for-trust", expect: "waiting-permission", shows: /trust/i, launch: { trusted: false } },
    ],
  ],
  [
    codex,
    /›/,
    true,
    [
      // It puts a long command into the background by itself, and is idle then.
      ...common(/esc to interrupt/, /›/).filter(({ launch }) => launch !== all),
      { name: "logged-out-refused", expect: "logged-out", says: "who am I", shows: /401/ },
      // Its plan mode alone offers the tool.
      {
        name: "waiting-answer",
        expect: "waiting-answer",
        says: "ask me something",
        shows: /Which colour/,
        first: "/plan",
      },
      { name: "logged-out-at-start", expect: "logged-out", shows: /Sign in/, home: nothing },
      { name: "waiting-for-trust", expect: "waiting-permission", shows: /trust/i, launch: { trusted: false } },
    ],
  ],
  [
    gemini,
    /Type your message/,
    true,
    [
      ...common(/esc to cancel/, /Type your message/),
      { name: "logged-out-refused", expect: "logged-out", says: "who am I", shows: /401|auth/i },
      { name: "waiting-answer", expect: "waiting-answer", says: "ask me something", shows: /Which colour/ },
      { name: "logged-out-at-start", expect: "logged-out", shows: /authenticate/, home: nothing },
    ],
  ],
  [
    opencode,
    /Ask anything/,
    false,
    [
      ...common(/esc (?:to )?interrupt/, /Ask anything/),
      { name: "logged-out-refused", expect: "logged-out", says: "who am I", shows: /Invalid authentication|401/ },
      { name: "waiting-answer", expect: "waiting-answer", says: "ask me something", shows: /Which colour/ },
    ],
  ],
];

const only = process.env["CONSTEL_RECORD_ONLY"];
for (const [runtime, ready, isolate, ofRuntime] of scenes) {
  for (const scene of ofRuntime) {
    const label = `${runtime.name}/${scene.name}`;
    const isAsked =
      process.env["CONSTEL_RECORD_FIXTURES"] !== undefined && (only === undefined || label.includes(only));
    test.skipIf(!isAsked)(
      `${label} is ${scene.expect} at first sight`,
      async () => {
        const program = programOf(runtime.name);
        if ("missing" in program) throw new Error(program.missing);
        const home = scene.home ?? homes[runtime.name] ?? nothing;
        const lab = await Lab.open(runtime, program.path, home, { isolate });
        try {
          await lab.model.setRules(rules);
          const port = isolate ? {} : { port: 24_000 + Math.floor(Math.random() * 8000) };
          const model = runtime === gemini ? { model: "gemini-2.5-flash" } : {};
          const started = await lab.start(
            lab.launch({ sessionId: crypto.randomUUID(), ...port, ...model, ...scene.launch }),
          );
          const { columns = 140, rows = 45 } = scene;
          await lab.terminal.tmux("resize-window", "-t", `=${started.pane.name}:`, "-x", `${columns}`, "-y", `${rows}`);
          const shows = (what: RegExp) =>
            until(
              String(what),
              () => started.pane.capture(),
              ({ text }) => what.test(text),
              90_000,
            );
          if (scene.says !== undefined) {
            await shows(ready);
            await until(
              "idle",
              () => runtime.observe(started.session, lab.machine).then((seen) => runtime.status(seen)),
              ({ state }) => state === "idle",
              90_000,
            );
            if (scene.first !== undefined) {
              await started.pane.paste(scene.first);
              await Bun.sleep(1000);
              await started.pane.enter();
              await Bun.sleep(1500);
            }
            const message = { id: "msg_1", text: scene.says, asUser: true, proofMs: 20_000 };
            await runtime.inject(started.session, message, lab.machine);
          }
          await shows(scene.shows);
          await Bun.sleep(1500);
          scene.afterwards?.(started);
          if (scene.afterwards !== undefined) await Bun.sleep(1500);
          const evidence = await runtime.observe(started.session, lab.machine);
          const status = runtime.status(evidence);
          const kept = {
            expect: scene.expect,
            evidence: { ...evidence, rows: evidence.rows.slice(-8), hooks: evidence.hooks.slice(-12) },
          };
          const directory = join(import.meta.dir, "..", "..", "..", "src/host/runtime", runtime.name, "fixtures");
          writeFileSync(
            join(directory, `${scene.name}.json`),
            `${JSON.stringify(kept, null, 1).replaceAll(lab.directory, "/lab")}\n`,
          );
          expect({ label, state: status.state, says: status.rests.says }).toMatchObject({ label, state: scene.expect });
        } finally {
          await lab.close();
        }
      },
      300_000,
    );
  }
}
