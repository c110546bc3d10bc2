// The real programs, at the pinned versions, or the reason why a lane cannot run.

import { join } from "node:path";

const top = join(import.meta.dir, "..", "..", "..");

/** The executable, or why there is none, which is also said aloud. Fetches it into the cache the first time. */
export function programOf(name: string): { path: string } | { missing: string } {
  const found = find(name);
  if ("missing" in found) process.stderr.write(`\n*** ${name} lane SKIPPED: ${found.missing}\n\n`);
  return found;
}

function find(name: string): { path: string } | { missing: string } {
  for (const tool of ["tmux", "git", "node"])
    if (Bun.which(tool) === null) return { missing: `${tool} is not installed` };
  const outcome = Bun.spawnSync(["sh", join(top, "scripts", "agent-programs.sh"), name], { stderr: "inherit" });
  const path = outcome.stdout.toString().split("\t")[1]?.trim();
  return outcome.exitCode === 0 && path !== undefined ? { path } : { missing: `${name} could not be had (see above)` };
}
