// Finds a constel.toml in a directory on disk, or in a commit. It reports the text as it is; its one reader decides what it means.

import { existsSync, readdirSync } from "node:fs";
import { systemCode, Refusal } from "../../protocol/errors.ts";
import { constelTomlName, type FoundToml, largestConstelToml, tomlBeside } from "../../protocol/constel-toml.ts";
import { readTrusted } from "../../files/trusted-files.ts";
import type { WorkGit } from "../workspace/work-git.ts";

/** In the root directory, or in a checkout. No link is followed: whoever planted it would choose the gate. */
export function tomlInDirectory(directory: string): FoundToml {
  try {
    const bytes = readTrusted(directory, constelTomlName);
    if (bytes !== undefined) return { kind: "file", bytes };
    return tomlBeside(existsSync(directory) ? readdirSync(directory) : []);
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === "path.symlink") return { kind: "unfit", what: "a symbolic link" };
    if (cause instanceof Refusal) return { kind: "unfit", what: "something else" };
    const code = systemCode((cause as { cause?: unknown }).cause) ?? systemCode(cause);
    if (code === "EACCES" || code === "EPERM") return { kind: "unfit", what: "a file that may not be read" };
    throw cause;
  }
}

/** A git that fails says nothing about the file, so that is an outage. */
export async function tomlInCommit(git: WorkGit, gitDirectory: string, commit: string): Promise<FoundToml> {
  const variables = { GIT_DIR: gitDirectory };
  const listed = await git.text({ args: ["ls-tree", "-z", "--full-tree", commit], variables });
  const entries = new Map(listed.split("\0").map((line) => [line.slice(line.indexOf("\t") + 1), line.split(/[ \t]/)]));
  const [mode, type, blob = ""] = entries.get(constelTomlName) ?? [];
  if (mode === undefined) return tomlBeside(entries.keys());
  if (mode === "120000") return { kind: "unfit", what: "a symbolic link" };
  if (type !== "blob") return { kind: "unfit", what: type === "tree" ? "a directory" : "a submodule" };
  const size = await git.text({ args: ["cat-file", "-s", blob], variables });
  if (Number(size) > largestConstelToml) return { kind: "unfit", what: "a file over 1 MiB" };
  return { kind: "file", bytes: await git.bytes({ args: ["cat-file", "blob", blob], variables }) };
}
