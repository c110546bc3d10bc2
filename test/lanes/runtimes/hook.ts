// The hook of the lane: what `constel hook <runtime>` does with the record, and nothing else. Exits 0 whatever happens.
// argv: the runtime's name.

import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { runtimeNamed } from "../../../src/host/runtime/all.ts";
import { hookFile } from "../../../src/host/runtime/hook-records.ts";

try {
  const payload: unknown = JSON.parse(await Bun.stdin.text());
  const record = runtimeNamed(process.argv[2] ?? "")?.hookRecord(payload, Date.now());
  const { CONSTEL_HOME: home, CONSTEL_AGENT: agent } = process.env;
  if (record !== undefined && home !== undefined && agent !== undefined) {
    const file = hookFile(home, agent);
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `${JSON.stringify(record)}\n`);
  }
} catch {
  // a hook never breaks its agent
}
process.exit(0);
