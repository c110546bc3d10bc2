// A shell command taken apart, for those who judge it: every simple command in it wherever it stands (after `&&`, in `$(…)`, in a
// loop), every redirection, and everything that could not be read with certainty. The order is that of the text. Shapes only.

export interface ShellWord {
  /** As it was written. */
  readonly source: string;
  /** Its value, when that is known without running anything. */
  readonly text?: string;
  /** The text that its value certainly begins with; empty if nothing is known. */
  readonly start: string;
  /** It may become several words, or none: an unquoted expansion, a pattern of file names, braces. */
  readonly splits: boolean;
  /** A pattern of file names; `source` has it. */
  readonly glob: boolean;
}

export interface ShellCommand {
  readonly source: string;
  /** Name and arguments. */
  readonly words: readonly ShellWord[];
  /** `NAME=value` in front of it, as written. */
  readonly assigns: readonly string[];
}

export interface ShellRedirect {
  readonly source: string;
  /** `>`, `>>`, `<`, `>&`… */
  readonly operator: string;
  readonly target: ShellWord;
}

/** A simple command, a pipeline, a block: something that runs to its end before the next step begins, in the same shell. */
export interface ShellStep {
  /** The number of commands and of redirections that belong to it. */
  readonly commands: number;
  readonly redirects: number;
  /** It is one simple command, with nothing set for it and nothing redirected. */
  readonly isPlain: boolean;
  /** The next step runs only after this one has succeeded (`&&`), or in any case (`;`, a new line, the end). */
  readonly by: "&&" | ";";
}

export interface ShellScript {
  readonly commands: readonly ShellCommand[];
  readonly redirects: readonly ShellRedirect[];
  /** It has loops: a command in it may run many times. */
  readonly repeats: boolean;
  /** The steps of a plain sequence, which hold all commands and redirections in order. Undefined if it is anything else. */
  readonly steps: readonly ShellStep[] | undefined;
  /** Parts that are understood too little to be judged, with the reason. */
  readonly unclear: readonly { readonly source: string; readonly why: string }[];
}

/** `unreadable` says why nothing at all could be read. */
export type ParseShell = (source: string) => ShellScript | { readonly unreadable: string };
