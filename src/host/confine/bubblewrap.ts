// Confines agents' programs with bubblewrap, on Linux. Looks up what is there on this machine; bubblewrap-arguments.ts says how it
// is put to bubblewrap.

import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ConfinedPlan, Confinement } from "../../ports/confinement.ts";
import type { Processes } from "../../ports/machine.ts";
import { messageOf, systemCode } from "../../protocol/errors.ts";
import { apart, bubblewrapArguments, machine } from "./bubblewrap-arguments.ts";

const program = "bwrap";
const probeMs = 10_000;

export interface BubblewrapOptions {
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string>>;
  /** The command line of this program. */
  readonly self: readonly string[];
  readonly platform?: string;
}

export function bubblewrap(options: BubblewrapOptions): Confinement {
  let works: Promise<string | undefined> | undefined;
  return {
    problem: async (home) => linkedHome(home) ?? (await (works ??= tryIt(options))),
    command(plan, argv) {
      const words = [program, ...bubblewrapArguments(shownTo(plan, options.self)), ...argv] as const;
      const [first, ...more] = plan.isApart === true && mayGiveUpRights(plan.env) ? options.self : [];
      return first === undefined ? words : [first, ...more, "adopt-orphans", "--apart", "--", ...words];
    },
  };
}

/** False if bubblewrap itself needs the rights of its file: then its starter must not have given up getting any (scope-sockets.ts). */
function mayGiveUpRights(env: ConfinedPlan["env"]): boolean {
  const found = Bun.which(program, { PATH: env["PATH"] ?? "" });
  return found !== null && (statSync(found).mode & 0o4000) === 0;
}

async function tryIt({ processes, env, platform = process.platform }: BubblewrapOptions): Promise<string | undefined> {
  if (platform !== "linux") return `confining agents is not built yet for ${platform}; on Linux and macOS it is`;
  if (Bun.which(program, { PATH: env["PATH"] ?? "" }) === null)
    return "bubblewrap (`bwrap`) is not on the PATH; install your system's package `bubblewrap`";
  const command = [program, ...apart, ...machine, "--tmpfs", "/tmp", "--remount-ro", "/tmp"];
  try {
    const outcome = await processes.run([...command, "--", "/bin/sh", "-c", ":"], {
      env,
      deadlineMs: probeMs,
    });
    if (outcome.code === 0) return undefined;
    const said = outcome.stderr.trim().split("\n").at(-1) ?? "";
    return `bubblewrap cannot make a sandbox here (${said === "" ? `it ended with ${outcome.code}` : said}); it needs user namespaces`;
  } catch (cause) {
    return `bubblewrap could not be tried: ${messageOf(cause)}`;
  }
}

/** Mounts have real paths; under another name the home would still be what it is outside. */
export function linkedHome(home: string): string | undefined {
  const real = realPath(home);
  return real === home ? undefined : `the home ${home} is reached through a link; name it as ${real}`;
}

/** The places where programs and people leave sockets, keys and files for each other. */
const sharedPlaces = ["/tmp", "/var/tmp", "/run", "/home", "/root"];

/** Here the sandbox has its own, and nothing of the machine's. */
const ownPlaces = ["/dev", "/proc"];

/**
 * The variables that lead to other programs of this account: terminals, agents that hold keys, the service manager, displays. More are
 * known by their value.
 */
const alwaysUnset = ["TMUX", "TMUX_PANE", "TMUX_TMPDIR", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO"].concat([
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "DISPLAY",
  "WAYLAND_DISPLAY",
]);

