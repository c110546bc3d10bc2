// What a release promises to whoever wrote something against it: the fields of `--json`, the columns of views, exit codes, codes of refusals, envelopes, commands with
// their flags, settings. test/promises.json holds it as the last release had it. Something new is fine; what is gone, renamed or newly demanded breaks a
// promise. docs/concepts/promises.md says in words what is promised and for how long.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import { kinds } from "../../src/core/findings/kinds.ts";
import { allCommands } from "../../src/doors/cli/manifest/all.ts";
import { globalFlags } from "../../src/doors/cli/input/parse.ts";
import { formatVersion } from "../../src/doors/cli/present/json-answer.ts";
import { catalogue } from "../../src/protocol/catalogue.ts";
import { type Envelope, isComplaint, shapeEnvelope, signedBytes } from "../../src/protocol/envelope.ts";
import { type EventType, eventTypes } from "../../src/protocol/event-types.ts";
import { exitCodes } from "../../src/protocol/exit-codes.ts";
import { declarations } from "../../src/settings/declarations.ts";
import { publicViews } from "../../src/store/views.ts";
import { versionOf } from "./npm-packages.ts";

const top = join(import.meta.dir, "../..");
const shapesFile = join(top, "test/json-shapes.json");
const recordFile = join(top, "test/promises.json");

/** As test/json-shapes.test.ts records it: names without values. */
export type Shape = string | readonly Shape[] | { readonly [name: string]: Shape };

export interface Promises {
  /** The release that promised it. */
  readonly version: string;
  readonly format_version: number;
  /** By the line that was typed. */
  readonly json: Readonly<Record<string, Shape>>;
  readonly views: Readonly<Record<string, readonly string[]>>;
  readonly exit_codes: Readonly<Record<string, number>>;
  /** The name of its exit code, by the refusal's code. */
  readonly refusals: Readonly<Record<string, string>>;
  readonly envelope: EnvelopePromise;
  readonly commands: Readonly<Record<string, CommandPromise>>;
  readonly settings: Readonly<Record<string, string>>;
  /** The fields without which an event of the type is refused, and those that it may have. */
  readonly event_types: Readonly<
    Record<string, { readonly needs: readonly string[]; readonly may: readonly string[] }>
  >;
  readonly finding_kinds: readonly string[];
}

interface EnvelopePromise {
  readonly example: Required<Envelope>;
  /** Fields without which it is not read. */
  readonly needs: readonly string[];
  /** SHA-256 of the bytes of `example` that a signature covers. */
  readonly signed: string;
}

interface CommandPromise {
  readonly needs: number;
  readonly takes: number;
  /** True for a flag that has a value. */
  readonly flags: Readonly<Record<string, boolean>>;
}

export const readRecord = (): Promises => JSON.parse(readFileSync(recordFile, "utf8")) as Promises;

export async function promisesToday(): Promise<Promises> {
  const commands = (await allCommands()).filter(({ hidden }) => hidden !== true);
  const flagsOf = (flags: Readonly<Record<string, { readonly value?: string }>> = {}) =>
    byName(Object.entries(flags).map(([name, { value }]) => [name, value !== undefined]));
  return {
    version: versionOf(),
    format_version: formatVersion,
    json: JSON.parse(readFileSync(shapesFile, "utf8")) as Record<string, Shape>,
    views: byName(publicViews.map(({ name, columns }) => [name, columns.map((column) => column.name)])),
    exit_codes: byName(Object.entries(exitCodes)),
    refusals: byName(Object.entries(catalogue).map(([code, { exit }]) => [code, exit])),
    envelope: { example, needs: neededFields(example), signed: digestOfSigned(example) },
    commands: byName([
      ["*", { needs: 0, takes: 0, flags: flagsOf(globalFlags) }],
      ...commands.map(({ name, arguments: words = [], flags }): [string, CommandPromise] => [
        name,
        { needs: words.filter(({ optional }) => optional !== true).length, takes: words.length, flags: flagsOf(flags) },
      ]),
    ]),
    settings: byName(Object.entries(declarations).map(([key, { type }]) => [key, type])),
    event_types: byName(
      Object.entries<EventType>(eventTypes).map(([name, { requires, allows }]) => [
        name,
        { needs: requires, may: allows },
      ]),
    ),
    finding_kinds: Object.keys(kinds).toSorted(),
  };
}

/** Every field that an envelope can have: the type demands it. */
const example: Required<Envelope> = {
  from: "agent1",
  text: "the parser moved to src/parse",
  ts: "2026-01-02T03:04:05.678Z",
  id: "msg_01",
  to: "agent2",
  receivers: ["agent2", "agent3"],
  kind: "note",
  thread: "parser",
  in_reply_to: "msg_00",
  task: "12",
  idempotency_key: "once",
  requires_ack: true,
  origin: "constel1",
  onward: "agent3@desk",
  sig: "c2lnbmF0dXJl",
};

const neededFields = (whole: Required<Envelope>): string[] =>
  Object.keys(whole).filter((field) => isComplaint(shapeEnvelope({ ...whole, [field]: undefined })));

const digestOfSigned = (envelope: Envelope): string =>
  new Bun.CryptoHasher("sha256").update(signedBytes(envelope)).digest("hex");

