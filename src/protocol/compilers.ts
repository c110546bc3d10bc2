// Holds the owner's word on the compilers that give a second opinion, as settings have it and as it is handed to the code that asks them.

export interface CompilerWish {
  /** Languages whose compiler is not asked. */
  readonly off: readonly string[];
  /** Checkouts of repositories whose build code may run, as absolute paths. */
  readonly buildCode: readonly string[];
  readonly memoryBytes: number;
  /** The place where compilers may keep what they remember from one command to the next; nowhere if it is not given. */
  readonly kept?: { readonly root: string; readonly relative: string };
}

/** The languages whose compiler is a program of the owner's, and the program. */
export const toolchainPrograms = { go: "go", java: "javac", python: "pyright", rust: "cargo" } as const;

export const toolchainLanguages = Object.keys(toolchainPrograms);
