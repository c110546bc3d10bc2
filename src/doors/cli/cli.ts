// The command line: finds the command, gives it its input, prints what it answers, maps every failure to an exit code
// in one place, and leaves a record of the invocation.

import { existsSync } from "node:fs";
import { diskIsFull, messageOf, type Outage, outageOf, Refusal } from "../../protocol/errors.ts";
import { shellLine } from "../../protocol/shell-line.ts";
import { exitCodes } from "../../protocol/exit-codes.ts";
import type { Env } from "../../settings/env.ts";
import { loadSettings, locate, type Settings } from "../../settings/settings.ts";
import { keepTimeIn } from "../../host/clock/kept-time.ts";
import { isAnothers } from "../../files/descend.ts";
import { isOfAnotherFormat } from "../../files/home-format.ts";
import type { Caller } from "../../client/caller.ts";
import type { CommandDeclaration, CommandInput } from "./input/command.ts";
import type { FlagDeclaration } from "./input/command-shape.ts";
import type { Backstage, CliContext } from "./context.ts";
import { recordInvocation } from "./invocation-record.ts";
import { allCommands, commandsFor } from "./manifest/all.ts";
import { jsonLine } from "./present/json-answer.ts";
import { makeOutput, type Output, type Streams } from "./present/output.ts";
import { globalFlags, parseInput } from "./input/parse.ts";

export interface Invocation {
  readonly words: readonly string[];
  readonly env: Env & Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly umask: number;
  readonly streams: Streams;
  readonly version: string;
  readonly backstage: Backstage;
  /** Catches what ends a command from outside, from the first call on. */
  readonly signal: () => AbortSignal;
}

/** Runs one command line and answers its exit code. */
export async function runCli(invocation: Invocation): Promise<number> {
  const { env, streams } = invocation;
  const words = flagsLast(invocation.words);
  // Even a line that cannot be parsed answers in JSON when JSON was asked for.
  const output = makeOutput(streams, env, {
    json: beforeDashes(words).includes("--json"),
    plain: words.includes("--no-color"),
  });
  const startedAt = Date.now();
  let exit: number;
  let places: CliContext["places"] | undefined;
  let recorded = true;
  try {
    const found = await find(await withFirstContact(words, invocation));
    if (found === undefined) {
      const { showHelp } = await import("./input/help.ts");
      return await showHelp(output, words);
    }
    recorded = found.command.hidden !== true;
    const input = parseInput(found.command, found.rest, invocation.cwd);
    if (input.has("help")) {
      const { commandHelp } = await import("./input/help.ts");
      output.data(commandHelp(found.command, output));
      return exitCodes.ok;
    }
    const context = makeContext(invocation, output, input, serverFor(found.command, input, env));
    refuseMissingHome(found.command, context);
    await refuseForeignHome(found.command, context);
    places = context.places;
    keepTimeIn(places.home);
    if (places.passedOver !== undefined && recorded) output.say(passedOverWords(places.passedOver));
    await refuseIfNotAllowed(found.command, context);
    exit = await run(found.command, context, input);
  } catch (cause) {
    exit = await report(output, cause, places?.home);
  }
  if (recorded && places !== undefined) leaveRecord(invocation, places, startedAt, exit);
  return exit;
}

async function run(command: CommandDeclaration, context: CliContext, input: CommandInput): Promise<number> {
  // Also where the file does not matter: what was typed was meant.
  if (input.flags("set").length > 0) (await import("../../settings/config.ts")).checkFlags(input.flags("set"));
  const execute = await command.load();
  const result = await execute(context, input);
  if (result === undefined) return exitCodes.ok;
  if (context.output.json) context.output.data(`${jsonLine(result.json)}\n`);
  else {
    const text = typeof result.text === "function" ? result.text() : result.text;
    if (text !== "") context.output.data(text.endsWith("\n") ? text : `${text}\n`);
  }
  return result.exit ?? exitCodes.ok;
}

/** The longest declared name that the words begin with. Undefined for help and for nothing at all. */
async function find(
  words: readonly string[],
): Promise<{ command: CommandDeclaration; rest: readonly string[] } | undefined> {
  const [first] = words;
  if (
    first === undefined ||
    first === "help" ||
    first === "--help" ||
    first === "-h" ||
    leadingFlag(first) !== undefined
  )
    return undefined;
  const candidates = await commandsFor(first);
  const longest = [...candidates].sort((a, b) => b.name.length - a.name.length);
  for (const command of longest) {
    const name = command.name.split(" ");
    if (name.every((part, index) => words[index] === part)) return { command, rest: words.slice(name.length) };
  }
  if (candidates.length > 0 && (words[1] === undefined || words[1].startsWith("-"))) return undefined;
  const { unknownCommand } = await import("./input/help.ts");
  throw await unknownCommand(words);
}

