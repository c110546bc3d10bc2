// Finds the manifests that are installed together: those that share a lock file or a workspace. Two with the same home must agree.

import { ecosystemOf } from "./manifests.ts";
import type { Ecosystem } from "./version-range.ts";

/** Files that make a directory the place of one installation. */
const marks: Readonly<Record<Ecosystem, readonly string[]>> = {
  npm: [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "bun.lock",
    "bun.lockb",
    "lerna.json",
    "nx.json",
    "turbo.json",
    "rush.json",
  ],
  python: ["poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock"],
  cargo: ["Cargo.lock"],
  go: ["go.work"],
};

/** The directory a manifest is installed from; its own when nothing says more. `exists` tells of the merged tree. */
export function installHome(manifest: string, exists: (path: string) => boolean): string {
  const ecosystem = ecosystemOf(manifest);
  const own = above(manifest);
  if (ecosystem === undefined) return own;
  const chain = [own];
  for (let directory = own; directory !== ""; directory = above(directory)) chain.push(above(directory));
  const marked = chain.find((directory) => marks[ecosystem].some((name) => exists(within(directory, name))));
  if (marked !== undefined) return marked;
  // A package inside a package, with no lock file about, is most likely a member of its workspace.
  const name = { npm: "package.json", cargo: "Cargo.toml", python: undefined, go: undefined }[ecosystem];
  return (name === undefined ? undefined : chain.findLast((directory) => exists(within(directory, name)))) ?? own;
}

const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const within = (directory: string, name: string): string => (directory === "" ? name : `${directory}/${name}`);
