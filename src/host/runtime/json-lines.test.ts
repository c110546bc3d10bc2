import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { bytesFrom, tailLines } from "./json-lines.ts";

test("whole lines are read from where they are asked for; what is not there, or is no file, has none", () => {
  using at = temporaryDirectory("json-lines");
  const path = join(at.path, "file.jsonl");
  writeFileSync(path, "first\nsecond\nthi");
  expect(tailLines(path, 1_000)).toEqual(["first", "second"]);
  expect(tailLines(path, 10)).toEqual([]);
  expect(bytesFrom(path, 6).toString()).toBe("second\nthi");
  for (const name of ["missing", "file.jsonl/below", "."]) expect(bytesFrom(join(at.path, name), 0)).toHaveLength(0);
});

test("a named pipe in the place of a transcript is passed over, not waited for", () => {
  using at = temporaryDirectory("json-lines");
  const pipe = join(at.path, "transcript.jsonl");
  Bun.spawnSync(["mkfifo", pipe]);
  // In a process of its own: one that waits there cannot even be told that its time is over.
  const script = `import { tailLines } from ${JSON.stringify(join(import.meta.dir, "json-lines.ts"))}; console.log(tailLines(${JSON.stringify(pipe)}, 1000).length);`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script], { timeout: 20_000 });
  expect(stdout.toString()).toBe("0\n");
});
