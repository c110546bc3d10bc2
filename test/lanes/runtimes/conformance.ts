// One suite for every runtime, on the real program. The model server's log is the witness: what a runtime calls delivered must
// be there, and what it does not must not be claimed. One session is used from start to exit, because starting is what costs.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  AgentState,
  AgentStatus,
  Delivery,
  Evidence,
  OutgoingMessage,
  Runtime,
  Turn,
} from "../../../src/ports/runtime.ts";
import { messageMark } from "../../../src/protocol/message-marks.ts";
import { homes } from "./homes.ts";
import { Lab, type Started, until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { limitedRules, rules } from "./rules.ts";

export interface Traits {
  /** Scripted answers that ask for permission reach this program as a dialog. */
  readonly asks: boolean;
  /** The keys that close a permission dialog with a no. */
  readonly refuse: readonly string[];
  /** The text on the screen while such a dialog is open, and at no other time. */
  readonly dialog: RegExp;
  /** The keys that close the notice of a limit, where it is a dialog. */
  readonly leaveLimit: readonly string[];
  /** The keys that empty the input line. */
  readonly clearLine: readonly string[];
  /** Leaves the program as a person does. */
  readonly exit: (started: Started) => Promise<void>;
  /** The time that a first turn may take. */
  readonly slowMs: number;
  readonly isolate: boolean;
  /** True if the tokens of a cache write reach the program over its API. */
  readonly cacheWrite: boolean;
  /** A hook of the program waits for messages. */
  readonly waits: boolean;
  /** A headless turn names the tools it was refused. */
  readonly tellsDenied: boolean;
  readonly port?: number;
  readonly model?: string;
}

export function conformance(runtime: Runtime, traits: Traits): void {
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
    describe.skip(`${runtime.name}: SKIPPED, ${program.missing}`, () => {
      test("conformance", () => {});
    });
    return;
  }

  describe(`${runtime.name}, the real program`, () => {
    let lab: Lab;
    let started: Started;
    let sent = 0;
    const home = homes[runtime.name];
    if (home === undefined) throw new Error(`no test home for ${runtime.name}`);

    const seen = async (): Promise<{ evidence: Evidence; status: AgentStatus }> => {
      const evidence = await runtime.observe(started.session, lab.machine);
      return { evidence, status: runtime.status(evidence) };
    };
    const becomes = async (state: AgentState, fixture?: string): Promise<AgentStatus> => {
      const { evidence, status } = await until(state, seen, (now) => now.status.state === state, traits.slowMs);
      if (fixture !== undefined) record(runtime.name, fixture, lab, evidence, status);
      return status;
    };
    const inject = (
      text: string,
      options: Partial<Pick<OutgoingMessage, "asUser" | "proofMs">> = {},
    ): Promise<Delivery> => {
      const message = {
        id: `msg_${++sent}`,
        text,
        asUser: options.asUser ?? "must",
        proofMs: options.proofMs ?? traits.slowMs,
      };
      return runtime.inject(started.session, message, lab.machine);
    };
    const dialogStands = async (): Promise<boolean> => traits.dialog.test((await started.pane.capture()).text);
    /**
     * Keys pressed while a program draws may be swallowed, so they are pressed again when the dialog still stands after a while;
     * not sooner, because in some programs a second Escape means something else.
     */
    const closeDialog = async (): Promise<void> => {
      for (let tries = 1; await dialogStands(); tries++) {
        await started.pane.keys(...traits.refuse);
        const gone = until("the dialog is gone", dialogStands, (stands) => !stands, traits.slowMs / 5);
        await gone.catch((cause: unknown) => {
          if (tries === 5) throw cause;
        });
      }
    };
    const mark = (): string => messageMark(`msg_${sent}`);
    const modelSaw = (text: string): Promise<number> =>
      until(
        `${text} in the model's log`,
        () => lab.model.saw(text),
        (count) => count > 0,
        traits.slowMs,
      );

    beforeAll(async () => {
      lab = await Lab.open(runtime, program.path, home, { isolate: traits.isolate });
      await lab.model.setRules(rules);
      started = await lab.start(
        lab.launch({
          sessionId: crypto.randomUUID(),
          waitCommand: lab.waitCommand(),
          ...(traits.port === undefined ? {} : { port: traits.port }),
          ...(traits.model === undefined ? {} : { model: traits.model }),
        }),
      );
    });
    afterAll(async () => {
      await lab.close();
    });

    test("is found on the PATH at a version its adapter was tested with", async () => {
      expect(await runtime.detect(lab.machine)).toMatchObject({ installed: true, matchesChecked: true });
    });

    test("starts with no dialog left open and is idle", async () => {
      await becomes("idle", "idle-at-start");
    });

    test("a message to an idle agent is delivered, once, with its system prompt", async () => {
      const delivery = await inject("hello there");
      expect(delivery).toMatchObject({ state: "delivered" });
      await modelSaw(mark());
      const { words } = await becomes("idle", "idle-after-turn");
      expect(words).toMatchObject({ said: true, toMessage: true, text: "default answer" });
      expect(
        (await lab.model.requests()).filter((request) => !request.side && request.prompt.includes(mark())),
      ).toHaveLength(1);
      if (runtime.abilities.systemPrompt === "launch")
        expect(await lab.model.saw("CONSTEL-SYSTEM-PROMPT")).toBeGreaterThan(0);
    });

    test("a message to a busy agent is not called delivered before its turn begins, and is afterwards", async () => {
      expect((await inject("please hold alpha")).state).toBe("delivered");
      await until(
        "work on the screen",
        () => started.pane.capture(),
        (screen) => /esc (?:to )?(?:interrupt|cancel)/.test(screen.text),
        traits.slowMs,
      );
      await becomes("busy", "busy-thinking");
      const delivery = await inject("sent while busy", { asUser: "no", proofMs: 1500 });
      expect(delivery.state).toBe("unknown");
      expect(await lab.model.saw(mark())).toBe(0);
      const { evidence, status } = await seen();
      expect(status.state).toBe("busy");
      record(runtime.name, "busy-with-queued", lab, evidence, status);
      await lab.model.release("alpha");
      if (delivery.state === "unknown" && !delivery.sent) {
        await becomes("idle");
        sent--;
        expect(await inject("sent while busy", { asUser: "no" })).toMatchObject({ state: "delivered" });
      }
      await until(
        "proof",
        () => runtime.proof(started.session, `msg_${sent}`, lab.machine),
        (proof) => proof !== undefined,
      );
      await modelSaw(mark());
      await becomes("idle");
    });

    test.if(traits.asks)("a permission question is seen, and nothing is typed into it", async () => {
      expect((await inject("run a risky command")).state).toBe("delivered");
      await becomes("waiting-permission", "waiting-permission");
      // Its hook speaks before the dialog is drawn.
      await until("the dialog", dialogStands, (stands) => stands, traits.slowMs);
      const delivery = await inject("sent into the dialog", { proofMs: 1000 });
      expect(delivery.state).toBe("unknown");
      expect(await lab.model.saw(mark())).toBe(0);
      expect((await seen()).status.state).toBe("waiting-permission");
      await closeDialog();
      await becomes("idle", "idle-after-refusal");
      if (delivery.state === "unknown" && !delivery.sent) expect(await lab.model.saw(mark())).toBe(0);
    });

    test("a message reaches an agent whose terminal is in copy mode", async () => {
      await becomes("idle");
      await started.pane.enterCopyMode();
      expect(await inject("sent in copy mode")).toMatchObject({ state: "delivered" });
      await modelSaw(mark());
      await started.pane.leaveMode();
      await becomes("idle");
    });

    test("a half-typed line is neither lost nor sent along", async () => {
      await started.pane.type("half typed");
      await until(
        "the half-typed line",
        () => started.pane.capture(),
        (screen) => screen.text.includes("half typed"),
      );
      const delivery = await inject("sent beside a half-typed line", { proofMs: traits.slowMs });
      if (delivery.state === "delivered") await modelSaw(mark());
      else {
        expect(delivery).toMatchObject({ sent: false, reason: expect.stringContaining("half-typed") });
        expect(await lab.model.saw(mark())).toBe(0);
      }
      await becomes("idle");
      expect((await started.pane.capture()).text).toContain("half typed");
      expect(await lab.model.saw("half typed")).toBe(0);
      await started.pane.keys(...traits.clearLine);
      await until(
        "an empty line",
        () => started.pane.capture(),
        (screen) => !/half typed/.test(lastLines(screen.text)),
      );
    });

    test("20 KB of many lines arrive whole", async () => {
      await becomes("idle");
      const lines = Array.from(
        { length: 400 },
        (_, line) => `line ${line} of a long brief: "quoted" äöü € 漢字 ${"x".repeat(12)}`,
      );
      expect(await inject(lines.join("\n"))).toMatchObject({ state: "delivered" });
      await modelSaw(mark());
      expect(await lab.model.saw(lines.join("\n"))).toBeGreaterThan(0);
      await becomes("idle");
    });

    test("tokens are read from the transcript, each answer once, the cache apart", async () => {
      expect(await inject("count the tokens")).toMatchObject({ state: "delivered" });
      await becomes("idle");
      const counted = await until(
        "the usage",
        () => runtime.usage(started.session, lab.machine),
        (usage) => usage.some((row) => row.output === 22),
      );
      const rows = counted.filter((row) => row.output === 22);
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({ input: 111, output: 22, cacheRead: 33, cacheWrite: traits.cacheWrite ? 44 : 0 });
      expect(new Set(counted.map((row) => row.id)).size).toBe(counted.length);
    });

    test("a limit is seen as limited, with a time, and the next good turn ends it", async () => {
      await lab.model.setRules(limitedRules);
      expect((await inject("hit the limit")).state).toBe("delivered");
      const status = await becomes("limited", "limited");
      expect(status.untilMs ?? 0).toBeGreaterThan(Date.now());
      await lab.model.setRules(rules);
      if (traits.leaveLimit.length > 0) await started.pane.keys(...traits.leaveLimit);
      // Where the notice was a dialog, it takes a moment to go.
      const again = await until(
        "typed after the limit",
        () => inject("hello again"),
        (delivery) => delivery.state === "delivered" || delivery.sent,
      );
      expect(again.state).toBe("delivered");
      await becomes("idle", "idle-after-limit");
    });

    test.if(traits.waits)("a notice wakes an idle agent through its waiting hook", async () => {
      await until(
        "a waiter",
        () => started.session.push?.attended() ?? Promise.resolve(false),
        (attended) => attended,
      );
      expect(await inject("a notice", { asUser: "no" })).toMatchObject({ state: "delivered", way: "push" });
      await modelSaw(mark());
      await becomes("idle");
    });

    test.if(traits.waits)(
      "what the owner says is typed into an idle agent; where a half-typed line stands it comes through the waiting hook",
      async () => {
        const isWaitedFor = (): Promise<unknown> =>
          until(
            "a waiter",
            () => started.session.push?.attended() ?? Promise.resolve(false),
            (attended) => attended,
          );
        await isWaitedFor();
        expect(await inject("the owner's word", { asUser: "rather" })).toMatchObject({
          state: "delivered",
          way: "paste",
        });
        await modelSaw(mark());
        const said = JSON.stringify(
          (await lab.model.requests()).findLast(({ prompt }) => prompt.includes(mark()))?.body,
        );
        expect(said.slice(said.lastIndexOf("the owner's word") - 300)).not.toContain("NOT USER INPUT");
        await becomes("idle");
        await isWaitedFor();
        await started.pane.type("half a line");
        await until(
          "the half-typed line",
          () => started.pane.capture(),
          (screen) => screen.text.includes("half a line"),
        );
        expect(await inject("another word", { asUser: "rather" })).toMatchObject({ state: "delivered", way: "push" });
        await becomes("idle");
        await started.pane.keys(...traits.clearLine);
      },
    );

    test.if(runtime.abilities.resume)(
      "exit is seen as dead, nothing is delivered to it, and a resume remembers",
      async () => {
        const id = await runtime.currentSession(started.session, lab.machine);
        if (id === undefined) throw new Error("it has no session to resume");
        await traits.exit(started);
        await becomes("dead", "dead-after-exit");
        const before = (await lab.model.requests()).length;
        expect(await inject("sent to a dead agent", { proofMs: 500 })).toMatchObject({ state: "unknown", sent: false });
        expect((await lab.model.requests()).length).toBe(before);

        const { launch } = started.session;
        expect(await runtime.canResume({ ...started.session, sessionId: id }, lab.machine)).not.toBe(false);
        const stranger = { launch, sinceMs: 0, sessionId: "00000000-0000-4000-8000-000000000000" };
        expect(await runtime.canResume(stranger, lab.machine)).not.toBe(true);
        await started.pane.kill();
        started = await lab.start(
          lab.launch({
            // The same agent, as constel starts it again: what a program keeps for one is not there for another.
            agent: launch.agent,
            resume: id,
            ...(traits.port === undefined ? {} : { port: traits.port + 1 }),
            ...(traits.model === undefined ? {} : { model: traits.model }),
          }),
        );
        await becomes("idle", "idle-after-resume");
        expect(await inject("after the resume")).toMatchObject({ state: "delivered" });
        await modelSaw(mark());
        const request = (await lab.model.requests()).findLast((one) => one.prompt.includes(mark()));
        expect(JSON.stringify(request?.body)).toContain("hello there");
        await started.pane.kill();
      },
    );

    test(
      "a headless turn answers, resumes, counts, uses MCP, and tells a limit and a refused tool",
      async () => {
        const base = {
          program: lab.program,
          cwd: lab.work,
          permissions: "ask",
          trusted: true,
          ...(traits.model === undefined ? {} : { model: traits.model }),
        } as const;
        const take = async (turn: { prompt: string; resume?: string; mcp?: NonNullable<Turn["mcp"]> }) => {
          const command = runtime.headless({ ...base, ...turn });
          const outcome = await lab.machine.processes.run(command.argv, {
            cwd: lab.work,
            env: { ...lab.machine.env, ...command.env },
            stdin: command.stdin,
            // Long enough for a slow start; some programs try again for ever when they are refused.
            deadlineMs: traits.slowMs,
          });
          const stdout = new TextDecoder().decode(outcome.stdout);
          return runtime.parseHeadless(stdout, outcome.stderr, outcome.code, Date.now());
        };
        const first = await take({ prompt: "count the tokens" });
        expect(first).toMatchObject({ ok: true, text: "counted" });
        const session = {
          launch: lab.launch(),
          sinceMs: 0,
          ...(first.sessionId === undefined ? {} : { sessionId: first.sessionId }),
        };
        const usage = first.usage.length > 0 ? first.usage : await runtime.usage(session, lab.machine);
        expect(usage).toHaveLength(1);
        expect(usage[0]).toMatchObject({ input: 111, output: 22, cacheRead: 33 });
        const again = await take({
          prompt: "and again",
          ...(first.sessionId === undefined ? {} : { resume: first.sessionId }),
        });
        expect(again).toMatchObject({ ok: true, text: "default answer" });
        const resumed = (await lab.model.requests()).findLast((one) => one.prompt.includes("and again"));
        expect(JSON.stringify(resumed?.body)).toContain("count the tokens");
        if (runtime.abilities.mcp) {
          const server = { command: "node", args: [join(import.meta.dir, "mcp-echo.mjs")] };
          expect((await take({ prompt: "use the echo", mcp: { tracker: server } })).text).toContain("echoed: over MCP");
        }
        const refused = await take({ prompt: "run a risky command" });
        if (traits.tellsDenied) expect(refused.denied).toEqual(["Bash"]);
        await lab.model.setRules(limitedRules);
        const limited = await take({ prompt: "hit the limit" });
        expect(limited).toMatchObject({ ok: false });
        expect(limited.limit?.untilMs ?? 0).toBeGreaterThan(Date.now());
        const lost = await take({ prompt: "hello", resume: "00000000-0000-4000-8000-000000000000" });
        expect(lost).toMatchObject({ ok: false, error: expect.stringMatching(/./) });
      },
      traits.slowMs * 6,
    );
  });
}

function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-6).join("\n");
}

/** With CONSTEL_RECORD_FIXTURES set, what was seen is kept beside the adapter, for its status tests. */
function record(name: string, fixture: string, lab: Lab, evidence: Evidence, status: AgentStatus): void {
  if (process.env["CONSTEL_RECORD_FIXTURES"] === undefined) return;
  const directory = join(import.meta.dir, "..", "..", "..", "src", "host", "runtime", name, "fixtures");
  mkdirSync(directory, { recursive: true });
  const kept = {
    expect: status.state,
    evidence: { ...evidence, rows: evidence.rows.slice(-8), hooks: evidence.hooks.slice(-12) },
  };
  writeFileSync(
    join(directory, `${fixture}.json`),
    `${JSON.stringify(kept, null, 1).replaceAll(lab.directory, "/lab")}\n`,
  );
}
