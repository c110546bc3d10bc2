// Puts another version's files where this one's stand, each whole or not at all, the program last. The program of before is kept beside them, so that
// the way back needs no network. A switch that was killed leaves one version or the other, and what it laid down on the way is removed by the next.

import { basename, dirname, join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import { readTrusted, removeTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";

/** Where a program and what belongs to it stand. */
export interface ProgramFiles {
  /** The prefix of install.sh, or the directory of a single file. */
  readonly prefix: string;
  /** The program, below the prefix. */
  readonly program: string;
  /** Below the prefix: earlier programs, and what is being laid down. */
  readonly keeping: string;
  /** Below the prefix; undefined for a single file. */
  readonly record: string | undefined;
}

export type SwitchStep = "laid" | "named" | "kept" | "files" | "record" | "program" | "started";

export const keptName = (version: string): string => `constel-${version}`;

export interface Fresh {
  readonly version: string;
  readonly target: string;
  readonly program: Uint8Array;
  /** The other files of the archive, by their names below the prefix. */
  readonly others: ReadonlyMap<string, Uint8Array>;
}

/** `reached` lets fault tests stop between. */
export function switchProgram(
  files: ProgramFiles,
  fresh: Fresh,
  { from, reached = () => undefined }: { readonly from: string; readonly reached?: (step: SwitchStep) => void },
): void {
  const { prefix, program, keeping, record } = files;
  const before = readTrusted(prefix, program);
  if (before === undefined)
    throw new Refusal("release.not-here", `there is no program at ${join(prefix, program)}`, {});
  writeProgram(prefix, join(keeping, keptName(from)), before);
  reached("kept");
  if (record !== undefined) {
    for (const [name, content] of fresh.others) writeTrusted(prefix, name, content);
    reached("files");
    // What the version before had and this one has not is still named, for whoever uninstalls.
    const earlier = readTrusted(prefix, record)?.toString().split("\n") ?? [];
    const kept = earlier.filter((name) => name !== "" && !name.startsWith("#"));
    const names = [...new Set([program, ...fresh.others.keys(), ...kept])].toSorted();
    writeTrusted(
      prefix,
      record,
      `# installed by install.sh: constel ${fresh.version} ${fresh.target}\n${names.join("\n")}\n`,
    );
    reached("record");
  }
  writeProgram(prefix, program, fresh.program);
  reached("program");
}

/** The program of before, as it was kept. */
export function goBack({ prefix, program, keeping }: ProgramFiles, version: string): void {
  const kept = readTrusted(prefix, join(keeping, keptName(version)));
  if (kept === undefined)
    throw new Refusal("release.nothing-kept", `no constel ${version} was kept in ${join(prefix, keeping)}`, {
      version,
    });
  writeProgram(prefix, program, kept);
}

export function forgetKept({ prefix, keeping }: ProgramFiles, version: string): void {
  removeTrusted(prefix, join(keeping, keptName(version)));
}

/** Laid beside the kept ones, to be tried before anything is changed; its path. */
export function layProgram({ prefix, keeping }: ProgramFiles, version: string, content: Uint8Array): string {
  writeProgram(prefix, join(keeping, keptName(version)), content);
  return join(prefix, keeping, keptName(version));
}

/** In place with one rename, made to run before. Programs that run go on with the file they have open. */
function writeProgram(prefix: string, relative: string, content: Uint8Array): void {
  using directory = TrustedDirectory.open(prefix, dirname(relative), { create: true });
  directory.write(basename(relative), content, { mode: 0o755 });
}
