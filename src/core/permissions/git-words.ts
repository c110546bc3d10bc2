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
  const dashed = /^git-(.+)$/.exec(words[0] ?? "")?.[1];
  if (dashed !== undefined) return ["git", sameVerb.get(dashed) ?? dashed, ...words.slice(1)];
  if (words[0] !== "git") return words;
  let at = 1;
  while (words[at]?.startsWith("-") === true) at += gitOptionsWithValue.has(words[at] ?? "") ? 2 : 1;
  const verb = words[at];
  return ["git", ...(verb === undefined ? [] : [sameVerb.get(verb) ?? verb]), ...words.slice(at + 1)];
}

/** What a verb is made of does the same work. */
const sameVerb: ReadonlyMap<string, string> = new Map([
  ["send-pack", "push"],
  ["http-push", "push"],
  ["fetch-pack", "fetch"],
  ["http-fetch", "fetch"],
  ["commit-tree", "commit"],
  ["stage", "add"],
]);

/** git's own commands. Any other word behind `git` is an alias, which may run anything, or a program of that name. */
export const gitVerbs: ReadonlySet<string> = new Set(
  (
    "add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout " +
    "checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree config count-objects credential " +
    "credential-cache credential-store daemon describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import " +
    "fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects gc get-tar-commit-id grep gui " +
    "hash-object help hook http-backend http-fetch http-push imap-send index-pack init init-db instaweb interpret-trailers lfs log ls-files " +
    "ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv " +
    "name-rev notes pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push quiltimport range-diff read-tree rebase receive-pack " +
    "reflog refs remote repack replace replay request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shell shortlog show " +
    "show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule subtree switch symbolic-ref tag unpack-file " +
    "unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged " +
    "worktree write-tree"
  ).split(" "),
);
