// The waiting hook of the lane: picks a message up from the agent's push inbox, prints it on stderr and exits 2, which wakes the
// program. One waiter at a time; it ends with the program that started it.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../../../src/host/runtime/alive.ts";

const directory = join(process.env["CONSTEL_HOME"] ?? "", "state", "push", process.env["CONSTEL_AGENT"] ?? "");
mkdirSync(directory, { recursive: true });
const lock = join(directory, "waiter");
if (existsSync(lock) && isAlive(Number(readFileSync(lock, "utf8")))) process.exit(0);
writeFileSync(lock, String(process.pid));

const owner = Number(process.env["CLAUDE_PID"] ?? process.ppid);
while (isAlive(owner)) {
  const [next] = readdirSync(directory)
    .filter((name) => name.endsWith(".message"))
    .sort();
  if (next !== undefined) {
    const taken = join(directory, `${next}.taken`);
    renameSync(join(directory, next), taken);
    process.stderr.write(readFileSync(taken, "utf8"));
    rmSync(taken);
    rmSync(lock);
    process.exit(2);
  }
  await Bun.sleep(100);
}
rmSync(lock, { force: true });
process.exit(0);
