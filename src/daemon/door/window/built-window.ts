// The page inside the single-file program: scripts/build.ts puts the built files of web/dist in this file's place. In a clone they are read from
// where they lie.

export const builtWindow: Readonly<Record<"index.html" | "app.js" | "app.css", string>> | undefined = undefined;
