// Names of lines of work that stand on another machine: the private ref under which their owner published them. A side with such a name has no
// worktree here. Everything but the constellation was chosen by others.

const prefix = "refs/constel/";

export const sideRef = (constellation: string, key: string): string => `${prefix}${constellation}/${key}`;

/** True of the branch of a side that stands on another machine. No branch that is checked out here is called so. */
export const isElsewhere = (branch: string | null | undefined): branch is string => branch?.startsWith(prefix) === true;

/** True if a ref is one that constel itself would have made; git reads others as patterns, options or paths. */
export function isSideRef(ref: string): boolean {
  const [, constellation = "", key = ""] = /^refs\/constel\/([^/]+)\/([^/]+)$/.exec(ref) ?? [];
  return isConstellation(constellation) && /^[0-9a-f]{16}$/.test(key);
}

/** As `constellation.name` allows, and as git allows in a ref. */
const isConstellation = (name: string): boolean =>
  /^[a-z0-9][a-z0-9._-]{0,62}$/i.test(name) && !name.includes("..") && !/\.$|\.lock$/i.test(name);
