// The home: its modes, links planted in it, leftovers of a crash, and room on the disk.

import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { homeDirectories } from "../../settings/paths.ts";
import { makeTrustedDirectory } from "../../files/trusted-files.ts";
import type { Check, CheckResult, DoctorContext } from "./check.ts";

const plenty = 1024 ** 3;
const tooLittle = 100 * 1024 ** 2;
/** A temporary file younger than this may belong to a write under way. */
const leftoverAgeMs = 60 * 60_000;
/** A home holds thousands of files at most where it matters; more are looked at in part. */
const mostEntries = 20_000;

export const homeChecks: readonly Check[] = [
  { code: "home.directories", look: directories },
  { code: "home.modes", look: modes },
  { code: "home.symlinks", look: links },
  { code: "home.leftovers", look: leftovers },
  { code: "disk.space", look: space },
  { code: "config.file", look: settingsFile },
];

async function directories({ home }: DoctorContext): Promise<CheckResult[]> {
  const missing = homeDirectories.filter(
    (name) => lstatSync(join(home, name), { throwIfNoEntry: false }) === undefined,
  );
  if (missing.length === 0) return [{ code: "home.directories", state: "well", saw: home }];
  const isNew = lstatSync(home, { throwIfNoEntry: false }) === undefined;
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

async function modes({ home }: DoctorContext): Promise<CheckResult[]> {
  const open = walk(home).filter((entry) => !entry.isLink && !entry.isSocket && (entry.mode & 0o077) !== 0);
  if (open.length === 0) return [{ code: "home.modes", state: "well", saw: "only the owner can read the home" }];
  return [
    {
      code: "home.modes",
      state: "warning",
      saw: `others may read or write ${listed(open.map((entry) => entry.path))}`,
      means: "Other users of this machine can see or change what agents say and do.",
      mend: "Run `constel doctor --fix`, or chmod directories to 0700 and files to 0600.",
      fix() {
        for (const entry of open) chmodSync(entry.path, entry.isDirectory ? 0o700 : 0o600);
        return `closed ${open.length} to others`;
      },
    },
  ];
}

async function links({ home }: DoctorContext): Promise<CheckResult[]> {
  const found = walk(home).filter((entry) => entry.isLink);
  if (found.length === 0) return [{ code: "home.symlinks", state: "well", saw: "no symbolic links in the home" }];
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

async function leftovers({ home, clock }: DoctorContext): Promise<CheckResult[]> {
  const old = clock.nowMs() - leftoverAgeMs;
  const found = walk(home).filter((entry) => /\/\.[^/]*\.tmp$/.test(entry.path) && entry.changedMs < old);
  if (found.length === 0) return [{ code: "home.leftovers", state: "well", saw: "no leftovers of interrupted writes" }];
  return [
    {
      code: "home.leftovers",
      state: "note",
      saw: `${found.length} temporary files of writes that were interrupted`,
      means: "A process ended in the middle of a write; the file it was to replace is whole.",
      mend: "Run `constel doctor --fix` to remove them.",
      fix() {
        for (const entry of found) rmSync(entry.path, { force: true });
        return `removed ${found.length}`;
      },
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

async function settingsFile({ settingsProblem }: DoctorContext): Promise<CheckResult[]> {
  const problem = await settingsProblem();
  if (problem === undefined) return [{ code: "config.file", state: "well", saw: "the settings can be read" }];
  return [
    {
      code: "config.file",
      state: "broken",
      saw: problem,
      means: "No verb that needs a setting works until this is mended.",
      mend: "Mend the line it names; `constel config path` says where the file is.",
    },
  ];
}

interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly isLink: boolean;
  readonly isDirectory: boolean;
  readonly isSocket: boolean;
  readonly changedMs: number;
}

/** Workspaces and observed repositories are not the home's own files and are passed over. */
const notOurs = new Set(["workspaces", "observe"]);

function walk(directory: string, found: Entry[] = []): Entry[] {
  const own = lstatSync(directory, { throwIfNoEntry: false });
  if (own === undefined || found.length >= mostEntries) return found;
  if (found.length === 0) found.push(entryOf(directory, own));
  for (const name of readdirSync(directory)) {
    if (notOurs.has(name) || found.length >= mostEntries) continue;
    const path = join(directory, name);
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) continue; // gone while we looked
    found.push(entryOf(path, status));
    if (status.isDirectory()) walk(path, found);
  }
  return found;
}

function entryOf(path: string, status: ReturnType<typeof lstatSync> & object): Entry {
  return {
    path,
    mode: Number(status.mode),
    isLink: status.isSymbolicLink(),
    isDirectory: status.isDirectory(),
    isSocket: status.isSocket(),
    changedMs: Number(status.mtimeMs),
  };
}

function listed(paths: readonly string[]): string {
  return paths.length <= 3 ? paths.join(", ") : `${paths.slice(0, 3).join(", ")} and ${paths.length - 3} more`;
}
