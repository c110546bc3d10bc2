// `constel upgrade` and `downgrade`. What installed constel is seen by where its program stands: the files of install.sh and a single file are changed here,
// npm and Homebrew are asked to do it, and for a clone or a Debian package the command to run is named.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import semver from "semver";
import {
  type Candidate,
  changeVersion,
  type ChangeMachine,
  findRelease,
  keptHere,
  refuseNotNewer,
  released,
} from "../../../floor/release/change-version.ts";
import { filesOf, type InstalledAs, installedAs, otherWay, refuseByHand } from "../../../floor/release/installed-as.ts";
import { keptVersion } from "../../../floor/release/kept-version.ts";
import type { ProgramFiles } from "../../../floor/release/program-files.ts";
import { type ReleaseMarks, releaseMarks } from "../../../floor/release/release-marks.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { releaseFetcher } from "../../../host/release/fetch-release.ts";
import { oneChange } from "../../../host/release/one-change.ts";
import { cloneOfSources } from "../../../ports/clone.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { killPoint } from "../../../settings/kill-at.ts";
import type { CommandInput, CommandResult, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { daemonNow } from "../reach/daemon-now.ts";

/** Another package manager has the whole archive to fetch. */
const deadlineMs = 1_200_000;

export const upgrade: RunCommand = async (context, input) => {
  const place = placeOf(context, input);
  const release = await place.find(input.flag("to"));
  const isNewer = semver.gt(release.version, context.version);
  const found = { current: context.version, version: release.version, newer: isNewer, way: place.as.way };
  if (input.has("check")) {
    const text = isNewer
      ? `constel ${release.version} is there; this is ${context.version}. Run: constel upgrade`
      : `constel ${context.version} is the newest.`;
    return { json: { ...found, done: false }, text };
  }
  if (release.version === context.version)
    return { json: { ...found, done: false }, text: `This is ${context.version} already.` };
  refuseNotNewer(release.version, context.version);
  return await change(context, place, release);
};

export const downgrade: RunCommand = async (context, input) => {
  if (input.has("accept")) return accept(context);
  const place = placeOf(context, input);
  const candidate = await earlier(place, input);
  if (!semver.lt(candidate.version, context.version))
    throw new Refusal("usage.bad-value", `${candidate.version} is not older than this, ${context.version}`, {});
  return await change(context, place, candidate);
};

/** The version that was kept needs no network. */
async function earlier({ files, marks, find }: Place, input: CommandInput): Promise<Candidate> {
  const kept = keptVersion(files);
  const wanted = input.flag("to") ?? kept?.version;
  if (wanted === undefined)
    throw new Refusal(
      "release.nothing-kept",
      "no earlier version was kept here",
      {},
      "Name one: constel downgrade --to VERSION",
    );
  const isHere = wanted === kept?.version && input.flag("from") === undefined;
  return isHere ? keptHere(kept, marks.target, files) : await find(wanted);
}

interface Place {
  readonly as: InstalledAs;
  readonly marks: ReleaseMarks;
  readonly files: ProgramFiles;
  readonly find: (version: string | undefined) => Promise<Candidate>;
}

function placeOf({ cwd }: CliContext, input: CommandInput): Place {
  const as = installedAs({ program: process.execPath, clone: cloneOfSources(), exists: existsSync });
  const marks = releaseMarks();
  if (marks === undefined)
    throw new Refusal(
      "release.not-released",
      as.way === "clone" ? `this is a clone, ${as.top}` : `${process.execPath} was not made by a release`,
      {},
      as.way === "clone" ? `Update it with: git -C ${as.top} pull, then ${as.top}/scripts/install.sh` : undefined,
    );
  const named = input.flag("from");
  const from = named === undefined || /^https?:\/\//.test(named) ? (named ?? marks.releases) : resolve(cwd, named);
  const find = async (version: string | undefined): Promise<Candidate> => {
    if (from === "")
      throw new Refusal("usage.missing-argument", "this program does not know where releases lie: say --from", {});
    const fetchOf = releaseFetcher(from);
    const release = await findRelease(fetchOf, version, marks);
    return released(release, marks.target, fetchOf(release.version));
  };
  return { as, marks, files: filesOf(as, process.execPath), find };
}

async function change(context: CliContext, { as, files, marks }: Place, candidate: Candidate): Promise<CommandResult> {
  const { version } = candidate;
  const other = otherWay(as.way, version);
  refuseByHand(as.way, version, semver.lt(version, context.version));
  if (other !== undefined) return byOthers(context, as, other, version);
  process.umask(context.umask); // a prefix that several accounts use stays readable
  const machine: ChangeMachine = {
    marks,
    files,
    version: context.version,
    alone: (work) => oneChange(files, work),
    schema: () => schemaOf(context),
    backupFor: async (known) => {
      const backups = await (await context.backstage.keepStore(await context.settings())).backups();
      return backups.find(({ good, schema }) => good && schema <= known)?.file;
    },
    letWrite: (version) => letWrite(context, version),
    run: (words) => run(context, words),
    served: async () => ["answers", "outdated"].includes(await daemonNow(context.places.home)),
    say: (line) => context.output.say(line),
    reached: (step) => killPoint(`upgrade.${step}`),
  };
  const { from, to, handedOver } = await changeVersion(machine, candidate);
  return {
    json: { current: from, version: to, way: as.way, done: true, handedOver },
    text: `Version ${to} is in place; it was ${from}.${handedOver ? " The daemon handed over; agents go on." : ""} Back: constel downgrade`,
  };
}

/** This version is installed already, in a way that asked nobody. */
async function accept(context: CliContext): Promise<CommandResult> {
  const { version } = context;
  const keeping = await context.backstage.keepStore(await context.settings());
  const newer = existsSync(context.places.home) ? await keeping.letWrite(version) : null;
  return {
    json: { current: newer, version, way: null, done: newer !== null, handedOver: false },
    text:
      newer === null
        ? `Nothing keeps constel ${version} from writing to this home.`
        : `constel ${version} writes to this home again; constel ${newer} did last.`,
  };
}

async function letWrite(context: CliContext, version: string): Promise<void> {
  if (!existsSync(context.places.home)) return;
  await (await context.backstage.keepStore(await context.settings())).letWrite(version);
}

async function byOthers(
  context: CliContext,
  as: InstalledAs,
  words: readonly string[],
  version: string,
): Promise<CommandResult> {
  const line = words.join(" ");
  context.output.say(`constel: ${line}`);
  if (semver.lt(version, context.version)) await letWrite(context, version);
  const { code, said } = await run(context, words);
  if (code !== 0)
    throw new Refusal("release.other-way", `\`${line}\` ended with ${code}: ${said.trim().slice(-400)}`, { version });
  return {
    json: { current: context.version, version, way: as.way, done: true, handedOver: false },
    text: `${words[0]} installed ${version}. The next command's program replaces the daemon.`,
  };
}

async function run(context: CliContext, words: readonly string[]): Promise<{ code: number | null; said: string }> {
  const env = childEnvironment(context.env, { CONSTEL_HOME: context.places.home, CONSTEL_ROOT: context.places.root });
  const { code, stdout, stderr } = await systemProcesses.run(words, { env, deadlineMs, leavesOthers: true });
  return { code, said: `${Buffer.from(stdout).toString("utf8")}${stderr}` };
}

/** A home that cannot be read has no schema that would be lost. */
async function schemaOf(context: CliContext): Promise<number | undefined> {
  if (!existsSync(context.places.home)) return undefined;
  const keeping = await context.backstage.keepStore(await context.settings());
  const { exists, schema } = await keeping.health({ full: false });
  return exists && schema !== null ? schema : undefined;
}
