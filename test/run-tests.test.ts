// The runner of the tests itself, on planted files: what fails stays red, what stands still is ended, and nothing is passed over.

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "./kit/directory.ts";

const top = join(import.meta.dir, "..");

interface Told {
  readonly code: number;
  readonly text: string;
  readonly closing: string;
}

async function runPlanted(files: Readonly<Record<string, string>>): Promise<Told> {
  using directory = temporaryDirectory("run-tests");
  const place = directory.path;
  const [reports, tests] = [join(place, "reports"), join(place, "tests")];
  for (const path of [reports, tests]) mkdirSync(path);
  for (const [name, body] of Object.entries(files))
    writeFileSync(
      join(tests, `${name}.test.ts`),
      `import { existsSync, writeFileSync } from "node:fs";
import { expect, test } from "bun:test";
const isFirst = !existsSync(${JSON.stringify(join(place, name))});
writeFileSync(${JSON.stringify(join(place, name))}, "");
test("${name}", () => { ${body} });\n`,
    );
  const bun = (...words: string[]) =>
    Bun.spawn([process.execPath, "--no-env-file", "--config=/dev/null", ...words], {
      cwd: top,
      stdout: "pipe",
      stderr: "pipe",
    });
  const runner = bun("scripts/run-tests.ts", "--reports", reports, "--silence", "3000", tests);
  const [text, code] = [await new Response(runner.stdout).text(), await runner.exited];
  const written = [...new Bun.Glob("*").scanSync(reports)].map((name) => join(reports, name));
  const closing = await new Response(bun("scripts/closing-line.ts", ...written).stdout).text();
  return { code, text, closing };
}

const standsStill = "for (;;) {}";

test("a file that stands still is ended and run again; its second result counts", async () => {
  const told = await runPlanted({ fine: "expect(1).toBe(1);", stopped: `if (isFirst) ${standsStill}` });
  expect(told).toMatchObject({ code: 0, closing: "2 passed, 0 failed\n" });
  expect(told.text).toMatch(/stopped\.test\.ts said nothing for 3 s and was ended/);
});

test("a file that fails is run again alone; both results are told", async () => {
  const told = await runPlanted({ fine: "expect(1).toBe(1);", once: "expect(isFirst).toBe(false);" });
  expect(told).toMatchObject({ code: 0, closing: "2 passed, 0 failed\n" });
  expect(told.text).toMatch(/once\.test\.ts did not pass beside others; alone it passed/);
});

test("what fails twice, or stands still twice, is red", async () => {
  const red = await runPlanted({ fine: "expect(1).toBe(1);", red: "expect(1).toBe(2);" });
  expect(red.code).toBe(1);
  expect(red.closing).toMatch(/1 passed, 1 failed\n$/);
  const still = await runPlanted({ fine: "expect(1).toBe(1);", stopped: standsStill });
  expect(still.code).toBe(1);
});

test("seven files that fail are no accident: they are red at once, even if each would pass alone", async () => {
  const names = ["one", "two", "three", "four", "five", "six", "seven"];
  const told = await runPlanted(Object.fromEntries(names.map((name) => [name, "expect(isFirst).toBe(false);"])));
  expect(told.code).toBe(1);
  expect(told.text).toMatch(/too many to be an accident/);
  expect(told.closing).toMatch(/0 passed, 7 failed\n$/);
});
