// A command that is read without the grammar is read as the grammar reads it.

import { expect, test } from "bun:test";
import { randomFrom } from "../../core/schedules/random.suite.ts";
import { loadShellParser } from "./load-shell-parser.ts";
import { plainScript } from "./plain-script.ts";

const words =
  "git push origin main ls -la --force a.b/c ./x /usr/bin/git +x 12 1.5 -1 time if then do in let export unset local user@host:x 50% a,b _ . / : test true [ a=b ~ * ? $x 'q' \\a # { } ! && ; é coproc select function".split(
    " ",
  );
const plain = "git push origin main ls -la a.b/c ./x cd 12 50% a=b --x=y -C -- user@host:x".split(" ");
const quotes = [
  `'a b'`,
  `"c d"`,
  `"$PWD"`,
  `"$PWD/x y"`,
  `x"y z"'w'`,
  `--m="a $B c"`,
  `""`,
  `''`,
  `"  "`,
  `"a;b|c&&d"`,
  `'$x'`,
  `"$"`,
  `"$x[1]"`,
  `"\${x}"`,
  `"$(x)"`,
  `"$1"`,
  `'"'`,
  `"'"`,
  `"!"`,
  `'!'`,
  `"$x:y"`,
  `"a$x$y b"`,
  `~/x`,
  `"~"`,
  `x~`,
  `a"$x"=b`,
  `'a'=b`,
  `"time"`,
  `'if'`,
  `=x`,
  `-`,
  `"-"`,
  `"#"`,
  `x#y`,
  `$'x'`,
  `$"x"`,
  `a''`,
  `"" ""`,
];
const joins = [" && ", " && ", " && ", " | ", " | ", " || ", "; ", " ; ", "&&", ";", " & ", " |& ", " &&  ", " ;; "];
const redirections =
  "2>&1,2>&1,> x,>x,>> y,2>/dev/null,< z,&> w,>& v,2>&-,<<< q,> 'a b',> \"$x\",3>x,>|x,<>x,> -,>1,1>2,2> 1".split(",");

test("it is what the grammar says, or the grammar is asked", async () => {
  const parse = await loadShellParser();
  const random = randomFrom("plain words");
  const pick = (all: readonly string[]): string => all[Math.floor(random() * all.length)] ?? "";
  const compared = (source: string): boolean => {
    const read = plainScript(source);
    if (read !== undefined) {
      const whole = parse(source) as typeof read;
      // Pipelines are all that the grammar hangs together oddly.
      const steps = whole.steps ?? (source.includes("|") ? read.steps : undefined);
      expect([source, read]).toEqual([source, { ...whole, steps }]);
    }
    return read !== undefined;
  };
  let simple = 0;
  for (let round = 0; round < 3_000; round++) {
    const all = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(words));
    simple += Number(compared(all.join(random() < 0.95 ? " " : "  ")));
  }
  expect(simple).toBeGreaterThan(200);
  const command = (): string => {
    const name = random() < 0.95 ? pick(["git", "cd", "./x", "ls", "a.b"]) : pick([...quotes, ...words]);
    const kinds = random() < 0.6 ? [plain, plain, quotes] : [plain];
    const rest = Array.from({ length: Math.floor(random() * 3) }, () => pick(pick2(kinds)));
    const ends = random() < 0.3 ? [pick(redirections)] : [];
    return [name, ...rest, ...ends, ...(random() < 0.05 ? [pick([...redirections, ...plain])] : [])].join(" ");
  };
  const pick2 = (all: readonly (readonly string[])[]): readonly string[] =>
    all[Math.floor(random() * all.length)] ?? [];
  let lists = 0;
  for (let round = 0; round < Number(process.env["CONSTEL_SHELL_ROUNDS"] ?? 3_000); round++) {
    let source = command();
    for (let more = Math.floor(random() * 4); more > 0; more--) source += pick(joins) + command();
    lists += Number(compared(source));
  }
  expect(lists).toBeGreaterThan(800);
});
