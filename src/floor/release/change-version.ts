// `constel upgrade` and `downgrade`: another version of this program in its place. Fetched, verified and tried before anything is changed; then the files are
// switched, and the daemon of before hands over to the new one: agents live in tmux, messages are files, and who waited asks again. If the new one does not
// start, the program of before is put back by itself.

import { join } from "node:path";
import semver from "semver";
import { Refusal, messageOf } from "../../protocol/errors.ts";
import { readArchive } from "./read-archive.ts";
import { type FetchFile, readRelease, type ReleaseFile } from "./release-file.ts";
import type { ReleaseMarks } from "./release-marks.ts";
import { filesKept, type KeptVersion } from "./kept-version.ts";
import type { ProgramFiles } from "./program-files.ts";
import { type Fresh, forgetFresh, goBack, layFresh, type SwitchStep, switchProgram } from "./switch-program.ts";

export interface ChangeMachine {
  readonly marks: ReleaseMarks;
  /** The version that runs this. */
  readonly version: string;
  readonly files: ProgramFiles;
  /** No other change of these files is under way meanwhile. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** The schema of the home's database; undefined when there is none. */
  readonly schema: () => Promise<number | undefined>;
  /** The newest good backup that a program which knows up to this schema can read. */
  readonly backupFor: (known: number) => Promise<string | undefined>;
  /** Lets that version write to the home's database, if a newer one has written there. */
  readonly letWrite: (version: string) => Promise<void>;
  /** Runs a program to its end: its exit code and what it said. */
  readonly run: (words: readonly string[]) => Promise<{ readonly code: number | null; readonly said: string }>;
  /** True when a daemon serves this home: then the new one takes over. */
  readonly served: () => Promise<boolean>;
  readonly say: (line: string) => void;
  readonly reached?: (step: SwitchStep) => void;
}

/** A version that could stand here. */
export interface Candidate {
  readonly version: string;
  /** The newest schema of the database that it knows. */
  readonly schema: number;
  /** Verified. */
  readonly get: () => Promise<Fresh>;
}

export interface Changed {
  readonly from: string;
  readonly to: string;
  /** The daemon was there and the new one has taken over. */
  readonly handedOver: boolean;
}

const mostBytes = 400_000_000;

export function changeVersion(machine: ChangeMachine, candidate: Candidate): Promise<Changed> {
  return machine.alone(async () => {
    await refuseNewerSchema(machine, candidate);
    const fresh = await candidate.get();
    try {
      return await replace(machine, fresh);
    } finally {
      forgetFresh(machine.files);
    }
  });
}

async function replace(machine: ChangeMachine, fresh: Fresh): Promise<Changed> {
  const { files, version: from, marks, reached = () => undefined } = machine;
  const to = fresh.version;
  const laid = layFresh(files, fresh);
  reached("laid");
  const said = await versionSaid(machine, laid);
  if (said !== `constel ${to}`) throw didNotStart(to, `it says ${JSON.stringify(said)}; nothing was changed`);
  // Asked before: the new program might not understand the daemon of before.
  const wasServed = await machine.served();
  const schema = await machine.schema();
  await refuseAnother(machine);
  // Before the switch: the version that stands there may write at every moment. The one of now names itself again when it next starts.
  if (semver.lt(to, from)) await machine.letWrite(to);
  reached("named");
  switchProgram(files, fresh, { from: { version: from, schema: marks.schema }, reached });
  if (wasServed) await handOver(machine, { to, schema });
  reached("started");
  return { from, to, handedOver: wasServed };
}

/** A change that ended before this one began has put another program there: it is not the one of before. */
async function refuseAnother(machine: ChangeMachine): Promise<void> {
  const program = join(machine.files.prefix, machine.files.program);
  const said = await versionSaid(machine, program);
  if (said === `constel ${machine.version}`) return;
  throw new Refusal("release.not-here", `${program} was changed meanwhile: it says ${JSON.stringify(said)}`, {});
}

async function versionSaid({ run }: ChangeMachine, program: string): Promise<string> {
  const { code, said } = await run([program, "--version"]);
  const text = said.trim().slice(0, 200);
  return code === 0 ? text : `${text} with code ${code}`;
}

