// The row of Python: combinations and random projects, judged by running them.

import { join } from "node:path";
import type { Tally } from "../../../../eval/judge-scenarios.ts";

/** Runs semantic-python.ts and adds up what it prints; undefined without python3, which is the judge. */
export async function measurePython(quick: boolean): Promise<{ readonly tally: Tally } | undefined> {
  if (Bun.which("python3") === null) return undefined;
  const script = join(import.meta.dir, "../../../../eval/semantic-python.ts");
  const flags = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
  const child = Bun.spawn([process.execPath, ...flags, script, "--random", quick ? "60" : "400"], { stdout: "pipe" });
  const printed = await new Response(child.stdout).text();
  const tally: Tally = { cases: 0, right: 0, wrong: 0, missed: 0 };
  for (const line of printed.matchAll(/(\d+) scenarios,.*right (\d+), false alarms (\d+), missed (\d+)/g)) {
    const [cases = 0, right = 0, wrong = 0, missed = 0] = line.slice(1).map(Number);
    tally.cases += cases;
    tally.right += right;
    tally.wrong += wrong;
    tally.missed += missed;
  }
  if (tally.cases === 0) throw new Error(`semantic-python.ts said nothing that can be read: ${printed.slice(-500)}`);
  return { tally };
}
