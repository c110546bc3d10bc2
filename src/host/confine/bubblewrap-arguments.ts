// The words that make bubblewrap show a program so much and no more. Pure: what is there and what is not was looked up before.
//
// The whole machine is there, read-only, but for the places where people and programs keep what is their own: those are empty
// and private. Into them comes back what was named. A place inside another is laid after it, whatever order they were named in.
// constel's home is closed when all in it is laid, so that nothing can be added to it.

export interface Shown {
  /** Empty directories of the program's own, which it may fill. */
  readonly hides: readonly string[];
  /** Left out where they are missing. */
  readonly reads: readonly string[];
  /** These must be there. */
  readonly writes: readonly string[];
  /** Sockets of other programs: nothing is there. */
  readonly covers: readonly string[];
  /** A name, and what it points to. */
  readonly links: readonly (readonly [name: string, target: string])[];
  /** Empty but for what is laid into it, and nothing can be made in it. */
  readonly closed: string;
  readonly cwd: string;
  readonly unset: readonly string[];
  readonly set: Readonly<Record<string, string>>;
}

interface Laid {
  readonly path: string;
  readonly words: readonly string[];
  /** Of several at one path: what hides comes after what shows the whole, and what must be written comes last. */
  readonly rank: number;
}

/** Processes of others cannot be seen, signalled or traced; nothing is left when the first one ends. */
export const apart: readonly string[] =
  "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --die-with-parent --cap-drop ALL".split(" ");

/**
 * The kernel asks who writes its settings by number, not by rights: an account that is root's could change them from inside (`core_pattern` names a
 * program that the machine runs), and bubblewrap by itself covers only what it could have written without rights.
 */
const kernelSettings = "--ro-bind /proc/sys /proc/sys --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger";
export const machine: readonly string[] = `--ro-bind / / --dev /dev --proc /proc ${kernelSettings}`.split(" ");

export function bubblewrapArguments(shown: Shown): string[] {
  const laid: Laid[] = [
    ...shown.reads.map((path) => ({ path, words: ["--ro-bind-try", path, path], rank: 0 })),
    ...[...shown.hides, shown.closed].map((path) => ({ path, words: ["--tmpfs", path], rank: 1 })),
    ...shown.writes.map((path) => ({ path, words: ["--bind", path, path], rank: 2 })),
    ...shown.covers.map((path) => ({ path, words: ["--ro-bind", "/dev/null", path], rank: 3 })),
    ...shown.links.map(([path, target]) => ({ path, words: ["--symlink", target, path], rank: 2 })),
  ];
  return [
    ...apart,
    ...machine,
    ...laid.sort(outerFirst).flatMap(({ words }) => words),
    "--remount-ro",
    shown.closed,
    ...shown.unset.flatMap((name) => ["--unsetenv", name]),
    ...Object.entries(shown.set).flatMap(([name, value]) => ["--setenv", name, value]),
    "--chdir",
    shown.cwd,
    "--",
  ];
}

function outerFirst(a: Laid, b: Laid): number {
  return depth(a.path) - depth(b.path) || a.rank - b.rank;
}

const depth = (path: string): number => path.split("/").filter((part) => part !== "").length;
