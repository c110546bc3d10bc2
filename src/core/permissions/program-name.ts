// The name by which a program is known to rules that forbid. A file system may ignore case, and Windows leaves an ending out: `/usr/bin/GIT` and
// `git.exe` are git there, and nothing at all elsewhere, where it costs nobody anything that a rule counts for them.

export const programName = (word: string): string =>
  word
    .slice(word.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(/\.exe$/, "");

/** True if a rule's first word speaks of this program. One with a path speaks of that file alone. */
export const isProgram = (name: string, wanted: string): boolean =>
  name === wanted || (!wanted.includes("/") && programName(name) === programName(wanted));
