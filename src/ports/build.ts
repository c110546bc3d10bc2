// Tells which build of constel a program is, by a word made from the content of its sources. A clone and a copy of it are the same build;
// one with an edited source is another. Commands compare theirs with the daemon's before they ask it anything
// (doors/cli/reach/other-build.ts).

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cloneOfSources } from "./clone.ts";

/** The builds of the quick program and of the single file write it in; from the sources it is not there. */
declare const CONSTEL_BUILD: string | undefined;

/** The build that this program was made as. Undefined when it runs from its sources. */
export const builtAs = (): string | undefined => (typeof CONSTEL_BUILD === "undefined" ? undefined : CONSTEL_BUILD);

/** The build that a start of this installation would be now. Reads every source: 40 ms. */
export function buildNow(): string {
  const top = cloneOfSources();
  return (top === undefined ? undefined : buildOf(top)) ?? builtAs() ?? "unknown";
}

/** Returns the place where this program is installed: a clone, or the single file itself. */
export const installation = (): string => cloneOfSources() ?? process.execPath;

/** Undefined when a source cannot be read: there is none, or an update is under way. */
export function buildOf(top: string): string | undefined {
  try {
    const hasher = new Bun.CryptoHasher("sha256");
    for (const name of sourcesOf(top)) hasher.update(`${name} ${contentOf(join(top, name))}\n`);
    return hasher.digest("hex").slice(0, 12);
  } catch {
    return undefined;
  }
}

/** A word for the content of a file. */
export const contentOf = (path: string): string => Bun.hash(readFileSync(path)).toString(36);

/** Everything of a clone that decides what the program does, but for what bun.lock stands for. */
function sourcesOf(top: string): string[] {
  const names = readdirSync(join(top, "src"), { recursive: true, encoding: "utf8" }).filter(isLoaded).sort();
  return [...names.map((name) => `src/${name}`), "package.json", "bun.lock"];
}

const isLoaded = (name: string): boolean =>
  name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.endsWith(".suite.ts") && !name.includes("/cases/");
