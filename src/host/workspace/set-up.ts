// Makes a fresh workspace ready to run, as constel.toml says under [workspace]: files to copy from the source's checkout
// (what git ignores, such as .env), a command with a deadline, and a range of ports of its own. The root directory's file
// outranks the repository's, key by key.
//
//   [workspace]
//   copy = [".env", "config/local.toml"]
//   setup = "npm ci"
//   setup_deadline_seconds = 600

import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";
import { Outage, Refusal, systemCode } from "../../protocol/errors.ts";
import type { SetUpOutcome, WorkspaceWish } from "../../ports/workspace.ts";
import { childEnvironment } from "../process/child-environment.ts";
import { placeOf } from "./place.ts";
import type { WorkGit } from "./work-git.ts";

export interface SetUpWish extends Pick<WorkspaceWish, "root" | "ports" | "environment" | "branch" | "signal"> {
  readonly path: string;
}

const tailBytes = 4_000;
const largestCopy = 16 * 1024 * 1024;

/** Before the workspace is at its place, so that a refusal leaves nothing behind. */
export function copyFiles(root: string, sourceTop: string | undefined, path: string): string[] {
  const copied: string[] = [];
  for (const name of configFor(root, path).copy ?? []) {
    if (sourceTop !== undefined && copyOne(sourceTop, path, name)) copied.push(name);
  }
  return copied;
}

export async function runSetUp(git: WorkGit, wish: SetUpWish): Promise<Pick<SetUpOutcome, "command" | "tail">> {
  const config = configFor(wish.root, wish.path);
  if (config.setup === undefined) return { command: "none", tail: "" };
  const outcome = await git.processes.run(["sh", "-c", `exec 2>&1; ${config.setup}`], {
    cwd: wish.path,
    env: childEnvironment(git.environment, { ...wish.environment, ...portVariables(wish.ports) }),
    deadlineMs: config.deadlineMs ?? 600_000,
    ...(wish.signal === undefined ? {} : { signal: wish.signal }),
  });
  const tail = new TextDecoder().decode(outcome.stdout.slice(-tailBytes)).trim();
  return { command: outcome.timedOut ? "late" : outcome.code === 0 ? "done" : "failed", tail };
}

/** How a program in the workspace learns which ports are its own. */
export function portVariables(ports: WorkspaceWish["ports"]): Record<string, string> {
  if (ports === undefined) return {};
  const last = ports.first + ports.count - 1;
  return { CONSTEL_PORT: String(ports.first), CONSTEL_PORT_LAST: String(last), PORT: String(ports.first) };
}

interface WorkspaceConfig {
  copy?: string[];
  setup?: string;
  deadlineMs?: number;
}

function configFor(root: string, path: string): WorkspaceConfig {
  return { ...readConfig(path), ...readConfig(root) };
}

function readConfig(directory: string): WorkspaceConfig {
  const path = join(directory, "constel.toml");
  let text: string;
  try {
    if (!lstatSync(path).isFile()) return {};
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return {};
    throw new Outage("read", path, cause);
  }
  let table: Record<string, unknown>;
  try {
    table = parse(text);
  } catch (cause) {
    const where = cause instanceof Error ? cause.message.split("\n")[0] : "";
    throw new Refusal("config.malformed", `${path}: ${where}`, { path });
  }
  const workspace = table["workspace"];
  if (typeof workspace !== "object" || workspace === null) return {};
  const { copy, setup, setup_deadline_seconds: seconds } = workspace as Record<string, unknown>;
  return {
    ...(Array.isArray(copy) ? { copy: copy.filter((name) => typeof name === "string") } : {}),
    ...(typeof setup === "string" && setup.trim() !== "" ? { setup } : {}),
    ...(typeof seconds === "number" && seconds > 0 ? { deadlineMs: seconds * 1000 } : {}),
  };
}

/** A plain file from the source's checkout; a link on either side is refused, and a file that is not there is passed over. */
function copyOne(from: string, to: string, name: string): boolean {
  const origin = placeOf(from, name);
  const stat = lstatSync(origin, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isFile()) throw new Refusal("path.not-a-file", `${origin} is not a plain file`, { path: origin });
  if (stat.size > largestCopy) throw new Refusal("path.too-large", `${origin} is over 16 MiB`, { path: origin });
  const copy = placeOf(to, name);
  if (lstatSync(copy, { throwIfNoEntry: false }) !== undefined) return false; // the repository has its own
  mkdirSync(dirname(copy), { recursive: true });
  placeOf(to, name);
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  const file = openSync(copy, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    writeSync(file, readFileSync(origin));
  } finally {
    closeSync(file);
  }
  chmodSync(copy, stat.mode & 0o777);
  return true;
}
