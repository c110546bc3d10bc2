// Finds where git's own merge of the two sides stops. One finding per conflicted file and kind, with both sides' lines.

import type { Conflict, ConflictKind } from "../../../ports/git.ts";
import { byOwner } from "../exclusions.ts";
import { hunk, ours, type Said, theirs } from "../pair-finding.ts";
import type { PairScene } from "../scene.ts";

type Scene = Pick<PairScene, "conflicts" | "excluded" | "driven">;

export function reviewTextual({ conflicts, excluded, driven }: Scene): Said[] {
  return conflicts.map((conflict) => {
    const driver = byDriver.has(conflict.kind) ? driven.get(conflict.path) : undefined;
    const why = driver === undefined ? excluded(conflict.path) : `the merge driver ${driver} decides`;
    const title = why === undefined ? titles[conflict.kind](conflict) : `${titles[conflict.kind](conflict)} (${why})`;
    return {
      ...(why === undefined ? {} : { severity: driver !== undefined || why === byOwner ? "context" : "low" }),
      // A rename names its paths in the order of the sides, so the order is taken out.
      subject: `${conflict.kind} ${[conflict.path, ...conflict.otherPaths].sort().join("\n")}`,
      title,
      action:
        why === undefined
          ? actions[conflict.kind]
          : driver !== undefined
            ? `Merge the two with git to see what ${driver} makes of ${conflict.path}.`
            : `git cannot merge ${conflict.path}: take either version, and generate it again.`,
      symbols: [],
      evidence: [
        {
          rule: conflict.kind,
          path: conflict.path,
          symbol: null,
          ours: conflict.oursHunks.map((one) => hunk(conflict.path, one.line, one.text)),
          theirs: conflict.theirsHunks.map((one) => hunk(conflict.path, one.line, one.text)),
          message: conflict.uncertain
            ? `${conflict.message} (A file that was only partly looked at takes part.)`
            : conflict.message,
        },
      ],
    };
  });
}

/** A driver is asked where both sides have text of the file. */
const byDriver: ReadonlySet<ConflictKind> = new Set(["content", "add/add", "binary"]);

/** Says who no longer has the file, and who still has. */
function gone({ ours: our }: Conflict): { remover: string; keeper: string } {
  return our === undefined ? { remover: ours, keeper: theirs } : { remover: theirs, keeper: ours };
}

const others = ({ otherPaths }: Conflict): string => otherPaths.join(", ");

const titles: Readonly<Record<ConflictKind, (conflict: Conflict) => string>> = {
  content: ({ path }) => `${ours} and ${theirs} change the same lines of ${path}`,
  "add/add": ({ path }) => `${ours} and ${theirs} both add ${path}, with different content`,
  binary: ({ path }) => `${ours} and ${theirs} both change the binary file ${path}`,
  "modify/delete": (one) => `${gone(one).remover} deletes ${one.path}, which ${gone(one).keeper} changes`,
  "rename/delete": (one) => `${gone(one).remover} deletes ${one.path}, which ${gone(one).keeper} renames`,
  "rename/rename": (one) => `${ours} and ${theirs} rename the same file differently: ${one.path}, ${others(one)}`,
  "rename/add": (one) => `${ours} and ${theirs} bring different files to ${one.path}, one of them by a rename`,
  mode: ({ path }) => `${ours} and ${theirs} give ${path} different modes`,
  type: ({ path }) => `${ours} and ${theirs} make ${path} different things (file, link or submodule)`,
  submodule: ({ path }) => `${ours} and ${theirs} move the submodule ${path} to different commits`,
  "file/directory": ({ path }) => `${path} is a file on one side and a directory on the other (${ours}, ${theirs})`,
  "directory-rename": ({ path }) =>
    `${ours} and ${theirs} disagree on where ${path} goes after a directory was renamed`,
};

const rebase = "One of the two should merge in the other's work before continuing";

const actions: Readonly<Record<ConflictKind, string>> = {
  content: `${rebase} with these lines.`,
  "add/add": "Agree on one of the two files, or give one of them another name.",
  binary: "Keep one of the two versions; they cannot be merged.",
  "modify/delete": "Agree on whether the file stays; if not, move the change to where its content went.",
  "rename/delete": "Agree on whether the file stays, and under which name.",
  "rename/rename": "Agree on one new name.",
  "rename/add": "Give one of the two files another name.",
  mode: "Agree on the mode.",
  type: "Agree on what belongs at this path.",
  submodule: "Agree on one commit of the submodule that holds both sides' work.",
  "file/directory": "Give the file or the directory another name.",
  "directory-rename": `${rebase}, so that new files land in the renamed directory.`,
};
