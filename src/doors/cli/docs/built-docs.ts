// The pages inside the single-file program: scripts/build.ts puts the place of a packed file in this file's place. In a clone they are read from docs/.

/** A path inside the program: JSON packed with zstd, a text for each name. */
export const builtDocs: string | undefined = undefined;
