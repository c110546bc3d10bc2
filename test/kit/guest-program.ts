// Stands in for an agent program that a person started: runs its hook for each line it is given and passes on what the hook said.
// argv: constel.

import process from "node:process";

const [, , constel = ""] = process.argv;

for await (const line of console) {
  const hook = Bun.spawnSync(["sh", "-c", `cd /; exec "$0" hook claude --guest`, constel], {
    stdin: new TextEncoder().encode(line),
  });
  process.stdout.write(`${JSON.stringify({ code: hook.exitCode, says: hook.stdout.toString() })}\n`);
}