/** The new program replaces the daemon of before, as every command after an update does. */
async function handOver(
  machine: ChangeMachine,
  { to, schema }: { readonly to: string; readonly schema: number | undefined },
): Promise<void> {
  const { files, version: from, run, say } = machine;
  const program = join(files.prefix, files.program);
  const { code, said } = await run([program, "daemon", "start"]);
  if (code === 0) return;
  say(`constel: the daemon of ${to} did not start; going back to ${from}`);
  await takeBackSchema(machine, program, schema);
  goBack(files, from);
  const back = await run([program, "daemon", "start"]);
  const after =
    back.code === 0
      ? `${from} is back and serves`
      : `${from} is back; its daemon says: ${back.said.trim().slice(-400)}`;
  throw didNotStart(to, `${said.trim().slice(-400)}. ${after}`);
}

/**
 * What a daemon changed before it failed must not keep the version of before from the home. Only the program that changed the schema knows the way back,
 * so it does it while it still stands there; it never served, so nothing was written that would be lost. What cannot be taken back is told by the
 * daemon of before, with the backup to use.
 */
async function takeBackSchema(
  { schema, letWrite, run, version, say }: ChangeMachine,
  program: string,
  before: number | undefined,
): Promise<void> {
  const now = await schema();
  if (before !== undefined && now !== undefined && now > before) {
    await run([program, "daemon", "stop"]);
    for (let at = now; at > before; at--) {
      const { code, said } = await run([program, "db", "undo"]);
      if (code === 0) continue;
      say(`constel: schema ${at} could not be taken back: ${said.trim().slice(-400)}`);
      return;
    }
  }
  try {
    await letWrite(version);
  } catch (cause) {
    // The way back to the program goes on all the same.
    say(`constel: ${messageOf(cause)}`);
  }
}

async function refuseNewerSchema({ schema, backupFor }: ChangeMachine, candidate: Candidate): Promise<void> {
  const own = await schema();
  if (own === undefined || own <= candidate.schema) return;
  const backup = await backupFor(candidate.schema);
  const use =
    backup === undefined ? "there is no backup that it can read" : `the newest backup that it can read is ${backup}`;
  throw new Refusal(
    "release.newer-schema",
    `the database has schema ${own}; constel ${candidate.version} knows up to ${candidate.schema}; ${use}`,
    { schema: own, known: candidate.schema, backup: backup ?? null },
  );
}

/** What lies where releases lie. */
export function released(release: ReleaseFile, target: string, fetch: FetchFile): Candidate {
  const { version, schema, files } = release;
  const get = async (): Promise<Fresh> => {
    const own = files.find((one) => one.target === target);
    if (own === undefined)
      throw new Refusal("release.unknown-version", `constel ${version} was not released for ${target}`, {
        version,
        target,
      });
    const packed = await fetch(own.file, mostBytes);
    if (packed === undefined)
      throw new Refusal("release.unknown-version", `${own.file} is not where releases lie`, { file: own.file });
    if (digestOf(packed) !== own.sha256) throw damaged(own.file);
    const all = readArchive(packed);
    const program = all.get("bin/constel");
    if (program === undefined || digestOf(program) !== own.program) throw damaged(own.file);
    all.delete("bin/constel");
    return { version, target, program, others: all };
  };
  return { version, schema, get };
}

/** What the last change of versions replaced. */
export function keptHere(kept: KeptVersion, target: string, files: ProgramFiles): Candidate {
  const get = async (): Promise<Fresh> => {
    const others = filesKept(files, kept);
    const program = others.get(files.program) ?? new Uint8Array();
    others.delete(files.program);
    return { version: kept.version, target, program, others };
  };
  return { version: kept.version, schema: kept.schema, get };
}

const digestOf = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

const damaged = (file: string): Refusal =>
  new Refusal("release.damaged", `${file} is not what was released; nothing was changed`, { file });

const didNotStart = (version: string, why: string): Refusal =>
  new Refusal("release.did-not-start", `constel ${version} did not start: ${messageOf(why)}`, { version });

/** The newest release, or the one that was named. */
export async function findRelease(
  fetchOf: (version: string | undefined) => FetchFile,
  wanted: string | undefined,
  marks: ReleaseMarks,
): Promise<ReleaseFile> {
  const release = await readRelease(fetchOf(wanted), marks);
  if (wanted === undefined || release.version === wanted) return release;
  throw new Refusal("release.unknown-version", `where ${wanted} should lie is ${release.version}`, { version: wanted });
}

export function refuseNotNewer(version: string, current: string): void {
  if (semver.gt(version, current)) return;
  throw new Refusal("release.not-newer", `${version} is older than this, ${current}`, { version });
}
