// The native TypeScript compiler inside the single-file program: scripts/build.ts puts the places of its two packed files in this file's place. In a
// clone it stands in node_modules (native-libraries.ts).

/** Paths inside the program, both packed with zstd: the compiler, and its libraries as JSON, a text for each name. */
export const builtCompiler: { readonly program: string; readonly libraries: string } | undefined = undefined;
