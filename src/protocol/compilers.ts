// What the owner says about the compilers that give a second opinion, as settings have it and as it is handed to who asks them.

export interface CompilerWish {
  /** Languages whose compiler is not asked. */
  readonly off: readonly string[];
  /** Checkouts of repositories whose build code may run, as absolute paths. */
  readonly buildCode: readonly string[];
  readonly memoryBytes: number;
  /** Where compilers may keep what they remember from one command to the next; nowhere when it is not said. */
  readonly kept?: { readonly root: string; readonly relative: string };
}

/** The languages whose compiler is a program of the owner's, and the program. */
export const toolchainPrograms = { go: "go", java: "javac", python: "pyright", rust: "cargo" } as const;

export const toolchainLanguages = Object.keys(toolchainPrograms);
