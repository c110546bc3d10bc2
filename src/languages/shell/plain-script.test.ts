// A command that is read without the grammar is read as the grammar reads it.

import { expect, test } from "bun:test";
import { randomFrom } from "../../core/schedules/random.suite.ts";
import { loadShellParser } from "./load-shell-parser.ts";
import { plainScript } from "./plain-script.ts";

const words =
  "git push origin main ls -la --force a.b/c ./x /usr/bin/git +x 12 1.5 -1 time if then do in let export unset local user@host:x 50% a,b _ . / : test true [ a=b ~ * ? $x 'q' \\a # { } ! && ; é coproc select function".split(
    " ",
  );

test("it is what the grammar says, or the grammar is asked", async () => {
  const parse = await loadShellParser();
  const random = randomFrom("plain words");
  const pick = (): string => words[Math.floor(random() * words.length)] ?? "";
  let plain = 0;
  for (let round = 0; round < 3_000; round++) {
    const source = Array.from({ length: 1 + Math.floor(random() * 4) }, pick).join(random() < 0.95 ? " " : "  ");
    const read = plainScript(source);
    if (read === undefined) continue;
    plain += 1;
    expect([source, read]).toEqual([source, parse(source) as typeof read]);
  }
  expect(plain).toBeGreaterThan(200);
});