export function shownTo(plan: ConfinedPlan, self: readonly string[]): Parameters<typeof bubblewrapArguments>[0] {
  const { home, env } = plan;
  const inHome = (relative: string): string => join(home, relative);
  const own = [env["HOME"], env["TMUX_TMPDIR"], env["TMPDIR"], env["XDG_RUNTIME_DIR"]];
  const hides = [...sharedPlaces, ...plan.hides, ...own.flatMap((path) => path ?? [])].filter((path) =>
    path.startsWith("/"),
  );
  const isHomeOnly = plan.root === home;
  const sockets = socketsNamed(env);
  // A link, such as /var/run, leads to what is hidden under its real name.
  const hidden = [...new Set(hides.filter((path) => existsSync(path)).map(realPath))].filter((path) => path !== "/");
  const writes = [...plan.writes.map(realPath), ...plan.homeWrites.map(inHome)];
  const covered = [...ownPlaces, ...hidden, home, ...writes];
  const isCovered = (path: string): boolean =>
    [path, realPath(path)].some((one) => covered.some((place) => one === place || one.startsWith(`${place}/`)));
  const reads = [
    ...toolsOf(plan, self),
    ...(isHomeOnly ? [] : [realPath(plan.root)]),
    ...plan.reads,
    ...plan.homeReads.map(inHome),
  ];
  return {
    hides: hidden,
    // All else is there already, read-only: with each directory of a long PATH the command would be longer than a terminal takes.
    reads: [...new Set(reads)].filter((path) => isCovered(path) && !isOutOfReach(path)),
    covers: sockets.paths,
    writes,
    links: plan.homeLinks.map(([name, target]) => [inHome(name), target] as const),
    closed: home,
    cwd: plan.cwd ?? plan.root,
    unset: [...new Set([...alwaysUnset, ...sockets.names])],
    set: { ...(plan.cwd === undefined ? { CONSTEL_CONFINED: "1" } : {}), TMPDIR: "/tmp" },
  };
}

/**
 * Variables whose value names the socket of a program: whoever finds it is spoken to as the owner is (a key agent, an editor, a terminal, a container
 * service). A read-only place keeps nobody from connecting, so the socket itself is covered too.
 */
function socketsNamed(env: ConfinedPlan["env"]): {
  readonly names: readonly string[];
  readonly paths: readonly string[];
} {
  const found = Object.entries(env).flatMap(([name, value]) => {
    const paths = value
      .split(/[,;:=]/)
      .flatMap((part) => (part.startsWith("/") && isSocket(part) ? realPath(part) : []));
    return paths.length > 0 || /unix:@|abstract=/.test(value) ? [{ name, paths }] : [];
  });
  return { names: found.map(({ name }) => name), paths: [...new Set(found.flatMap(({ paths }) => paths))] };
}

function isSocket(path: string): boolean {
  try {
    return statSync(path).isSocket();
  } catch {
    return false; // missing, or out of this account's reach: no way to anybody
  }
}

/** Programs, and what git must know to commit: they may stand in places that are hidden otherwise. */
function toolsOf({ env, program: agentProgram }: ConfinedPlan, self: readonly string[]): string[] {
  const path = (env["PATH"] ?? "").split(":").filter((part) => part.startsWith("/"));
  const user = env["HOME"];
  const git =
    user === undefined ? [] : [join(user, ".gitconfig"), ...gitFiles(env["XDG_CONFIG_HOME"] ?? join(user, ".config"))];
  const programs = [...self.filter((word) => word.startsWith("/")), ...(agentProgram === "" ? [] : [agentProgram])];
  const names = existsSync("/etc/resolv.conf") ? [realPath("/etc/resolv.conf")] : [];
  return [...path, ...git, ...programs.flatMap((one) => [dirname(one), ...packageOf(realPath(one))]), ...names];
}

/** Not the whole directory: git keeps passwords in it, too. */
const gitFiles = (directory: string): string[] =>
  ["config", "ignore", "attributes"].map((name) => join(directory, "git", name));

/** The package that a program belongs to: what is beside it may be needed to run it. */
function packageOf(path: string): string[] {
  const at = path.indexOf("/node_modules/");
  if (at !== -1) return [path.slice(0, at), path.slice(0, at + "/node_modules".length)];
  return [path.endsWith("/src/main.ts") ? dirname(dirname(path)) : dirname(path)];
}

/** bubblewrap leaves out what is missing, and gives up at what it may not look at: another's directory on the PATH, a loop of links. */
function isOutOfReach(path: string): boolean {
  try {
    realpathSync(path);
    return false;
  } catch (cause) {
    return systemCode(cause) !== "ENOENT";
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
