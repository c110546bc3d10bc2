// Commands that need no grammar to be read: one line of plain words with a blank between them, such as `git push origin main`. Loading
// the grammar takes a process 40 ms, and a hook that judges one command is such a process. Anything but plain words is left to the
// grammar; a test compares the two.

import type { ShellScript } from "../../protocol/shell-script.ts";

const plainLine = /^[A-Za-z_./][\w./+-]*(?: [\w./:@%+,-]+)*$/;

/** Words that begin something else than a simple command. */
const keywords: ReadonlySet<string> = new Set([
  ..."if then else elif fi for while until do done case esac in function select time coproc".split(" "),
  ..."declare typeset export readonly local unset unsetenv let".split(" "),
]);

/** Nobody writes longer ones, and the grammar says what it thinks of them. */
const longest = 2_000;

/** What the grammar would make of it; undefined when it takes the grammar to say. */
export function plainScript(source: string): ShellScript | undefined {
  if (source.length > longest || !plainLine.test(source)) return undefined;
  const words = source.split(" ");
  if (words.some((word) => keywords.has(word))) return undefined;
  const read = words.map((text) => ({ source: text, text, start: text, splits: false, glob: false }));
  return {
    commands: [{ source, words: read, assigns: [] }],
    redirects: [],
    repeats: false,
    led: false,
    unclear: [],
  };
}