/** Sorted, so that a record differs only where a promise does. */
const byName = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** One sentence for each promise of the record that does not hold today. */
export function brokenPromises(then: Promises, now: Promises): string[] {
  return [
    ...Object.entries(then.json).flatMap(([line, shape]) =>
      brokenShape(`--json of \`${line}\``, shape, now.json[line]),
    ),
    ...gone("view", then.views, now.views, (name, columns, today) =>
      missing(columns, today).map((column) => `view ${name}: the column ${column} is gone`),
    ),
    ...gone("exit code", then.exit_codes, now.exit_codes, changed("exit code")),
    ...gone("refusal", then.refusals, now.refusals, changed("the exit of refusal")),
    ...brokenEnvelope(then.envelope, now.envelope),
    ...gone("command", then.commands, now.commands, brokenCommand),
    ...gone("setting", then.settings, now.settings, changed("the type of setting")),
    ...gone("event type", then.event_types, now.event_types, (name, { needs, may }, today) => [
      ...missing(today.needs, needs).map((field) => `event type ${name}: the field ${field} is newly demanded`),
      ...missing([...needs, ...may], [...today.needs, ...today.may]).map(
        (field) => `event type ${name}: the field ${field} is gone`,
      ),
    ]),
    ...missing(then.finding_kinds, now.finding_kinds).map((kind) => `finding kind ${kind} is gone`),
  ];
}

const missing = (names: readonly string[], from: readonly string[]): string[] =>
  names.filter((name) => !from.includes(name));

function gone<T>(
  what: string,
  then: Readonly<Record<string, T>>,
  now: Readonly<Record<string, T>>,
  compare: (name: string, then: T, now: T) => string[],
): string[] {
  return Object.entries(then).flatMap(([name, one]) => {
    const today = now[name];
    return today === undefined ? [`${what} ${name} is gone`] : compare(name, one, today);
  });
}

const changed =
  (what: string) =>
  (name: string, then: string | number, now: string | number): string[] =>
    then === now ? [] : [`${what} ${name} was ${then} and is ${now}`];

/** An empty list tells nothing of what would stand in it. */
function brokenShape(where: string, then: Shape, now: Shape | undefined): string[] {
  if (now === undefined) return [`${where} is gone`];
  if (typeof then === "string") return typeof now === "string" ? [] : [`${where} was a plain value and is not`];
  if (isList(then)) {
    if (!isList(now)) return [`${where} was a list and is not`];
    const [one, today] = [then[0], now[0]];
    return one === undefined || today === undefined ? [] : brokenShape(`${where}[]`, one, today);
  }
  if (typeof now === "string" || isList(now)) return [`${where} was an object and is not`];
  return Object.entries(then).flatMap(([name, one]) => brokenShape(`${where}: ${name}`, one, now[name]));
}

const isList = (shape: Shape): shape is readonly Shape[] => Array.isArray(shape);

/** What a writer of that release writes is still read, whole, and its signatures still hold. */
function brokenEnvelope({ example: written, needs, signed }: EnvelopePromise, now: EnvelopePromise): string[] {
  const read = shapeEnvelope(written);
  if (isComplaint(read)) return [`an envelope of then is not read: ${read.message}`];
  return [
    ...missing(Object.keys(written), Object.keys(read)).map((field) => `envelope: the field ${field} is not read`),
    ...missing(now.needs, needs).map((field) => `envelope: the field ${field} is newly demanded`),
    ...(digestOfSigned(written) === signed ? [] : ["envelope: a signature of then does not hold"]),
  ];
}

function brokenCommand(name: string, then: CommandPromise, now: CommandPromise): string[] {
  return [
    ...(now.needs > then.needs ? [`command ${name}: it demands more arguments`] : []),
    ...(now.takes < then.takes ? [`command ${name}: it takes fewer arguments`] : []),
    ...gone(`command ${name}: the flag`, then.flags, now.flags, (flag, had, has) =>
      had === has ? [] : [`command ${name}: the flag ${flag} ${has ? "demands a value" : "takes no value"} now`],
    ),
  ];
}

/** From 1.0 on only another first number may break a promise; before, the second is as good. A field of `--json` that goes raises the format's version too. */
export function mayBreak(then: Pick<Promises, "version" | "format_version">, now: typeof then): boolean {
  const series = (version: string): string => {
    const { major, minor } = semver.parse(version) ?? { major: 0, minor: 0 };
    return major > 0 ? String(major) : `0.${minor}`;
  };
  return series(then.version) !== series(now.version);
}

/** Takes what this version promises as the record. Answers what went; from 1.0 on, nothing may go within one series. */
export async function recordPromises(): Promise<string[]> {
  const [then, now] = [readRecord(), await promisesToday()];
  const broken = brokenPromises(then, now);
  refuseToBreak(then, now, broken);
  writeFileSync(recordFile, `${JSON.stringify(now, undefined, 1)}\n`);
  return broken;
}

export function refuseToBreak(then: Promises, now: Promises, broken: readonly string[]): void {
  const ofJson = broken.filter((line) => line.startsWith("--json"));
  if (semver.major(then.version) > 0 && broken.length > 0 && !mayBreak(then, now))
    throw new Error(`constel ${now.version} would break what ${then.version} promised:\n${broken.join("\n")}`);
  if (semver.major(then.version) > 0 && ofJson.length > 0 && now.format_version <= then.format_version)
    throw new Error(`raise formatVersion (present/json-answer.ts), because fields went:\n${ofJson.join("\n")}`);
}

/** A release is made only of what is recorded. */
export async function refuseUnrecorded(): Promise<void> {
  const [then, now] = [readRecord(), await promisesToday()];
  if (Bun.deepEquals(then, now)) return;
  throw new Error(
    `test/promises.json is not what constel ${now.version} promises: run scripts/release --record, and commit it`,
  );
}
