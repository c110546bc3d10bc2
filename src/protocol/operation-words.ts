// Says what git is in the middle of in a worktree, as a sentence has it.

/** `a rebase`, `an am`. */
export function withArticle(operation: string): string {
  return `${/^[aeiou]/.test(operation) ? "an" : "a"} ${operation}`;
}
