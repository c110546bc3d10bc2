// The few settings of an observed repository that change what its files mean, copied into our private git directories.
// Everything else a repository's configuration says, above all what names a program, is never read by the commands that
// could act on it. Values are checked, so that nothing but a plain value gets through.

import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { type Git, GitFailure } from "../git.ts";
import { fieldsOf } from "../objects/path-text.ts";

export interface Settings {
  /** Allowed settings by their lower-case name, last value wins. */
  readonly values: ReadonlyMap<string, string>;
  readonly remotes: ReadonlyMap<string, string>;
  /** Short branch name to `remote/branch`. */
  readonly upstreams: ReadonlyMap<string, string>;
  /** Names of merge drivers that have a program. It is never run, and not kept here. */
  readonly mergeDrivers: ReadonlySet<string>;
}

const boolean = /^(true|false|yes|no|on|off|1|0|)$/i;
const word = (...words: readonly string[]): RegExp => new RegExp(`^(${words.join("|")})$`, "i");
const number = /^\d{1,9}$/;
const path = "path";

// The settings named here say how git merges, hashes or ignores; none of these can start a program.
const allowed: Readonly<Record<string, RegExp | typeof path>> = {
  "core.autocrlf": word("true", "false", "input", "yes", "no", "on", "off", "1", "0"),
  "core.eol": word("lf", "crlf", "native"),
  "core.ignorecase": boolean,
  "core.filemode": boolean,
  "core.symlinks": boolean,
  "core.precomposeunicode": boolean,
  "core.trustctime": boolean,
  "core.checkstat": word("default", "minimal"),
  "core.checkroundtripencoding": /^[\w\-, ]{1,200}$/,
  "core.excludesfile": path,
  "core.attributesfile": path,
  "core.sparsecheckout": boolean,
  "core.sparsecheckoutcone": boolean,
  "index.sparse": boolean,
  "merge.renames": word("true", "false", "copies", "copy", "yes", "no", "on", "off", "1", "0"),
  "merge.renamelimit": number,
  "merge.directoryrenames": word("true", "false", "conflict", "yes", "no", "on", "off", "1", "0"),
  "merge.renormalize": boolean,
  "diff.renames": word("true", "false", "copies", "copy", "yes", "no", "on", "off", "1", "0"),
  "diff.renamelimit": number,
};

export async function readSettings(git: Git, gitDirectory: string, top: string | undefined): Promise<Settings> {
  return settingsFrom(await listSettings(git, gitDirectory), git.home, top ?? gitDirectory);
}

/** Name and value of all that is set for a worktree, in order. */
export type SettingsList = readonly (readonly [name: string, value: string])[];

export async function listSettings(git: Git, gitDirectory: string): Promise<SettingsList> {
  const args = ["config", "--list", "-z", "--includes"];
  const outcome = await git.try({
    args,
    variables: { GIT_DIR: gitDirectory },
    withUserConfig: true,
    deadlineMs: 10_000,
  });
  if (outcome.code !== 0) throw new GitFailure(args.slice(0, 1), outcome);
  return fieldsOf(outcome.stdout).map((field) => {
    const entry = Buffer.from(field).toString("utf8");
    const cut = entry.indexOf("\n");
    return cut === -1 ? [entry, "true"] : [entry.slice(0, cut), entry.slice(cut + 1)];
  });
}

/** Tells whether every worktree of the clone has just these settings: none of its own, and none that depend on where it is. */
export function isSharedByWorktrees(list: SettingsList): boolean {
  return !list.some(([name]) => /^(include|includeif\..*)\.path$|^extensions\.worktreeconfig$/is.test(name));
}

/** `base` is what a relative path in the settings starts from. */
export function settingsFrom(list: SettingsList, home: string | undefined, base: string): Settings {
  const values = new Map<string, string>();
  const remotes = new Map<string, string>();
  const tracking = new Map<string, { remote?: string; merge?: string }>();
  const mergeDrivers = new Set<string>();
  for (const [name, value] of list) {
    takeAllowed(values, name.toLowerCase(), value, home ?? homedir(), base);
    const remote = /^remote\.(.+)\.url$/s.exec(name)?.[1];
    if (remote !== undefined && !remotes.has(remote)) remotes.set(remote, value);
    const driver = /^merge\.(.+)\.driver$/s.exec(name)?.[1];
    if (driver !== undefined && value !== "") mergeDrivers.add(driver);
    const branch = /^branch\.(.+)\.(remote|merge)$/s.exec(name);
    if (branch?.[1] !== undefined) {
      const known = tracking.get(branch[1]) ?? {};
      tracking.set(branch[1], branch[2] === "remote" ? { ...known, remote: value } : { ...known, merge: value });
    }
  }
  return { values, remotes, upstreams: upstreamsOf(tracking), mergeDrivers };
}

/** The text of a private git directory's configuration. */
export function privateConfig(settings: ReadonlyMap<string, string>, objectFormat: "sha1" | "sha256"): string {
  const lines = ["[core]", `\trepositoryFormatVersion = ${objectFormat === "sha256" ? 1 : 0}`, "\tbare = false"];
  if (objectFormat === "sha256") lines.push("[extensions]", "\tobjectFormat = sha256");
  for (const [name, value] of [...settings].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [section = "", key = ""] = name.split(".");
    lines.push(`[${section}]`, `\t${key} = "${value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`);
  }
  return `${lines.join("\n")}\n`;
}

function takeAllowed(into: Map<string, string>, name: string, value: string, home: string, base: string): void {
  const rule = allowed[name];
  if (rule === undefined) return;
  if (rule !== path) {
    if (rule.test(value)) into.set(name, value);
    return;
  }
  const expanded = value.startsWith("~/") ? `${home}/${value.slice(2)}` : value;
  if (value.startsWith("%(") || value === "" || /[\0\r]/.test(value)) return;
  into.set(name, isAbsolute(expanded) ? expanded : resolve(base, expanded));
}

function upstreamsOf(tracking: ReadonlyMap<string, { remote?: string; merge?: string }>): Map<string, string> {
  const upstreams = new Map<string, string>();
  for (const [branch, { remote, merge }] of tracking) {
    if (remote === undefined || merge === undefined) continue;
    const short = merge.replace(/^refs\/heads\//, "");
    upstreams.set(branch, remote === "." ? short : `${remote}/${short}`);
  }
  return upstreams;
}
