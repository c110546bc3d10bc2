// Random histories, ten rounds of each seed: three seeds, six with bin/check --all. CONSTEL_LANDING_ROUNDS and CONSTEL_FIRST_SEED make the long run:
//
//   CONSTEL_LANDING_ROUNDS=2000 CONSTEL_FIRST_SEED=1000 bin/check test src/core/tasks/landing/landing-histories.test.ts

import { expect, test } from "bun:test";
import { seededRandom } from "../../../ports/fake-clock.ts";
import { type HistoryAccount, LandingHistory } from "./landing-histories.suite.ts";
import { TaskScene, withTasks } from "../tasks.suite.ts";

const here = withTasks();
const roundsEach = 10;
const rounds = Number(process.env["CONSTEL_LANDING_ROUNDS"] ?? (process.env["CONSTEL_CHECK_ALL"] === "yes" ? 60 : 30));
const firstSeed = Number(process.env["CONSTEL_FIRST_SEED"] ?? 1);
const account: HistoryAccount = { rounds: 0, landed: 0, sentBack: 0, notes: 0, takenBack: 0, acts: {} };

for (let seed = firstSeed; seed < firstSeed + rounds / roundsEach; seed++) {
  test(`whatever happens to tasks and to main, what is called landed reads on main, and nothing else does (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const scene: TaskScene = here.scene;
    const history = new LandingHistory(scene, (count) => Math.floor(random.fraction() * count), account);
    for (let round = 0; round < roundsEach; round++) await history.round();
    expect(account.rounds).toBeGreaterThan(0);
    if (process.env["CONSTEL_LANDING_ROUNDS"] !== undefined)
      process.stdout.write(`seed ${seed} ${JSON.stringify(account)}\n`);
  }, 600_000);
}
