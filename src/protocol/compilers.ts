// What the owner says about the compilers that give a second opinion, as settings have it and as it is handed to who asks them.

export interface CompilerWish {
  /** Languages whose compiler is not asked. */
  readonly off: readonly string[];
  /** Checkouts of repositories whose build code may run, as absolute paths. */
  readonly buildCode: readonly string[];
  readonly memoryBytes: number;
}

/** The languages whose compiler is a program of the owner's. */
export const toolchainLanguages = ["python", "go", "java", "rust"] as const;
