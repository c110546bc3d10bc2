// Judges what a stranger's change would put where, by what git itself made of it: the paths and modes that differ, as git lists them.
// Words of the diff are not asked, because git reads them otherwise than we would (quoted names, CR at the end of a line). Pure.

const mostFiles = 5_000;

/** The output of `git diff --raw -z`. Undefined: it may be taken. */
export function complaintAboutPaths(raw: string): string | undefined {
  const words = raw.split("\0").filter((word) => word !== "");
  if (words.length > 2 * mostFiles) return `it changes more than ${mostFiles} files`;
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [, before = "", after = ""] = /^:(\d{6}) (\d{6}) /.exec(words[at] ?? "") ?? [];
    const path = words[at + 1] ?? "";
    if ([before, after].includes("160000")) return "it makes or changes a symbolic link or a submodule";
    if (after === "120000") return "it makes or changes a symbolic link or a submodule";
    if (!["100644", "100755", "000000"].includes(after)) return `it gives a file the mode ${after}`;
    if (leadsOut(path)) return `it names ${JSON.stringify(path.slice(0, 100))}`;
  }
  return undefined;
}

/** As file systems that know no case, drop dots or have short names read it; git has looked at them too. */
const leadsOut = (path: string): boolean =>
  path.startsWith("/") ||
  path
    .split(/[/\\]/)
    .some(
      (part) => part === ".." || /^\.git[. ]*$|^git~\d+$|^\.gitmodules[. ]*$/i.test(part.replaceAll(/\p{Cf}/gu, "")),
    );
