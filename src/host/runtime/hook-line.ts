import { shellLine } from "../../protocol/shell-line.ts";

/**
 * A hook as one line for a POSIX shell. It is told where its agent stands and does not care where it stands itself; in a directory that was
 * deleted meanwhile, as workspaces are, the program would not even start, and a hook must never break its agent.
 */
export function hookLine(words: readonly string[]): string {
  return `cd /; exec ${shellLine(words)}`;
}
