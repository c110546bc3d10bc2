// One identity per repository, whatever clone it is seen through: the remote's address in one normal form, else the
// oldest root commit, else (no commit yet) the place of the git directory.

import { createHash } from "node:crypto";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { RepositoryIdentity } from "../../../ports/git.ts";
import { Outage, systemCode } from "../../../protocol/errors.ts";
import { readSettings, type Settings } from "./allowed-settings.ts";
import { type Git, GitFailure } from "../git.ts";
import { locate } from "./locate.ts";

export async function identify(
  git: Git,
  commonDirectory: string,
  settings: Settings,
  depth = 4,
): Promise<RepositoryIdentity> {
  const url = chooseRemote(settings.remotes);
  const remote = url === undefined ? undefined : normaliseRemote(url);
  if (remote !== undefined) return `remote:${remote}`;
  // A remote that is a directory on this machine is the same repository as that directory is.
  const local = url === undefined ? undefined : localPath(url, commonDirectory);
  if (local !== undefined && depth > 0) {
    const source = await locate(git, local);
    // It would be known by another name the next time.
    if ("reason" in source && source.isUnknown === true) throw new Outage("git", local, source.reason);
    if (!("reason" in source) && source.commonDirectory !== commonDirectory) {
      const outer = await readSettings(git, source.commonDirectory, source.top);
      return await identify(git, source.commonDirectory, outer, depth - 1);
    }
  }
  const root = await oldestRoot(git, commonDirectory);
  if (root !== undefined) return `root:${root}`;
  refuseClosedRefs(commonDirectory);
  return `path:${commonDirectory}`;
}

/** git says nothing of branches that it may not read: a repository with commits would be known as one without any, and by another name the next time. */
function refuseClosedRefs(commonDirectory: string): void {
  const look = (path: string): void => {
    try {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const inside = join(path, entry.name);
        const status = statSync(inside, { throwIfNoEntry: false });
        if (status?.isDirectory()) look(inside);
        else if (status !== undefined) accessSync(inside, constants.R_OK);
      }
    } catch (cause) {
      if (cause instanceof Outage) throw cause;
      if (systemCode(cause) !== "ENOENT") throw new Outage("read", path, cause);
    }
  };
  look(join(commonDirectory, "refs"));
}

/** A short name for directories. */
export function identityHash(identity: RepositoryIdentity): string {
  return createHash("sha256").update(identity).digest("hex").slice(0, 24);
}

/** `host/path` of an address in any of git's forms; undefined for a path on this machine or what cannot be read. */
export function normaliseRemote(url: string): string | undefined {
  const trimmed = url.trim();
  const withScheme = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(trimmed);
  if (withScheme !== null) {
    const [, scheme = "", rest = ""] = withScheme;
    const slash = rest.indexOf("/");
    if (slash === -1 || scheme.toLowerCase() === "file") return undefined;
    return joinRemote(hostOf(rest.slice(0, slash), scheme.toLowerCase()), rest.slice(slash + 1));
  }
  // scp form: a colon before any slash, and more than a drive letter before it
  const scp = /^((?:[^/@]+@)?(?:\[[^\]]+\]|[^/:@]{2,})):(?!\/\/)(.+)$/s.exec(trimmed);
  return scp === null ? undefined : joinRemote(hostOf(scp[1] ?? "", "ssh"), scp[2] ?? "");
}

const defaultPorts: Readonly<Record<string, string>> = {
  ssh: "22",
  "git+ssh": "22",
  "ssh+git": "22",
  http: "80",
  https: "443",
  git: "9418",
  ftp: "21",
  ftps: "990",
};

function hostOf(authority: string, scheme: string): string {
  const host = authority.slice(authority.lastIndexOf("@") + 1).toLowerCase();
  const port = /^(.*):(\d+)$/.exec(host);
  const bare = port?.[2] !== undefined && port[2] === defaultPorts[scheme] ? (port[1] ?? host) : host;
  return bare.replace(/\.$/, "");
}

function joinRemote(host: string, path: string): string | undefined {
  const clean = path
    .replace(/^[/~]+/, "")
    .replace(/[?#].*$/s, "")
    .replace(/\/{2,}/g, "/")
    .replace(/(?<!\/)\/+$/, "")
    .replace(/\.git$/i, "")
    .replace(/(?<!\/)\/+$/, "");
  return host === "" || clean === "" ? undefined : `${host}/${clean}`;
}

function chooseRemote(remotes: ReadonlyMap<string, string>): string | undefined {
  const origin = remotes.get("origin");
  if (origin !== undefined) return origin;
  const first = [...remotes.keys()].sort()[0];
  return first === undefined ? undefined : remotes.get(first);
}

/** The directory on this machine that an address means; undefined when it is none. */
export function localPath(url: string, commonDirectory: string): string | undefined {
  const path = url.replace(/^file:\/\/(localhost)?(?=\/)/i, "");
  if (/^[a-z][a-z0-9+.-]*::?\/\//i.test(path)) return undefined;
  // A relative address counts from the worktree's top, which for a plain clone is one above the git directory.
  return isAbsolute(path) ? path : resolve(commonDirectory, "..", path);
}

/**
 * Orphan branches come later than the first commit, so the oldest root is the one that every clone has. `rev-list` and
 * not `log`, because `log.showSignature` would start a program of the repository's choice.
 */
async function oldestRoot(git: Git, commonDirectory: string): Promise<string | undefined> {
  const args = ["rev-list", "--max-parents=0", "--timestamp", "--all"];
  const outcome = await git.try({ args, variables: { GIT_DIR: commonDirectory } });
  // A pipe in a branch's place stays there; who was merely ended would be known by another name the next time.
  if (outcome.code === null && outcome.waitedForPipe !== true) throw new GitFailure(args, outcome);
  const roots = Buffer.from(outcome.stdout).toString("utf8").split("\n").filter(Boolean);
  const sorted = roots
    .map((line) => line.split(" "))
    .sort(([a = "", x = ""], [b = "", y = ""]) => Number(a) - Number(b) || (x < y ? -1 : 1));
  return sorted[0]?.[1];
}
