// A forge's command, as an owner would write one: it speaks to the double by GitHub's interface, and says what it heard in the
// words that host/forge/command expects. `bun command.ts API TOKEN-FILE OPERATION`, with JSON on standard input.

import { readFileSync } from "node:fs";
import { ForgeClient } from "../../../src/host/forge/client.ts";
import { githubForge } from "../../../src/host/forge/github/github.ts";
import { Refusal } from "../../../src/protocol/errors.ts";

const [api = "", file = "", operation = ""] = process.argv.slice(2);
const wish = JSON.parse(await Bun.stdin.text()) as Record<string, string> & { number: number };
const client = new ForgeClient({
  api,
  host: "double",
  clock: { nowMs: Date.now, sleep: (ms) => Bun.sleep(ms) },
  headers: async () => ({ authorization: `Bearer ${readFileSync(file, "utf8").trim()}` }),
});
const forge = githubForge(client, { kind: "github", host: "double", api, repository: wish["repository"] ?? "" });

const operations: Record<string, () => Promise<unknown>> = {
  find: async () => (await forge.find(wish["branch"] ?? "")) ?? null,
  open: () => forge.open(wish as never),
  update: () => forge.update(wish.number, wish as never),
  async state() {
    const { isQueued, endedBy, ...state } = await forge.state(wish.number);
    return { ...state, queued: isQueued, ended_by: endedBy };
  },
  remarks: () => forge.remarks(wish.number),
  merge: () => forge.merge(wish.number, wish as never),
  close: () => forge.close(wish.number),
  "open-pulls": () => forge.openPulls(),
  comment: () => forge.putComment((wish["on"] ?? "pull") as "pull", wish.number, wish as never),
  issues: () => forge.issues(wish as never),
  issue: async () => (await forge.issue(wish.number)) ?? null,
  checks: () => forge.checks(wish["commit"] ?? ""),
};

try {
  process.stdout.write(`${JSON.stringify((await operations[operation]?.()) ?? null)}\n`);
} catch (cause) {
  process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  const isExists = cause instanceof Refusal && cause.code === "forge.exists";
  if (isExists) process.stderr.write("it exists\n");
  process.exit(cause instanceof Refusal ? 3 : 1);
}
