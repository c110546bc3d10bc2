import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePipe } from "../../../test/bus-kit.ts";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { signingKey } from "./key-files.ts";
import { sealedBy, sealerOf } from "./seals.ts";

test("a key file that is a pipe is no key, and nobody waits for it", async () => {
  using directory = temporaryDirectory("seals");
  signingKey(directory.path, "agent1", new FakeClock());
  const line = sealerOf(directory.path, "agent1")?.seal('{"a":1}') ?? "";
  expect(sealedBy(directory.path, line, ["agent1"])).toBe("agent1");
  makePipe(join(directory.path, "keys/agent2.key"));
  // In a process of its own: whoever read the pipe would wait for ever.
  const script = `const { sealerOf, sealedBy } = await import(${JSON.stringify(join(import.meta.dir, "seals.ts"))});
    console.log(sealerOf(${JSON.stringify(directory.path)}, "agent2"), sealedBy(${JSON.stringify(directory.path)}, ${JSON.stringify(line)}, ["agent2", "agent1"]));`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", timeout: 20_000, killSignal: "SIGKILL" });
  expect((await new Response(child.stdout).text()).trim()).toBe("undefined agent1");
});

test("a ring that is a pipe excuses nobody from sealing, and nobody waits for it", async () => {
  using directory = temporaryDirectory("seals");
  signingKey(directory.path, "agent1", new FakeClock());
  rmSync(join(directory.path, "keys/ring.jsonl"));
  makePipe(join(directory.path, "keys/ring.jsonl"));
  const script = `const { isSealed } = await import(${JSON.stringify(join(import.meta.dir, "seals.ts"))});
    console.log(isSealed(${JSON.stringify(directory.path)}, "agent2"));`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", timeout: 20_000, killSignal: "SIGKILL" });
  expect((await new Response(child.stdout).text()).trim()).toBe("true");
});

test("a secret that is too short, or none, seals nothing", () => {
  using directory = temporaryDirectory("seals");
  signingKey(directory.path, "agent1", new FakeClock());
  for (const file of ["", "{}", '{"seal":"short"}', '{"seal":7}']) {
    writeFileSync(join(directory.path, "keys/agent3.key"), file);
    expect(sealerOf(directory.path, "agent3")).toBeUndefined();
  }
  expect(sealerOf(directory.path, "../agent1")).toBeUndefined();
});
