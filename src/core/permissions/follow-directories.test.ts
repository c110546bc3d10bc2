// Checks that the directory where a real bash runs each part of a command is among the places given for that part.

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeFacts } from "../../host/shell/place-facts.ts";
import { readShell } from "../../languages/shell/read-shell.ts";
import type { ShellScript } from "../../protocol/shell-script.ts";
import { randomFrom } from "../schedules/random.suite.ts";
import { followDirectories } from "./follow-directories.ts";

const parse = readShell;
let top: string;
let from: string;
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "constel-follow-")));
  from = join(top, "from");
  for (const name of ["bin", "from/a/b", "from/c", "away/d"]) mkdirSync(join(top, name), { recursive: true });
  symlinkSync(join(top, "away/d"), join(from, "link"));
  symlinkSync("../c", join(from, "a/sub"));
  // Says which command it is, and where it stands.
  writeFileSync(join(top, "bin/say"), '#!/bin/sh\necho "$1 $(pwd -P)" >>"$RAN"\n');
  for (const [name, code] of Object.entries({ yes: 0, no: 1 }))
    writeFileSync(join(top, "bin", name), `#!/bin/sh\nexit ${code}\n`);
  for (const name of ["say", "yes", "no"]) chmodSync(join(top, "bin", name), 0o700);
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const bash = Bun.which("bash") ?? "/bin/bash";
let runs = 0;

/** Runs a script and returns what ran: the number of each command, and its directory. */
function ran(source: string): (readonly [number: string, place: string])[] {
  const log = join(top, `ran-${runs++}`);
  writeFileSync(log, "");
  const env = { PATH: join(top, "bin"), HOME: from, RAN: log };
  Bun.spawnSync([bash, "--norc", "--noprofile", "-c", source], { cwd: from, env, stdin: "ignore", timeout: 5000 });
  const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const);
}

/** Returns what bash did in a place that was not given, and how many places were given for what it ran. */
function compare(source: string, script: ShellScript): { readonly wrong: unknown[]; readonly said: number } {
  const { commands, redirects } = followDirectories(script, [from], placeFacts.resolve);
  expect([source, commands.length, redirects.length]).toEqual([
    source,
    script.commands.length,
    script.redirects.length,
  ]);
  let said = 0;
  const wrong = ran(source).filter(([number, place]) => {
    const at = script.commands.findIndex(({ words }) => words[1]?.text === number);
    said += commands[at]?.length ?? 0;
    return commands[at]?.some((one) => placeFacts.resolve(one) === place) !== true;
  });
  return { wrong, said };
}

test("bash runs nothing in a place that was not said, whatever is put together", () => {
  const random = randomFrom("where it stands");
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const directories = ["a", "b", "c", "..", "a/b", "../from", "nowhere", "link", "a/sub", "sub", "./a/..", from];
  const joins = [" && ", " && ", " && ", "; ", "; ", "\n", " || ", " | ", " & "];
  let number = 0;
  const say = (): string => `say n${number++}`;
  const part = (): string =>
    pick([
      () => `cd ${pick(directories)}`,
      () => `cd ${pick(directories)}`,
      say,
      say,
      () => pick(["yes", "no"]),
      () => `${say()} > /dev/null`,
      () => `! cd ${pick(directories)}`,
      () => `{ cd ${pick(directories)}; ${say()}; }`,
      () => `(cd ${pick(directories)} && ${say()})`,
      () => `if cd ${pick(directories)}; then ${say()}; fi`,
      () => `cd ${pick(directories)} > /dev/null`,
    ])();
  let seen = 0;
  for (let round = 0; round < 500; round++) {
    let source = part();
    for (let more = 1 + Math.floor(random() * 5); more > 0; more--) source += pick(joins) + part();
    source += `${pick([" && ", "; "])}${say()}`;
    const script = parse(source);
    if ("unreadable" in script || script.unclear.length > 0) continue;
    const { wrong, said } = compare(source, script);
    expect([source, wrong]).toEqual([source, []]);
    seen += said;
  }
  expect(seen).toBeGreaterThan(500);
}, 120_000);

test("what `&&` joins to a way stands where it leads and nowhere else; after `;` it may have stayed", () => {
  const places = (source: string): string[][] => {
    const script = parse(source);
    if ("unreadable" in script) throw new Error(script.unreadable);
    const { commands, redirects } = followDirectories(script, ["/w"], (path) => path);
    return [...commands, ...redirects].map((all) => [...all]);
  };
  expect(places("x && cd a && y")).toEqual([["/w"], ["/w"], ["/w/a"]]);
  expect(places("x; cd a && y > f; z")).toEqual([["/w"], ["/w"], ["/w/a"], ["/w/a", "/w"], ["/w/a"]]);
  expect(places("cd a; y")).toEqual([["/w"], ["/w/a", "/w"]]);
  expect(places("cd a && cd b && y")).toEqual([["/w"], ["/w/a"], ["/w/a/b"]]);
  expect(places("x || cd a && y")).toEqual([
    ["/w", "/w/a"],
    ["/w", "/w/a"],
    ["/w", "/w/a"],
  ]);
});
