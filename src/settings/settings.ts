// Environment, flags, config file and directories, merged once into one frozen value that the rest of the program is given.

import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { homedir } from "node:os";
import { Outage, Refusal, systemCode } from "../protocol/errors.ts";
import type { LoadedConfig } from "./config.ts";
import type { Config } from "./declarations.ts";
import type { Env } from "./env.ts";
import { inHome, inRoot } from "./paths.ts";

export interface Settings {
  readonly home: string;
  /** The directory of briefs, notes and workspaces. The home itself in home-only mode. */
  readonly root: string;
  readonly homeOnly: boolean;
  /** The agent this process acts for, when constel started it. */
  readonly agent: string | undefined;
  /** A nearer directory that would be the root, and is not, because another account made it one. */
  readonly passedOver?: string | undefined;
  readonly config: Config;
  readonly origins: LoadedConfig["origins"];
  readonly databaseUrl: string;
}

export interface SettingsFlags {
  readonly home?: string | undefined;
  readonly root?: string | undefined;
  readonly set?: readonly string[];
}

/** The directories only: cheap, and never fails on a malformed config, so the floor can rely on it. */
export function locate(
  env: Env,
  cwd: string,
  flags: SettingsFlags = {},
): Pick<Settings, "home" | "root" | "homeOnly" | "agent" | "passedOver"> {
  for (const flag of ["home", "root"] as const)
    if (flags[flag] === "") throw new Refusal("usage.bad-value", `--${flag} is empty: it needs a directory`, { flag });
  const home = resolve(
    cwd,
    flags.home ?? nonEmpty(env.CONSTEL_HOME) ?? join(nonEmpty(env.HOME) ?? homedir(), ".constel"),
  );
  const named = flags.root ?? nonEmpty(env.CONSTEL_ROOT);
  const nearest = named === undefined ? nearestRoot(cwd) : {};
  const root = named === undefined ? (nearest.root ?? home) : resolve(cwd, named);
  for (const directory of new Set([home, root]))
    if (isSomethingElse(directory))
      throw new Refusal("path.not-a-directory", `${directory} is not a directory`, { path: directory });
  const { passedOver } = nearest;
  const places = { home, root, homeOnly: root === home, agent: nonEmpty(env.CONSTEL_AGENT) };
  return passedOver === undefined ? places : { ...places, passedOver };
}

export async function loadSettings(
  env: Env & Readonly<Record<string, string | undefined>>,
  cwd: string,
  flags: SettingsFlags = {},
): Promise<Settings> {
  const places = locate(env, cwd, flags);
  const filePath = join(places.home, inHome.config);
  const { loadConfig } = await import("./config.ts"); // the TOML parser is not for the fast path
  const { config, origins } = loadConfig({ file: readIfThere(filePath), filePath, env, flags: flags.set ?? [] });
  const databaseUrl = config["store.url"] === "" ? `sqlite:${join(places.home, inHome.database)}` : config["store.url"];
  return Object.freeze({ ...places, config, origins, databaseUrl });
}

/** The text of config.toml as it stands now; undefined when there is none. */
export function configText(home: string): string | undefined {
  return readIfThere(join(home, inHome.config));
}

/** What cannot be looked at is for whoever uses it to tell. */
function isSomethingElse(directory: string): boolean {
  try {
    return statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return false;
  }
}

interface Nearest {
  readonly root?: string;
  readonly passedOver?: string;
}

/**
 * A root's prompts become those of the agents, and its settings name commands. Above the current directory there may be one that all accounts
 * write to, /tmp for instance, so a marker counts when it and its directory are this account's own, or root's.
 */
function nearestRoot(cwd: string): Nearest {
  let passedOver: string | undefined;
  const found = (root?: string): Nearest => ({
    ...(root === undefined ? {} : { root }),
    ...(passedOver === undefined ? {} : { passedOver }),
  });
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    const marker = join(directory, inRoot.marker);
    if (existsSync(marker)) {
      if (isTrusted(marker) && isTrusted(directory)) return found(directory);
      passedOver ??= directory;
    }
    if (dirname(directory) === directory) return found();
  }
}

/** Of a link itself: anybody can make one that leads to a file of ours. */
function isTrusted(path: string): boolean {
  const own = process.getuid?.();
  if (own === undefined) return true;
  const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
  return owner === own || owner === 0;
}

/** Far more than anybody writes by hand. */
const largestConfig = 1024 * 1024;

/** A link is followed, because people keep their config files elsewhere; we write to none. */
function readIfThere(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // a named pipe would make us wait for ever
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return undefined;
    throw new Outage("read", path, cause);
  }
  try {
    const status = fstatSync(fd);
    if (!status.isFile()) throw new Refusal("path.not-a-file", `${path} is not a plain file`, { path });
    if (status.size > largestConfig)
      throw new Refusal("path.too-large", `${path} has ${status.size} bytes`, { path, size: status.size });
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
