// Claude Code and Codex through the whole of constel: started by `constel agent`, seen by the daemon, given a message from the
// bus, its tokens counted. The scripted model's log is the witness.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { codex } from "../../../src/host/runtime/codex/codex.ts";
import { rowsOf } from "../../kit/rows-of.ts";
import { homes } from "./homes.ts";
import { Lab, until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { rules } from "./rules.ts";

const top = join(import.meta.dir, "..", "..", "..");
const everyDeath = process.env["CONSTEL_ALL_KILLS"] === "1";

const daemonOf = (home: string): number =>
  (JSON.parse(readFileSync(join(home, "state/daemon.json"), "utf8")) as { pid: number }).pid;
const parentOf = (pid: number): number =>
  Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? 0);

for (const runtime of [claude, codex]) {
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
    describe.skip(`${runtime.name}: SKIPPED, ${program.missing}`, () => {
      test("through constel", () => {});
    });
    continue;
  }

  describe(`${runtime.name} through constel`, () => {
    let lab: Lab;

    const constel = async (words: readonly string[], fails = false): Promise<string> => {
      const env = { ...lab.machine.env, CONSTEL_HOME: lab.constel, CONSTEL_ROOT: lab.work, TMUX_TMPDIR: lab.directory };
      const child = Bun.spawn([join(top, "bin/constel"), ...words], {
        cwd: lab.work,
        env,
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      if (code !== 0 && !fails) throw new Error(`constel ${words.join(" ")} ended with ${code}: ${err}${out}`);
      return out;
    };
    const query = async (sql: string): Promise<Record<string, unknown>[]> => rowsOf(join(lab.constel, "meta.db"), sql);
    /** The scripted model goes by the user's words; a plain message may come to it as a notice from the side. */
    const send = async (text: string, kind = "note"): Promise<string> =>
      (JSON.parse(await constel(["channel", "send", "agent1", text, "--kind", kind, "--json"])) as { id: string }).id;
    const delivered = (id: string) =>
      until(
        `${id} delivered`,
        async () => (await query(`select state, because from messages where message_id = '${id}'`))[0],
        (row) => row?.["state"] === "delivered",
        60_000,
      );
    /** Delivered means that the program's own transcript has the turn; its request to the model goes out a moment later. */
    const modelSaw = (id: string) =>
      until(
        `${id} in the model's log`,
        () => lab.model.saw(`[constel:${id}]`),
        (count) => count > 0,
        60_000,
      );
    const becomes = (state: string, evidence?: string) =>
      until(
        state,
        async () => (await query("select state, evidence from clones_now where agent = 'agent1'"))[0],
        (row) => row?.["state"] === state && (evidence === undefined || row["evidence"] === evidence),
        60_000,
      );

    beforeAll(async () => {
      const home = homes[runtime.name];
      if (home === undefined) throw new Error(`no test home for ${runtime.name}`);
      lab = await Lab.open(runtime, program.path, home, { isolate: true });
      mkdirSync(lab.constel, { recursive: true });
      await lab.model.setRules(rules);
      await constel(["daemon", "start"]);
      await constel(["agent", "1", "--type", runtime.name]);
    }, 120_000);
    afterAll(async () => {
      await constel(["down", "--all"], true);
      await constel(["daemon", "stop"], true);
      await lab.close();
    }, 60_000);

    test("a message to it idle is delivered, the model saw it once, and its tokens are counted", async () => {
      await becomes("idle");
      const id = await send("please count the tokens", "brief");
      expect((await delivered(id))?.["because"]).toMatch(/by transcript$/);
      await modelSaw(id);
      const [row] = await until(
        "tokens counted",
        () =>
          query("select sum(input) as input, sum(output) as output, sum(cache_read) as cache_read from token_usage"),
        ([sum]) => Number(sum?.["output"]) >= 22,
        60_000,
      );
      expect(row).toMatchObject({ output: 22, cache_read: 33 });
      await becomes("idle");
    }, 180_000);

    test("what the owner says to it idle is its user's words, not a notice that calls itself none", async () => {
      const id = await send("go on with the tests");
      await delivered(id);
      await modelSaw(id);
      const heard = (await lab.model.requests()).find(({ body }) => JSON.stringify(body).includes(`[constel:${id}]`));
      expect(heard?.prompt).toContain("from the owner");
      expect(JSON.stringify(heard?.body)).not.toContain("NOT USER INPUT");
      await becomes("idle");
    }, 180_000);

    test("messages to it busy arrive once it can take them, in order, each once", async () => {
      const first = await send("please hold gate", "brief");
      await delivered(first);
      await becomes("busy");
      const second = await send("while you are busy");
      const third = await send("and one more");
      await until(
        "busy has been seen for a while",
        () => constel(["agent", "show", "1"]),
        (text) => text.includes("waiting") || text.includes("delivered"),
      );
      await lab.model.release("gate");
      for (const id of [second, third]) await delivered(id);
      for (const id of [first, second, third]) await modelSaw(id);
      await becomes("idle");
      const last = JSON.stringify((await lab.model.requests()).findLast(({ side }) => !side)?.body);
      // Each once in the conversation, in the order of sending.
      const places = [first, second, third].map((id) => last.split(`[constel:${id}]`).map((part) => part.length));
      expect(places.map((parts) => parts.length)).toEqual([2, 2, 2]);
      const starts = places.map(([before = 0]) => before);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    }, 180_000);

    // The program alone, or with CONSTEL_ALL_KILLS=1 whatever else can die too: each costs a start of the real program.
    const alone = ["its program"] as const;
    const deaths = [...alone, "the daemon", "the ticker", "the terminals' server", "all at once"] as const;
    const comesBack = async (death: (typeof deaths)[number], round: number): Promise<void> => {
      const { agents: listed } = JSON.parse(await constel(["agents", "--json"], true)) as {
        agents: { agent: string; pid: number }[];
      };
      const pidOf = (agent: string): number => listed.find((one) => one.agent === agent)?.pid ?? 0;
      const agent = pidOf("agent1");
      const parts: readonly (readonly [death: string, pid: number])[] = [
        ["its program", agent],
        ["the daemon", daemonOf(lab.constel)],
        ["the ticker", pidOf("agentticker")],
        ["the terminals' server", parentOf(agent)],
      ];
      for (const [name, pid] of parts) if (death === name || death === "all at once") process.kill(pid, "SIGKILL");
      if (death === "its program") await becomes("dead");
      for (const nth of ["first", "second"])
        await until(
          `the ${nth} tick has its turn: the ticker's own may be under way`,
          () => constel(["watchdog", "tick", "--json"], true),
          (answer) => answer.includes('"ticked":true') && !answer.includes("restarted a moment ago"),
        );
      const isTouched = death !== "the daemon" && death !== "the ticker";
      const handoffs = await until(
        `every handoff is delivered after the death of ${death}`,
        () => query("select message_id, state from messages where kind = 'handoff' and receiver = 'agent1'"),
        (all) => all.length === round + (isTouched ? 1 : 0) && all.every(({ state }) => state === "delivered"),
        120_000,
      );
      for (const { message_id: id } of handoffs) await modelSaw(String(id));
      await becomes("idle");
      const { agents: after } = JSON.parse(await constel(["agents", "--json"])) as {
        agents: { agent: string; pid: number; runtime: string }[];
      };
      const now = after.find((one) => one.agent === "agent1");
      expect([death, now?.runtime, now?.pid === agent]).toEqual([death, runtime.name, !isTouched]);
    };

    test("killed, it comes back within two ticks, in the same conversation, and is handed what it had in hand", async () => {
      if (everyDeath) await constel(["up", "1", "--type", runtime.name, "--no-attach"], true);
      let handoffs = 0;
      for (const death of everyDeath ? deaths : alone) {
        await comesBack(death, handoffs);
        if (death !== "the daemon" && death !== "the ticker") handoffs += 1;
      }
      // Of this agent's conversation: others may run on the same model.
      const bodies = (await lab.model.requests()).filter(({ side }) => !side).map(({ body }) => JSON.stringify(body));
      const last = bodies.findLast((body) => body.includes("You are agent1, started again"));
      for (const part of ["please count the tokens", "ended by signal 9"]) expect(last).toContain(part);
      const restarted = await until(
        "what was done is on the watchdog's log",
        () => query("select data from watchdog_events where event = 'agent.restarted' and agent = 'agent1'"),
        ({ length }) => length >= handoffs,
        60_000,
      );
      for (const { data } of restarted) expect(String(data)).toMatch(/"resumed":"[0-9a-f-]{36}"/);
    }, 600_000);

    test("it is dead when it is down, and its session has ended", async () => {
      await constel(["down", "agent1"]);
      // That its program has ended may be seen a moment before that this is as wanted.
      await becomes("dead", "it is down, as wanted");
      // The one that was killed, and the one that came back.
      const sessions = await query("select ended_ms is not null as ended from sessions where agent = 'agent1'");
      expect(sessions).toEqual(Array.from({ length: everyDeath ? 4 : 2 }, () => ({ ended: 1 })));
    }, 60_000);
  });
}
