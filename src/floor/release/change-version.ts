// `constel upgrade` and `downgrade`: another version of this program in its place. Fetched, verified and tried before anything is changed; then the files are
// switched, and the daemon of before hands over to the new one: agents live in tmux, messages are files, and who waited asks again. If the new one does not
// start, the program of before is put back by itself.

import { join } from "node:path";
import semver from "semver";
import { Refusal, messageOf } from "../../protocol/errors.ts";
import { readArchive } from "./read-archive.ts";
import { type FetchFile, readRelease, type ReleaseFile } from "./release-file.ts";
import type { ReleaseMarks } from "./release-marks.ts";
import {
  type Fresh,
  forgetKept,
  goBack,
  layProgram,
  type ProgramFiles,
  type SwitchStep,
  switchProgram,
} from "./switch-program.ts";

export interface ChangeMachine {
  readonly marks: ReleaseMarks;
  /** The version that runs this. */
  readonly version: string;
  readonly files: ProgramFiles;
  readonly fetch: FetchFile;
  /** The schema of the home's database; undefined when there is none. */
  readonly schema: () => Promise<number | undefined>;
  /** The newest good backup that a program which knows up to this schema can read. */
  readonly backupFor: (known: number) => Promise<string | undefined>;
  /** Runs a program to its end: its exit code and what it said. */
  readonly run: (words: readonly string[]) => Promise<{ readonly code: number | null; readonly said: string }>;
  /** True when a daemon serves this home: then the new one takes over. */
  readonly served: () => Promise<boolean>;
  readonly say: (line: string) => void;
  readonly reached?: (step: SwitchStep) => void;
}

export interface Changed {
  readonly from: string;
  readonly to: string;
  /** The daemon was there and the new one has taken over. */
  readonly handedOver: boolean;
}

const mostBytes = 400_000_000;

export async function changeVersion(machine: ChangeMachine, release: ReleaseFile): Promise<Changed> {
  await refuseNewerSchema(machine, release);
  const fresh = await fetched(machine, release);
  const { files, version: from, reached = () => undefined } = machine;
  const to = release.version;
  const laid = layProgram(files, to, fresh.program);
  reached("laid");
  try {
    const { code, said } = await machine.run([laid, "--version"]);
    if (code !== 0 || said.trim() !== `constel ${to}`)
      throw didNotStart(
        to,
        `it says ${JSON.stringify(said.trim().slice(0, 200))} with code ${code}; nothing was changed`,
      );
  } finally {
    forgetKept(files, to);
  }
  // Asked before: the new program might not understand the daemon of before.
  const wasServed = await machine.served();
  switchProgram(files, fresh, { from, reached });
  if (wasServed) await handOver(machine, to);
  reached("started");
  return { from, to, handedOver: wasServed };
}

/** The new program replaces the daemon of before, as every command after an update does. */
async function handOver({ files, version: from, run, say }: ChangeMachine, to: string): Promise<void> {
  const program = join(files.prefix, files.program);
  const { code, said } = await run([program, "daemon", "start"]);
  if (code === 0) return;
  say(`constel: the daemon of ${to} did not start; going back to ${from}`);
  goBack(files, from);
  const back = await run([program, "daemon", "start"]);
  const after =
    back.code === 0
      ? `${from} is back and serves`
      : `${from} is back; its daemon says: ${back.said.trim().slice(-400)}`;
  throw didNotStart(to, `${said.trim().slice(-400)}. ${after}`);
}

async function refuseNewerSchema({ schema, backupFor }: ChangeMachine, release: ReleaseFile): Promise<void> {
  const own = await schema();
  if (own === undefined || own <= release.schema) return;
  const backup = await backupFor(release.schema);
  const use =
    backup === undefined ? "there is no backup that it can read" : `the newest backup that it can read is ${backup}`;
  throw new Refusal(
    "release.newer-schema",
    `the database has schema ${own}; constel ${release.version} knows up to ${release.schema}; ${use}`,
    { schema: own, known: release.schema, backup: backup ?? null },
  );
}

async function fetched({ fetch, marks: { target } }: ChangeMachine, { version, files }: ReleaseFile): Promise<Fresh> {
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