/** `constel` alone is `constel try` for who has never used it and stands where it has something to show. */
async function withFirstContact(words: readonly string[], { env, cwd }: Invocation): Promise<readonly string[]> {
  const isBare = words.every((word) => leadingFlag(word)?.value === undefined && leadingFlag(word) !== undefined);
  if (!isBare) return words;
  const { isFirstContact } = await import("./first-contact.ts");
  return isFirstContact({ ...locate(env, cwd, {}), cwd }) ? ["try", ...words] : words;
}

/** The floor works on its own machine, whatever the environment says; what else cannot be asked of a server says so. */
function serverFor(command: CommandDeclaration, input: CommandInput, env: Env): string | undefined {
  const typed = input.flag("server");
  const inherited = command.tier === "floor" || command.hidden === true ? undefined : env.CONSTEL_SERVER;
  const name = typed ?? (inherited === "" ? undefined : inherited);
  if (name === undefined || command.elsewhere === true) return name;
  const by = typed === undefined ? "CONSTEL_SERVER" : "--server";
  throw new Refusal("server.not-here", `constel ${command.name} cannot be asked of a server, and ${by} names ${name}`);
}

function makeContext(
  invocation: Invocation,
  output: Output,
  input: CommandInput,
  server: string | undefined,
): CliContext {
  const { env, cwd, umask, backstage, version } = invocation;
  const flags = { home: input.flag("home"), root: input.flag("root"), set: input.flags("set") };
  let settings: Promise<Settings> | undefined;
  const places = locate(env, cwd, flags);
  const context: CliContext = {
    env,
    cwd,
    umask,
    version,
    output,
    flags,
    places,
    backstage,
    get signal() {
      return invocation.signal();
    },
    commands: allCommands,
    server,
    settings: () => (settings ??= loadSettings(env, cwd, flags)),
    caller: async () =>
      server === undefined ? own() : (await import("./reach/servers.ts")).reachServer(context, server).operations,
  };
  const own = async (): Promise<Caller> =>
    (await import("./reach/caller.ts")).callerFor(context, { allowSecret: input.has("allow-secret") });
  return context;
}

/** A shell that completes a line shows nothing, rather than a complaint; and what runs another program must run it. */
const anyHome: ReadonlySet<string> = new Set(["complete", "completion", "adopt-orphans", "version"]);

/** These make a home where there is none, or need none. */
const makesHome: ReadonlySet<string> = new Set([...anyHome, "onboard", "config path", "login"]);

/** A home that was named and is not there is a slip of the pen; the usual one, or the environment's, is made when it is needed. */
function refuseMissingHome({ name, hidden }: CommandDeclaration, { flags, places }: CliContext): void {
  if (flags.home === undefined || hidden === true || makesHome.has(name) || name === "daemon run") return;
  if (existsSync(places.home)) return;
  throw new Refusal("home.missing", `there is no home ${places.home}`, { home: places.home });
}

async function refuseForeignHome({ name }: CommandDeclaration, { places: { home } }: CliContext): Promise<void> {
  if (anyHome.has(name)) return;
  if (isAnothers(home)) throw (await import("../../floor/anothers-home.ts")).anothersHome(home);
  if (!isOfAnotherFormat(home)) return;
  const holder = (await import("./reach/home-holder.ts")).homeHolder(home);
  // Whatever it laid out there, a living daemon of another build is told to end like any other.
  if (name === "daemon stop" && holder !== undefined) return;
  throw (await import("../../floor/earlier-home.ts")).earlierHome(home, holder?.pid);
}

const passedOverWords = (directory: string): string =>
  `constel: ${directory}/constel.toml is ignored: another account put it there (${shellLine([`CONSTEL_ROOT=${directory}`])} uses it anyway)`;

/** Of what needs no daemon, these need no home either. */
const insideSandbox: ReadonlySet<string> = new Set([
  "check",
  "try",
  "completion",
  "complete",
  "version",
  "contract diff",
  "script-agent",
  "adopt-orphans",
  "channel send",
  "channel reply",
]);

