// Every command, as a verb of the palette: the build takes them from the declarations that the program itself has.

export interface Verb {
  readonly command: string;
  readonly says: string;
}

export const verbs: readonly Verb[] = CONSTEL_VERBS;
