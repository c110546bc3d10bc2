import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { limits } from "../../host/process/limit-mark.ts";

const { agent: marked } = limits();
/** As an agent's sandbox: nothing above is to be seen, and its first process has the mark as well. No control group tells whose it is. */
const limited = ["prlimit", `--msgqueue=${marked}:${marked}`];
const sandbox = limited.concat("bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc");
// Without bubblewrap and user namespaces there are no sandboxes either.
const canEnclose = process.platform === "linux" && Bun.spawnSync([...sandbox, "true"]).exitCode === 0;

function whoRunsThere(keys: readonly string[], before: readonly string[], env: Readonly<Record<string, string>> = {}) {
  using top = temporaryDirectory("who-runs");
  const home = join(top.path, "home");
  mkdirSync(join(home, "keys"), { recursive: true });
  for (const key of keys) writeFileSync(join(home, "keys", `${key}.key`), "");
  const script = `const { whoRuns } = await import(${JSON.stringify(join(import.meta.dir, "who-runs.ts"))});
    console.log(JSON.stringify(whoRuns({ home: ${JSON.stringify(home)}, agent: undefined })));`;
  const ran = Bun.spawnSync([...before, process.execPath, "-e", script], {
    env: { PATH: process.env["PATH"] ?? "", CONSTEL_HOME: home, ...env },
  });
  return JSON.parse(ran.stdout.toString()) as unknown;
}

test.skipIf(!canEnclose)("whoever sees one key from inside of a sandbox is the agent whose key it is", () => {
  const agent = { role: "clone", name: "agent1", known: "kernel: key" };
  expect(whoRunsThere(["agent1"], sandbox)).toEqual(agent);
  // A name of its own choice takes nothing away from that.
  expect(whoRunsThere(["agent1"], sandbox, { CONSTEL_AGENT: "agent0" })).toEqual(agent);
});

test("a home that has one key left, or none, is no agent's outside of a sandbox", () => {
  for (const keys of [["agent1"], []]) expect(whoRunsThere(keys, [])).not.toMatchObject({ role: "clone" });
});

test.skipIf(!canEnclose)("with other keys in sight, one key says nothing", () => {
  expect(whoRunsThere(["agent1", "agent2"], sandbox)).not.toMatchObject({ role: "clone" });
});