/**
 * Decides about commands that need no daemon; operations are decided behind their door. Some verbs have no meaning outside the root
 * directory.
 */
async function refuseIfNotAllowed(command: CommandDeclaration, { places, cwd, env }: CliContext): Promise<void> {
  if (env.CONSTEL_CONFINED !== undefined && command.tier === "floor" && !insideSandbox.has(command.name))
    throw new Refusal(
      "confined.out-of-reach",
      `constel ${command.name} needs constel's home, which cannot be reached from inside this sandbox`,
    );
  if (
    command.tier === "floor" &&
    command.may !== "anybody" &&
    !(command.may === "everybody" && command.effect === "reads")
  ) {
    const { refuseUnlessAllowed } = await import("../../protocol/authority.ts");
    const { whoRuns } = await import("./who-runs.ts");
    const refusal = refuseUnlessAllowed(whoRuns(places), command);
    if (refusal !== undefined) throw refusal;
  }
  if (command.insideRoot === true && !places.homeOnly) {
    const { refuseOutsideRoot } = await import("../../floor/guard.ts");
    const refusal = refuseOutsideRoot({ home: places.home, root: places.root, cwd }, command.name);
    if (refusal !== undefined) throw refusal;
  }
}

/** The one table from failures to words and exit codes. */
async function report(output: Output, cause: unknown, home: string | undefined): Promise<number> {
  if (cause instanceof Refusal) {
    if (output.json) {
      const { code, message, hint, facts } = cause;
      output.say(jsonLine({ error: { code, message, hint, facts } }));
    } else {
      // Some name the command in full already.
      output.say(`${cause.message.startsWith("constel ") ? "" : "constel: "}${cause.message}`);
      output.say(`  ${cause.hint}`);
      output.say(`  [${cause.code}]`);
    }
    const { catalogue } = await import("../../protocol/catalogue.ts");
    return exitCodes[catalogue[cause.code].exit];
  }
  const outage = outageOf(cause);
  if (outage !== undefined) {
    const { message, mayRetry } = outage;
    if (output.json) output.say(jsonLine({ error: { code: "outage", message, mayRetry } }));
    else output.say(`constel: ${message}\n  ${adviceOn(outage, home)}`);
    return exitCodes.outage;
  }
  if (output.json) output.say(jsonLine({ error: { code: "bug", message: messageOf(cause) } }));
  else
    output.say(
      `constel: this is a bug in constel: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
    );
  return exitCodes.bug;
}

function adviceOn({ operation, target, mayRetry, message }: Outage, home: string | undefined): string {
  if (message.endsWith(diskIsFull))
    return "Make room, then try again: `df -h` shows which disk, `constel workspace ls` what can go.";
  if (mayRetry) return "Trying again may help.";
  if (operation === "make directory" && target === home)
    return "constel keeps everything there: have it created for you, or set CONSTEL_HOME to a directory of your own.";
  return "`constel doctor` may know more.";
}

/** Best effort, in one append to a file that the daemon takes in later: an invocation never fails or waits for it. */
function leaveRecord(invocation: Invocation, places: CliContext["places"], startedAt: number, exit: number): void {
  recordInvocation(places, {
    words: invocation.words,
    cwd: invocation.cwd,
    version: invocation.version,
    durationMs: Date.now() - startedAt,
    exit,
  });
}

/** `constel --json doctor` means `constel doctor --json`: flags of every command may stand in front of it. */
function flagsLast(words: readonly string[]): readonly string[] {
  let at = 0;
  for (let flag = leadingFlag(words[at]); flag !== undefined; flag = leadingFlag(words[at])) {
    at += flag.value !== undefined && words[at]?.includes("=") === false ? 2 : 1;
  }
  const command = words.slice(at);
  const end = command.indexOf("--");
  const cut = end === -1 ? command.length : end;
  return [...command.slice(0, cut), ...words.slice(0, at), ...command.slice(cut)];
}

function leadingFlag(word: string | undefined): FlagDeclaration | undefined {
  const name = /^--([a-z-]+)/.exec(word ?? "")?.[1] ?? "";
  return name !== "help" && Object.hasOwn(globalFlags, name) ? globalFlags[name] : undefined;
}

function beforeDashes(words: readonly string[]): readonly string[] {
  const at = words.indexOf("--");
  return at === -1 ? words : words.slice(0, at);
}
