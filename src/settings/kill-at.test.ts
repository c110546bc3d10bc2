import { expect, test } from "bun:test";
import { join } from "node:path";

/** Passes `a`, `b`, `a`, `a:1` and says so after each. */
const program = `
  const { killPoint } = await import(${JSON.stringify(join(import.meta.dir, "kill-at.ts"))});
  for (const name of ["a", "b", "a", "a:1"]) { killPoint(name); require("fs").writeSync(1, name + " "); }
`;

async function run(killAt: string | undefined): Promise<[string, string | number | null]> {
  const child = Bun.spawn([process.execPath, "--no-env-file", "--config=/dev/null", "-e", program], {
    env: killAt === undefined ? {} : { CONSTEL_KILL_AT: killAt },
    stdout: "pipe",
  });
  const [said] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return [said.trim(), child.signalCode ?? child.exitCode];
}

test("a step ends the process only where the environment says so", async () => {
  expect(await run(undefined)).toEqual(["a b a a:1", 0]);
  expect(await run("")).toEqual(["a b a a:1", 0]);
  expect(await run("elsewhere")).toEqual(["a b a a:1", 0]);
  expect(await run("a")).toEqual(["", "SIGKILL"]);
  expect(await run("b")).toEqual(["a", "SIGKILL"]);
});

test("a number says at which time it ends", async () => {
  expect(await run("a:2")).toEqual(["a b", "SIGKILL"]);
  expect(await run("a:3")).toEqual(["a b a a:1", 0]);
});
