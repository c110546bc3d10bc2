// Tells by path which files are TypeScript's, once for the reader, the rules and the compiler.

export const scripts = /\.[cm]?[jt]sx?$/;

export function isScript(path: string): boolean {
  return scripts.test(path);
}

/** Scripts and the JSON they may import, of the project itself. */
export function isOwn(path: string): boolean {
  return (scripts.test(path) || path.endsWith(".json")) && !path.includes("node_modules/");
}
