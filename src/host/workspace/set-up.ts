// Makes a fresh workspace ready to run, as constel.toml says under [workspace]: files to copy from the source's checkout
// (what git ignores, such as .env), a command with a deadline, and a range of ports of its own. The root directory's file
// outranks the repository's, key by key.
//
//   [workspace]
//   copy = [".env", "config/local.toml"]
//   setup = "npm ci"
//   setup_deadline_seconds = 600

import { basename, dirname, join } from "node:path";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { type ConstelToml, constelTomlName, readConstelToml } from "../../protocol/constel-toml.ts";
import type { SetUpOutcome, WorkspaceWish } from "../../ports/workspace.ts";
import { tomlInDirectory } from "../gate/find-constel-toml.ts";
import { runCommand } from "../gate/run-command.ts";
import type { WorkGit } from "./work-git.ts";

export interface SetUpWish extends Pick<WorkspaceWish, "root" | "ports" | "environment" | "branch" | "signal"> {
  readonly path: string;
}

const tailLength = 4_000;
const largestCopy = 16 * 1024 * 1024;

/**
 * Before the workspace is at its place, so that a refusal leaves nothing behind. Files that git ignores are often secrets. A confined agent is given those
 * that the owner names in the root directory's file, and no others: agents' work can change the repository's, and would so hand itself what
 * the sandbox hides.
 */
export function copyFiles(
  root: string,
  sourceTop: string | undefined,
  path: string,
  isConfined: boolean,
): { readonly copied: string[]; readonly notes: string[] } {
  const { repository, own } = configsFor(root, path);
  const names = sourceTop === undefined ? [] : (own.copy ?? repository.copy ?? []);
  if (!isConfined || own.copy !== undefined)
    return { copied: names.filter((name) => copyOne(sourceTop ?? "", path, name)), notes: [] };
  const notes = names.map(
    (name) =>
      `${name} was not copied into the confined workspace: only the repository's ${constelTomlName} names it, which agents' work can change; name it in ${join(root, constelTomlName)}`,
  );
  return { copied: [], notes };
}

export async function runSetUp(git: WorkGit, wish: SetUpWish): Promise<Pick<SetUpOutcome, "command" | "tail">> {
  const config = configFor(wish.root, wish.path);
  if (config.setup === undefined) return { command: "none", tail: "" };
  const run = await runCommand(git, {
    command: config.setup,
    cwd: wish.path,
    variables: { ...wish.environment, ...portVariables(wish.ports) },
    deadlineMs: config.setupDeadlineMs ?? 600_000,
    signal: wish.signal,
  });
  const tail = run.printed.slice(-tailLength);
  if (run.kind === "late") return { command: "late", tail };
  return { command: run.kind === "ended" && run.isGood ? "done" : "failed", tail };
}

/** Returns the variables that tell a program in the workspace which ports are its own. */
export function portVariables(ports: WorkspaceWish["ports"]): Record<string, string> {
  if (ports === undefined) return {};
  const last = ports.first + ports.count - 1;
  return { CONSTEL_PORT: String(ports.first), CONSTEL_PORT_LAST: String(last), PORT: String(ports.first) };
}

/** Key by key: what the root directory says outranks what the repository says. */
function configFor(root: string, path: string): ConstelToml["workspace"] {
  const { repository, own } = configsFor(root, path);
  return { ...repository, ...own };
}

function configsFor(root: string, path: string): Readonly<Record<"repository" | "own", ConstelToml["workspace"]>> {
  return {
    repository: readConstelToml(tomlInDirectory(path), `${constelTomlName} of the repository`).workspace,
    own: readConstelToml(tomlInDirectory(root), join(root, constelTomlName)).workspace,
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
