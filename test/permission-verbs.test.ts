// constel's own verbs that agents may use unasked, held against the commands there are: a command or a flag that is added later is
// asked until somebody has put it into one of the lists.

import { expect, test } from "bun:test";
import { constelVerb, fileFlags, harmlessFlags, verbsOf } from "../src/core/permissions/default-constel.ts";
import { allCommands } from "../src/doors/cli/manifest/all.ts";
import { globalFlags } from "../src/doors/cli/parse.ts";

/** They run commands, write files, reach files of their own choice, or make it another constel. */
const askedFlags = ["allow-secret", "engine", "fix", "gate", "gate-command", "home", "root", "save", "set"];
/** Nobody needs these unasked, though the first word alone is allowed. */
const askedCommands = ["conflicts block", "conflicts dismiss"];

const commands = await allCommands();
const verbs = new Set((["root", "clone", "watchdog"] as const).flatMap(verbsOf));
const opinionOf = (line: string) =>
  constelVerb(
    `constel ${line}`.split(" ").map((text) => ({ source: text, text, start: text, splits: false, glob: false })),
    "clone",
  );

test("every verb that agents may use is a command", () => {
  const names = new Set(commands.map(({ name }) => name));
  expect([...verbs].filter((verb) => !names.has(verb))).toEqual([]);
});

test("every flag of such a command is known to be harmless, to name a file, or to be asked", () => {
  const flags = commands.filter(({ name }) => verbs.has(name)).flatMap(({ flags = {} }) => Object.keys(flags));
  const known = new Set([...harmlessFlags, ...fileFlags, ...askedFlags]);
  expect([...new Set([...flags, ...Object.keys(globalFlags)])].filter((flag) => !known.has(flag))).toEqual([]);
  for (const flag of askedFlags)
    expect([flag, opinionOf(`status --${flag} x`)]).toMatchObject([flag, { ask: expect.any(String) }]);
});

test("a command of two words is not allowed because of its first", () => {
  const below = commands.map(({ name }) => name).filter((name) => name.includes(" ") && !verbs.has(name));
  const allowed = below.filter((name) => "allow" in opinionOf(name));
  expect(allowed).toEqual([]);
  expect(below).toEqual(expect.arrayContaining(askedCommands));
});
