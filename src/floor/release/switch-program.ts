// Puts another version's files where this one's stand, each whole or not at all, the program last. All of it is on the disk before anything is changed, and from then on
// files only get other names: a full disk stops nothing half-way. The files of before are kept beside them, so that the way back needs neither
// network nor room. A switch that was killed leaves one version or the other, and what it laid down on the way is removed by the next.

import { basename, dirname, join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import { keptTree, keepVersion, type KeptVersion } from "./kept-version.ts";
import { isFile, layTree, linkTree, namesOf, openAt, place, type ProgramFiles, removeTree } from "./program-files.ts";

export type SwitchStep = "laid" | "named" | "kept" | "record" | "files" | "program" | "started";

export interface Fresh {
  readonly version: string;
  readonly target: string;
  readonly program: Uint8Array;
  /** The other files of the archive, by their names below the prefix. */
  readonly others: ReadonlyMap<string, Uint8Array>;
}

const freshTree = ({ keeping }: ProgramFiles): string => join(keeping, ".fresh");

/** Laid down beside, to be tried before anything is changed; the path of its program. */
export function layFresh(files: ProgramFiles, { program, others }: Fresh): string {
  layTree(files.prefix, freshTree(files), [
    ...[...others].map(([name, content]) => ({ name, content })),
    { name: files.program, content: program, runs: true },
  ]);
  return join(files.prefix, freshTree(files), files.program);
}

export const forgetFresh = (files: ProgramFiles): void => removeTree(files.prefix, freshTree(files));

/** What was laid down takes its place. `reached` lets fault tests stop between. */
export function switchProgram(
  files: ProgramFiles,
  fresh: Pick<Fresh, "version" | "target" | "others">,
  {
    from,
    reached = () => undefined,
  }: { readonly from: Omit<KeptVersion, "program">; readonly reached?: (step: SwitchStep) => void },
): void {
  const { prefix, program, record } = files;
  if (!isFile(prefix, program))
    throw new Refusal("release.not-here", `there is no program at ${join(prefix, program)}`, {});
  keepVersion(files, from);
  reached("kept");
  if (record !== undefined) {
    // First, so that whoever uninstalls knows what is put in place even if this is interrupted. What only the version of before had stays named.
    const names = [...new Set([...namesOf(files), ...fresh.others.keys()])].toSorted();
    const head = `# installed by install.sh: constel ${fresh.version} ${fresh.target}`;
    using directory = openAt(prefix, dirname(record));
    directory.write(basename(record), `${[head, ...names].join("\n")}\n`, { mode: 0o644 });
    reached("record");
    for (const name of fresh.others.keys()) place(prefix, freshTree(files), name);
    reached("files");
  }
  place(prefix, freshTree(files), program);
  reached("program");
}

/** The version of before, as it was kept. The directories of what was laid down are still there: no room is needed. */
export function goBack(files: ProgramFiles, version: string): void {
  const { prefix, program } = files;
  const tree = keptTree(files);
  if (!isFile(prefix, join(tree, program)))
    throw new Refusal("release.nothing-kept", `no constel ${version} was kept in ${join(prefix, tree)}`, { version });
  const names = namesOf(files).filter((name) => name !== program);
  linkTree(prefix, tree, freshTree(files), [...names, program]);
  for (const name of names) if (isFile(prefix, join(freshTree(files), name))) place(prefix, freshTree(files), name);
  place(prefix, freshTree(files), program);
  forgetFresh(files);
}
