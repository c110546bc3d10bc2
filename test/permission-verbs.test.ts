// constel's own verbs that agents may use unasked, held against the commands there are: a command or a flag that is added later is
// asked until somebody has put it into one of the lists.

import { expect, test } from "bun:test";
import { constelVerb, fileFlags, harmlessFlags, verbsOf } from "../src/core/permissions/default-constel.ts";
import { allCommands } from "../src/doors/cli/manifest/all.ts";
import { globalFlags } from "../src/doors/cli/input/parse.ts";

/** They run commands, write files, judge criteria, use another account of the owner's, reach files of their own choice, or make it another constel. */
const askedFlags = [
  "accept",
  "account",
  "allow-secret",
  "as",
  "comment",
  "engine",
  "fix",
  "gate",
  "gate-command",
  "failed",
  "home",
  "model",
  "on-change",
  "open-prs",
  "out",
  "over-claim",
  "passed",
  "pr",
  "red-on",
  "root",
  "run",
  "save",
  "server",
  "set",
  "token-env",
  "until",
  "yes",
];
/** Nobody needs these unasked, though the first word alone is allowed. */
const askedCommands = [
  "approvals allow",
  "approvals deny",
  "attention snooze",
  "conflicts block",
  "conflicts dismiss",
  "conflicts tell",
];
/** No agent needs these for its task: they set up, run or mend the house, or are the owner's word. A name stands for all that begin with it. */
const notForAgents = (
  "adopt-orphans|approvals allow|approvals deny|attach|attention snooze|audit export|bench|channel poison|clock|complete|completion|config|conflicts block|conflicts dismiss|conflicts tell|" +
  "cron accept|cron add|cron pause|cron remove|cron resume|cron run|cron tick|daemon|dashboard|db|decision accept|decision reject|demo|demo-agent|docs|downgrade|drill|eval|firing|install|issue stop|login|logout|keys revoke|" +
  "keys rotate|loop add|loop pause|loop resume|loop run|loop tick|mcp|mesh|memory forget|memory pin|morning|notify|onboard|owner direct|" +
  "owner init|repo add|repo forget|repo share|repo unshare|repo shared|a2a|restart-run|runtime check|screen|script-agent|serve|service|services scan|task comment|task handover|task export|task import|task revert|tell|token|uninstall|up|upgrade|version|watch|watchdog|worker start|worker stop|" +
  "workspace restore|workspace rm"
).split("|");

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

test("every command is one that agents may use unasked, or one of those that are not for them", () => {
  const undecided = commands
    .map(({ name }) => name)
    .filter((name) => !verbs.has(name) && !notForAgents.some((one) => name === one || name.startsWith(`${one} `)));
  expect(undecided).toEqual([]);
});
