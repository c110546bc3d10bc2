// Stands in for an agent program that a person started: runs its hook for each line it is given and passes on what the hook said. A line
// of words is a command that its model runs, one with `sh` a script of its model's. argv: constel.

import process from "node:process";

const [, , constel = ""] = process.argv;

for await (const line of console) {
  const given = JSON.parse(line) as Record<string, unknown> | string[];
  const script = Array.isArray(given) ? undefined : given["sh"];
  const words = Array.isArray(given)
    ? [constel, ...given]
    : ["sh", "-c", typeof script === "string" ? script : `cd /; exec "$0" hook claude --guest`, constel];
  const hook = Bun.spawnSync(words, { stdin: new TextEncoder().encode(line) });
  process.stdout.write(`${JSON.stringify({ code: hook.exitCode, says: hook.stdout.toString() })}\n`);
}
