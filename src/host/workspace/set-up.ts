// Makes a fresh workspace ready to run, as constel.toml says under [workspace]: files to copy from the source's checkout
// (what git ignores, such as .env), a command with a deadline, and a range of ports of its own. The root directory's file
// outranks the repository's, key by key.
//
//   [workspace]
//   copy = [".env", "config/local.toml"]
//   setup = "npm ci"
//   setup_deadline_seconds = 600

import { lstatSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse } from "smol-toml";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { Outage, Refusal, systemCode } from "../../protocol/errors.ts";
import type { SetUpOutcome, WorkspaceWish } from "../../ports/workspace.ts";
import { childEnvironment } from "../process/child-environment.ts";
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
  const last = basename(name);
  const found = absentAsUndefined(() => {
    using origin = TrustedDirectory.open(from, dirname(name));
    const mode = (origin.stat(last)?.mode ?? 0) & 0o777;
    const content = origin.read(last, { maxBytes: largestCopy });
    return content === undefined ? undefined : { mode, content };
  });
  if (found === undefined) return false;
  using directory = TrustedDirectory.open(to, dirname(name), { create: true });
  if (directory.stat(last) !== undefined) return false; // the repository has its own
  directory.writeNew(last, found.content, { sync: false });
  directory.setMode(last, found.mode);
  return true;
}
