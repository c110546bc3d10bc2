// Every operation as a verb of the palette, with what it does: the declarations that the program itself has.

import outlines from "../../../src/protocol/operations/outlines.json";

export interface Verb {
  readonly command: string;
  readonly says: string;
}

export const verbs: readonly Verb[] = Object.entries(outlines as Record<string, { readonly summary: string }>).map(
  ([name, { summary }]) => ({ command: name, says: summary }),
);
