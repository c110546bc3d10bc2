// Deliveries over the pipe while daemon, holder and program are killed at any moment: what constel calls delivered, the model has seen. Its log
// is the witness, asked each time that the states are looked at. CONSTEL_DELIVERIES says how many: a few in `bin/check`, and five hundred by hand
// (CONSTEL_DELIVERIES=500 bin/check test …). CONSTEL_DELIVERIES_SEED draws other moments.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readLaunch } from "../../../src/floor/agents/launch-files.ts";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { TaskLab } from "./task-lab.ts";

const top = join(import.meta.dir, "..", "..", "..");
const count = Number(process.env["CONSTEL_DELIVERIES"] ?? "20");
/** Ten at once are worked off one after another. */
const slowMs = count > 100 ? 600_000 : 120_000;
/** So many are under way at once, and one of three things is killed while they are. */
const together = count > 100 ? 10 : 5;

/** The same moments every time: a fault that was found once is found again. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const program = programOf("claude");
if ("missing" in program) {
  // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
  describe.skip(`claude: SKIPPED, ${program.missing}`, () => {
    test("deliveries under kills", () => {});
  });
} else {
  describe("deliveries to a driven claude under kills", () => {
    let here: TaskLab;
    const chance = chances(Number(process.env["CONSTEL_DELIVERIES_SEED"] ?? "20261119"));
    const constel = (...words: string[]) => here.tried([join(top, "bin/constel"), ...words]);
    const states = async (): Promise<ReadonlyMap<string, string>> => {
      const rows = await here.query("select message_id, state from messages where receiver = 'agent1'");
      return new Map(rows.map(({ message_id: id, state }) => [String(id), String(state)]));
    };
    const seen = new Set<string>();
    let looked = 0;
    /** Notes which of these the model has seen. Each request holds the conversation before it, so new ones are enough. */
    async function askTheModel(sent: readonly string[]): Promise<void> {
      const asked = await here.lab.model.requests(looked);
      looked += asked.length;
      const bodies = JSON.stringify(asked.filter(({ side }) => !side).map((one) => one.body));
      for (const id of sent) if (!seen.has(id) && bodies.includes(id)) seen.add(id);
    }
    const isOver = (state: string | undefined): boolean => state === "delivered" || state === "acked";

    async function kill(what: "daemon" | "holder" | "program"): Promise<void> {
      const holder = readLaunch(here.lab.constel, "agent1")?.leader?.pid;
      const { pid } = await here.says<{ pid?: number }>("daemon", "status");
      const children = Bun.spawnSync(["pgrep", "-P", String(holder)])
        .stdout.toString()
        .trim()
        .split("\n");
      const victim = what === "daemon" ? pid : what === "holder" ? holder : Number(children[0]);
      if (victim === undefined || !Number.isInteger(victim) || victim <= 1) return;
      try {
        process.kill(victim, "SIGKILL");
      } catch {
        return; // it had just ended by itself
      }
      if (what === "daemon") await constel("daemon", "start");
      // An operator's restart: so many in a row by the watchdog alone would end in quarantine.
      else await constel("restart", "1");
    }

    beforeAll(async () => {
      here = await TaskLab.open(claude, program.path, { slowMs });
      await here.lab.model.setRules({ default: { text: "heard" }, rules: [] });
      await here.constel("daemon", "start");
      await here.constel("agent", "1", "--type", "claude", "--driven");
      await here.becomes("idle");
    }, slowMs * 2);
    afterAll(() => here.close(), 60_000);

    test(
      `of ${count} messages none is called delivered that the model has not seen, and all arrive`,
      async () => {
        const sent: string[] = [];
        let looks = 0;
        const killed = { daemon: 0, holder: 0, program: 0 };
        const started = performance.now();
        while (sent.length < count) {
          for (let at = 0; at < together && sent.length < count; at++) {
            const { id } = JSON.parse(
              await here.constel("channel", "send", "agent1", `word ${sent.length + 1}`, "--json"),
            ) as { id: string };
            sent.push(id);
          }
          await Bun.sleep(Math.round(chance() * 800));
          const draw = chance();
          const what = draw < 0.6 ? "daemon" : draw < 0.8 ? "holder" : "program";
          await kill(what);
          killed[what] += 1;
          await until(
            `${sent.length} messages arrive`,
            async () => {
              const told = await states();
              await askTheModel(sent);
              looks += 1;
              expect(sent.filter((id) => isOver(told.get(id)) && !seen.has(id))).toEqual([]);
              return told;
            },
            (told) => sent.every((id) => isOver(told.get(id))),
            slowMs,
          );
          // Whoever runs it listens for signs of life.
          if (count > together) process.stderr.write(`${sent.length} of ${count}\n`);
        }
        const seconds = Math.round((performance.now() - started) / 1000);
        const kills = JSON.stringify(killed);
        process.stderr.write(`${sent.length} delivered in ${seconds} s; killed ${kills}; 0 false in ${looks} looks\n`);
        expect(sent).toHaveLength(count);
      },
      Math.max(slowMs * 2, count * 10_000),
    );
  });
}
