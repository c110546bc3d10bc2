// The words of a git command without the options before its verb: `git -C x -c a=b push` comes down to `git push`.

/** Options that take the next word as their value. */
export const gitOptionsWithValue: ReadonlySet<string> = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--config-env",
  "--super-prefix",
  "--attr-source",
]);

export function gitWords(words: readonly (string | undefined)[]): readonly (string | undefined)[] {
  if (words[0] !== "git") return words;
  let at = 1;
  while (words[at]?.startsWith("-") === true) at += gitOptionsWithValue.has(words[at] ?? "") ? 2 : 1;
  return ["git", ...words.slice(at)];
}
