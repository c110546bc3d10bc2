// Builds the window into web/dist:  build-web.ts [--if-stale]
// Two assets and a page. What they weigh is printed, and past the limit the build fails.

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { commandsFor, firstWords } from "../src/doors/cli/manifest/all.ts";

const top = join(import.meta.dir, "..");
const web = join(top, "web");
const dist = join(web, "dist");
const names = ["index.html", "app.js", "app.css"] as const;
/** Script and style together, as they cross the wire. */
const mostBytes = 200_000;

if (!process.argv.includes("--if-stale") || isStale()) await make();

/** Built beside it and put in its place at once: who serves it meanwhile has the old one whole. */
async function make(): Promise<void> {
  const fresh = join(web, `dist.${process.pid}.tmp`);
  try {
    const define = { CONSTEL_VERBS: JSON.stringify(await verbs()) };
    await build({ configFile: join(web, "vite.config.ts"), logLevel: "warn", define, build: { outDir: fresh } });
    const made = readdirSync(fresh).sort();
    if (made.join() !== names.toSorted().join()) throw new Error(`the build made ${made.join(", ")}`);
    const bytes = (["app.js", "app.css"] as const).map((name) => gzipSync(readFileSync(join(fresh, name))).length);
    const sum = bytes.reduce((a, b) => a + b, 0);
    if (sum > mostBytes) throw new Error(`the assets weigh ${sum} bytes gzipped; ${mostBytes} are allowed`);
    mkdirSync(dist, { recursive: true });
    for (const name of names.toReversed()) renameSync(join(fresh, name), join(dist, name));
    console.log(`web/dist: script ${bytes[0]} and style ${bytes[1]} bytes gzipped`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** What can be typed, for the palette: the commands that the program itself declares. */
async function verbs(): Promise<{ command: string; says: string }[]> {
  const declared = (await Promise.all(firstWords.map((word) => commandsFor(word)))).flat();
  const named = new Map(declared.map(({ name, summary }) => [name, summary]));
  return [...named].map(([name, summary]) => ({ command: `constel ${name}`, says: summary }));
}

function isStale(): boolean {
  try {
    const builtMs = Math.min(...names.map((name) => statSync(join(dist, name)).mtimeMs));
    return sources().some((path) => statSync(path).mtimeMs > builtMs);
  } catch {
    return true; // never built, or half of it is gone
  }
}

function sources(): string[] {
  const below = (directory: string): string[] =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  const own = ["index.html", "vite.config.ts"].map((name) => join(web, name));
  const parts = [join(web, "src"), join(top, "src/protocol"), join(top, "src/doors/cli/manifest")];
  return [...own, join(top, "bun.lock"), ...parts.flatMap(below)];
}
