// Random work in a worktree for property tests: edits, additions, deletions, renames of files and directories, modes,
// links, files that become directories and the other way round, odd names, line ends.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { chance } from "./scratch.suite.ts";

type Chance = ReturnType<typeof chance>;

const names = [
  "a.txt",
  "b.txt",
  "ünï.txt",
  "sp ace",
  "new\nline",
  "tab\there",
  "u.union",
  "bin.dat",
  "dos.crlf",
  '"quoted"',
];
const directories = ["", "d", "d/sub", "e", "ñ", "lib/deep/er"];

export const attributes =
  "*.union merge=union\n*.dat binary\n*.crlf text eol=crlf\n*.txt custom=1 merge=unknown-driver\n";

/** The files that both sides start from. */
export function startFiles(random: Chance): Record<string, string> {
  const files: Record<string, string> = { ".gitattributes": attributes, ".gitignore": "ignored/\n*.log\n" };
  for (const directory of directories) {
    for (const name of names) if (random.coin(0.5)) files[join(directory, name)] = text(random, `${directory}/${name}`);
  }
  return files;
}

/** Some steps of work. */
export function work(random: Chance, top: string, steps: number): void {
  for (let step = 0; step < steps; step++) one(random, top);
}

function one(random: Chance, top: string): void {
  const files = filesOf(top);
  const some = files.length === 0 ? undefined : random.pick(files);
  const fresh = join(random.pick(directories), random.coin(0.5) ? random.pick(names) : `new${random.below(4)}.txt`);
  switch (random.below(13)) {
    case 0:
    case 1:
    case 2:
    case 3:
      if (some !== undefined) edit(random, join(top, some));
      return;
    case 4:
    case 5:
      return put(top, fresh, text(random, fresh));
    case 6:
      if (some !== undefined) rmSync(join(top, some));
      return;
    case 7:
      if (some !== undefined) move(top, some, fresh);
      return;
    case 8:
      if (some !== undefined && !lstatSync(join(top, some)).isSymbolicLink()) {
        chmodSync(join(top, some), random.coin(0.5) ? 0o755 : 0o644);
      }
      return;
    case 9:
      if (some !== undefined && random.coin(0.5)) rmSync(join(top, some));
      else put(top, join(random.pick(directories), "x.log"), "ignored\n");
      if (isFree(top, fresh) && lstatSync(join(top, fresh), { throwIfNoEntry: false }) === undefined) {
        mkdirSync(dirname(join(top, fresh)), { recursive: true });
        symlinkSync(`target${random.below(2)}`, join(top, fresh));
      }
      return;
    case 10: {
      const from = random.pick(directories.filter((name) => name !== ""));
      const to = random.pick(["moved", "d", "e/inside", "other"]);
      if (existsSync(join(top, from)) && !to.startsWith(`${from}/`) && from !== to && !existsSync(join(top, to)))
        move(top, from, to);
      return;
    }
    case 11: {
      const directory = random.pick(["d", "e"]);
      if (!random.coin(0.4) || !isFree(top, directory)) return;
      rmSync(join(top, directory), { recursive: true, force: true });
      if (isFree(top, directory)) writeFileSync(join(top, directory), "now a file\n");
      return;
    }
    default:
      if (some !== undefined && random.coin(0.4) && !some.startsWith(".git")) {
        rmSync(join(top, some));
        put(top, `${some}/inner.txt`, "now a directory\n");
      }
  }
}

function edit(random: Chance, path: string): void {
  if (lstatSync(path).isSymbolicLink() || path.endsWith(".gitignore") || path.endsWith(".gitattributes")) return;
  const lines = readFileSync(path, "utf8").split("\n");
  const at = random.below(lines.length);
  const how = random.below(3);
  if (how === 0) lines[at] = `edited ${random.below(5)}`;
  else if (how === 1) lines.splice(at, 0, `inserted ${random.below(5)}`, "<<<<<<< not a marker", "=======");
  else lines.splice(at, 1);
  writeFileSync(path, lines.join("\n"));
}

function text(random: Chance, seed: string): string {
  const end = seed.endsWith(".crlf") && random.coin(0.5) ? "\r\n" : "\n";
  const lines = Array.from({ length: 6 + random.below(20) }, (_, line) => `line ${line} of ${seed.length} ${line % 3}`);
  return (seed.endsWith(".dat") ? "\0" : "") + lines.join(end) + (random.coin(0.8) ? end : "");
}

function put(top: string, path: string, content: string): void {
  if (!isFree(top, path) || lstatSync(join(top, path), { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), content);
}

function move(top: string, from: string, to: string): void {
  if (!isFree(top, to) || lstatSync(join(top, to), { throwIfNoEntry: false }) !== undefined) return;
  if (`${to}/`.startsWith(`${from}/`)) return;
  mkdirSync(dirname(join(top, to)), { recursive: true });
  renameSync(join(top, from), join(top, to));
}

/** No file or link stands where a directory is needed. */
function isFree(top: string, path: string): boolean {
  const parts = path.split("/").slice(0, -1);
  for (let depth = 1; depth <= parts.length; depth++) {
    const stat = lstatSync(join(top, ...parts.slice(0, depth)), { throwIfNoEntry: false });
    if (stat === undefined) return true;
    if (!stat.isDirectory()) return false;
  }
  return true;
}

function filesOf(top: string): string[] {
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(top.length + 1))
    .filter(
      (path) => path !== ".git" && !path.startsWith(".git/") && path !== ".gitignore" && path !== ".gitattributes",
    )
    .sort();
}
