// The home: its modes, links planted in it, leftovers of a crash, and room on the disk.

import { accessSync, constants, lstatSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { counted } from "../../protocol/counted.ts";
import { homeDirectories, inRoot } from "../../settings/paths.ts";
import { Outage, systemCode } from "../../protocol/errors.ts";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { makeTrustedDirectory, removeTrusted } from "../../files/trusted-files.ts";
import { tellJump } from "../clock-words.ts";
import { accountName, takingBack } from "../anothers-home.ts";
import type { Check, CheckResult, DoctorContext } from "./check.ts";

const plenty = 1024 ** 3;
const tooLittle = 100 * 1024 ** 2;
/** A temporary file younger than this may belong to a write under way. */
const leftoverAgeMs = 60 * 60_000;
/** A home holds thousands of files at most where it matters; more are looked at in part, unless all is asked for. */
const mostEntries = 20_000;
/** A directory that is itself this large names some thousands of files, and listing it takes long: it is passed over. */
const longDirectoryBytes = 256 * 1024;

export const homeChecks: readonly Check[] = [
  { code: "home.directories", look: directories },
  { code: "home.owner", look: owner },
  { code: "home.writable", look: writable },
  { code: "home.modes", look: modes },
  { code: "home.symlinks", look: links },
  { code: "home.leftovers", look: leftovers },
  { code: "clock", look: steadiness },
  { code: "disk.space", look: space },
  { code: "observe.size", look: snapshots },
  { code: "config.file", look: settingsFile },
];

async function directories({ home }: DoctorContext): Promise<CheckResult[]> {
  const missing = homeDirectories.filter((name) => isMissing(join(home, name)));
  if (missing.length === 0) return [{ code: "home.directories", state: "well", saw: home }];
  const isNew = lstatSync(home, { throwIfNoEntry: false }) === undefined;
  const above = isNew ? nearestThere(home) : home;
  if (isNew && !mayWrite(above))
    return [
      {
        code: "home.directories",
        state: "broken",
        saw: `${home} does not exist, and this account may not make it in ${above}`,
        means: "Nothing can be kept: no message, no task, no record of what agents did.",
        mend: "Have it created for you, or set CONSTEL_HOME to a directory of your own.",
      },
    ];
  return [
    {
      code: "home.directories",
      state: "note",
      saw: isNew ? `${home} does not exist yet` : `${home} lacks ${missing.join(", ")}`,
      means: "They are made when they are needed.",
      mend: "Nothing to do; `constel doctor --fix` makes them now.",
      fix() {
        for (const name of homeDirectories) makeTrustedDirectory(home, name);
        return "made the directories";
      },
    },
  ];
}

/** The directory that would have to be written first to make this one. */
function nearestThere(path: string): string {
  const above = dirname(path);
  return above === path || !isMissing(above) ? above : nearestThere(above);
}

/** Below a directory of another account's nothing can be seen; that it is one, another check tells. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (cause) {
    if (systemCode(cause) === "EACCES") return false;
    throw cause;
  }
}

/** Whoever runs constel with another account's rights once, root's mostly, leaves files that the owner cannot open. */
async function owner(context: DoctorContext): Promise<CheckResult[]> {
  const code = "home.owner";
  const own = process.getuid?.();
  const { found, passedOver } = walk(context);
  const others = [...found, ...workspacesIn(context.home)].filter((entry) => own !== undefined && entry.owner !== own);
  const [first] = others;
  if (first === undefined)
    return [{ code, state: "well", saw: `everything in it belongs to this account${partly(passedOver)}` }];
  return [
    {
      code,
      state: "broken",
      saw: `of another account (${accountName(first.owner)}): ${listed(others.map((entry) => entry.path))}`,
      means: "A command was run here with that account's rights, such as by sudo. What needs these files fails.",
      mend: `Take them back: \`${takingBack(context.home)}\`.`,
    },
  ];
}

/**
 * Returns only the directory of the workspaces. Its content belongs to those who work there; if the directory cannot be entered, no task
 * is given out.
 */
function workspacesIn(home: string): Pick<Entry, "path" | "owner">[] {
  const path = join(home, inRoot.workspaces);
  const stats = isMissing(path) ? undefined : lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : [{ path, owner: stats.uid }];
}

/** The kernel is asked, so that a file system that became read-only is seen too, also by root. */
async function writable({ home }: DoctorContext): Promise<CheckResult[]> {
  const closed = [".", ...homeDirectories].filter((name) => !mayWrite(join(home, name)));
  if (closed.length === 0) return [{ code: "home.writable", state: "well", saw: "the home is writable" }];
  return [
    {
      code: "home.writable",
      state: "broken",
      saw: `cannot write ${listed(closed.map((name) => join(home, name)))}`,
      means: "Nothing can be kept: no message, no task, no record of what agents did.",
      mend: "Give the directory back to yourself with chown and chmod u+rwx, or mount its file system read-write.",
    },
  ];
}

/** A path that does not exist counts as writable: it is made when it is needed. */
function mayWrite(path: string): boolean {
  if (isMissing(path)) return true;
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function modes(context: DoctorContext): Promise<CheckResult[]> {
  const { home } = context;
  const { found, passedOver } = walk(context);
  const open = found.filter(
    (entry) => isOurs(entry) && !isPrograms(entry) && !entry.isLink && (entry.mode & 0o077) !== 0,
  );
  if (open.length === 0)
    return [{ code: "home.modes", state: "well", saw: `only the owner can read the home${partly(passedOver)}` }];
  return [
    {
      code: "home.modes",
      state: "warning",
      saw: `others may read or write ${listed(open.map((entry) => entry.path))}`,
      means: "Other users of this machine can see or change what agents say and do.",
      mend: "Run `constel doctor --fix`, or chmod directories to 0700 and files to 0600.",
      fix() {
        const closed = open.filter((entry) => close(home, entry)).length;
        return `closed ${closed} to others`;
      },
    },
  ];
}

async function links(context: DoctorContext): Promise<CheckResult[]> {
  const { found: all, passedOver } = walk(context);
  const found = all.filter((entry) => entry.isLink && !isPrograms(entry));
  if (found.length === 0)
    return [{ code: "home.symlinks", state: "well", saw: `no symbolic links in the home${partly(passedOver)}` }];
  return [
    {
      code: "home.symlinks",
      state: "broken",
      saw: `symbolic links: ${listed(found.map((entry) => entry.path))}`,
      means: "constel refuses to write through links, because an agent could plant one to make it write elsewhere.",
      mend: "Look where each leads, then replace it by a real file or directory.",
    },
  ];
}

async function leftovers(context: DoctorContext): Promise<CheckResult[]> {
  const { home, clock } = context;
  const old = clock.settledMs() - leftoverAgeMs;
  const found = walk(context).found.filter((entry) => /\/\.[^/]*\.tmp$/.test(entry.path) && entry.changedMs < old);
  if (found.length === 0) return [{ code: "home.leftovers", state: "well", saw: "no leftovers of interrupted writes" }];
  return [
    {
      code: "home.leftovers",
      state: "note",
      saw: `${counted(found.length, "temporary file")} of writes that were interrupted`,
      means: "A process ended in the middle of a write; the file it was to replace is whole.",
      mend: "Run `constel doctor --fix` to remove them.",
      fix() {
        for (const entry of found) removeTrusted(home, entry.relative);
        return `removed ${found.length}`;
      },
    },
  ];
}

async function steadiness({ clockJump }: DoctorContext): Promise<CheckResult[]> {
  const jump = clockJump?.();
  if (jump === undefined) return [{ code: "clock", state: "well", saw: "it agrees with the time that passed" }];
  return [
    {
      code: "clock",
      state: "warning",
      saw: tellJump(jump),
      means: "Somebody set the clock, or the machine was switched off for more than a week.",
      mend: "If the clock is right, say so with `constel clock accept`; otherwise set it right.",
    },
  ];
}

async function space({ home, freeBytes }: DoctorContext): Promise<CheckResult[]> {
  const free = freeBytes(home);
  const saw = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  if (free >= plenty) return [{ code: "disk.space", state: "well", saw }];
  return [
    {
      code: "disk.space",
      state: free < tooLittle ? "broken" : "warning",
      saw,
      means: "When the disk is full, changes are refused and records go missing.",
      mend: "Free some space; `constel workspace ls` shows what can go.",
    },
  ];
}

/** A guess from one of the 256 shelves of each object directory: counting all would take long exactly when it matters. */
async function snapshots({ home }: DoctorContext): Promise<CheckResult[]> {
  const code = "observe.size";
  const top = absentAsUndefined(() => TrustedDirectory.open(home, "state/observe"));
  if (top === undefined) return [{ code, state: "well", saw: "no repository is watched" }];
  try {
    const repositories = top.list().filter((name) => top.stat(name)?.isDirectory() === true);
    const objects = repositories.reduce((sum, name) => sum + objectsIn(top, name), 0);
    const megabytes = Math.round((objects * 4096) / 1024 ** 2);
    const saw = `about ${megabytes} MB of snapshots, of ${counted(repositories.length, "repository", "repositories")} (observe.max_mb bounds each)`;
    return [{ code, state: "well", saw }];
  } finally {
    top.close();
  }
}

function objectsIn(top: TrustedDirectory, repository: string): number {
  const count = (place: string): number =>
    absentAsUndefined(() => {
      using shelf = top.descend(`${repository}/${place}/17`);
      return shelf.list().length * 256;
    }) ?? 0;
  return count("objects") + count("own");
}

async function settingsFile({ settingsProblem }: DoctorContext): Promise<CheckResult[]> {
  const problem = await settingsProblem();
  if (problem === undefined) return [{ code: "config.file", state: "well", saw: "the settings can be read" }];
  return [
    {
      code: "config.file",
      state: "broken",
      saw: problem,
      means: "No command that needs a setting works until this is fixed.",
      mend: "Fix the line it names; `constel config path` says where the file is.",
    },
  ];
}

interface Entry {
  /** Below the home. */
  readonly relative: string;
  readonly path: string;
  readonly mode: number;
  /** The account it belongs to. */
  readonly owner: number;
  readonly isLink: boolean;
  readonly isDirectory: boolean;
  readonly isPlain: boolean;
  /** A file with another name elsewhere, which may be the user's own: git's objects are shared so between clones. */
  readonly isShared: boolean;
  readonly changedMs: number;
}

/** Of these, git's own files are passed over: they are closed to others by the directory they lie in, and git sets their modes. */
const gits = ["state/observe", "state/harvest", "state/rescues"];

const isOurs = ({ relative, isDirectory, isPlain, isShared }: Entry): boolean =>
  (isDirectory || (isPlain && !isShared)) && !gits.some((place) => relative.startsWith(`${place}/`));

/** False when it was left alone after all: it is not what it was when we looked. */
function close(home: string, { relative, isDirectory }: Entry): boolean {
  const cut = relative.lastIndexOf("/");
  if (isDirectory) {
    using directory = TrustedDirectory.open(home, relative);
    return directory.makePrivate();
  }
  using parent = TrustedDirectory.open(home, relative.slice(0, Math.max(cut, 0)));
  return parent.setMode(relative.slice(cut + 1), 0o600);
}

interface Walked {
  readonly found: readonly Entry[];
  /** Directories that were not looked into, because there is too much in them. */
  readonly passedOver: readonly string[];
}

const partly = (passedOver: readonly string[]): string =>
  passedOver.length === 0 ? "" : ` (not looked into without \`--full\`: ${listed(passedOver)})`;

/**
 * True for what an agent's program has in its own place: links to what it shares with the owner's, which nothing of ours follows, and
 * files that it made as it likes, below a directory that only the owner enters.
 */
const isPrograms = ({ relative }: Entry): boolean => /^state\/runtime\/[^/]+\/[^/]+\/./.test(relative);

/** Several checks look at the same files. */
const walks = new WeakMap<DoctorContext, Walked>();

function walk(context: DoctorContext): Walked {
  const known = walks.get(context);
  if (known !== undefined) return known;
  const walked = walkNow(context);
  walks.set(context, walked);
  return walked;
}

/** By descriptors, so that no link leads out. Workspaces belong to those who work in them and are passed over. */
function walkNow({ home, full }: DoctorContext): Walked {
  const found: Entry[] = [];
  const passedOver: string[] = [];
  const visit = (directory: TrustedDirectory, prefix: string): void => {
    for (const name of directory.list()) {
      if (name === "workspaces") continue;
      if (!full && found.length >= mostEntries) return void (passedOver.includes(prefix) || passedOver.push(prefix));
      const status = directory.stat(name);
      if (status === undefined) continue; // gone while we looked
      const relative = prefix + name;
      found.push(entryOf(home, relative, status));
      if (!status.isDirectory() || holdsObjects(relative)) continue;
      if (!full && status.size > longDirectoryBytes) {
        passedOver.push(relative);
        continue;
      }
      const inner = openOr(directory, name, status);
      if (inner === undefined) continue;
      try {
        visit(inner, `${relative}/`);
      } finally {
        inner.close();
      }
    }
  };
  const top = absentAsUndefined(() => TrustedDirectory.open(home));
  if (top === undefined) return { found, passedOver };
  found.push(entryOf(home, "", top.ownStat()));
  try {
    visit(top, "");
  } finally {
    top.close();
  }
  return { found, passedOver };
}

/** Undefined when it is gone, and when it is closed to us because it is another account's. */
function openOr(directory: TrustedDirectory, name: string, { uid }: Stats): TrustedDirectory | undefined {
  try {
    return absentAsUndefined(() => directory.child(name));
  } catch (cause) {
    if (cause instanceof Outage && systemCode(cause.cause) === "EACCES" && uid !== process.getuid?.()) return undefined;
    throw cause;
  }
}

/** One of the 256 directories of git's objects: nothing in it but objects, by the hundred thousand. */
const holdsObjects = (relative: string): boolean => /\/(objects|own)\/([0-9a-f]{2}|pack)$/.test(relative);

function entryOf(home: string, relative: string, status: Stats): Entry {
  return {
    relative,
    path: join(home, relative),
    mode: status.mode,
    owner: status.uid,
    isLink: status.isSymbolicLink(),
    isDirectory: status.isDirectory(),
    isPlain: status.isFile(),
    isShared: status.isFile() && status.nlink > 1,
    changedMs: status.mtimeMs,
  };
}

function listed(paths: readonly string[]): string {
  return paths.length <= 3 ? paths.join(", ") : `${paths.slice(0, 3).join(", ")} and ${paths.length - 3} more`;
}
