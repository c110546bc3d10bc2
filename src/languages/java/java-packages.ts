// Jars of the packages that a tree's builds name, from where the owner's Maven and Gradle keep what they fetched. Nothing is fetched,
// and nothing in a jar runs: javac only reads the types. A version that a build does not say plainly is the newest that is
// there; what those packages depend on themselves is not followed.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolQuestion } from "../toolchain/toolchain.ts";

export const isBuildFile = (path: string): boolean =>
  /(^|\/)(pom\.xml|build\.gradle(\.kts)?|libs\.versions\.toml)$/.test(path);

const maxJars = 400;

export function jarsFor({ place, toolchains, tree }: Pick<ToolQuestion, "place" | "toolchains" | "tree">): string[] {
  const home = toolchains.variable("HOME");
  if (home === undefined) return [];
  const stores = [
    (group: string, name: string) => join(home, ".m2/repository", group.replaceAll(".", "/"), name),
    (group: string, name: string) =>
      join(toolchains.variable("GRADLE_USER_HOME") ?? join(home, ".gradle"), "caches/modules-2/files-2.1", group, name),
  ];
  const jars = new Set<string>();
  for (const path of [...tree.blobs.keys()].filter(isBuildFile)) {
    for (const { group, name, version } of namedIn(read(join(place.top, path)))) {
      const found = stores.map((store) => jarIn(store(group, name), name, version)).find((jar) => jar !== undefined);
      if (found !== undefined && jars.size < maxJars) jars.add(found);
    }
  }
  return [...jars];
}

interface Coordinates {
  readonly group: string;
  readonly name: string;
  readonly version: string | undefined;
}

/** `<groupId>…</groupId><artifactId>…</artifactId>`, and `"group:name:version"`. */
export function namedIn(text: string): Coordinates[] {
  const maven = [
    ...text.matchAll(
      /<groupId>\s*([\w.-]+)\s*<\/groupId>\s*<artifactId>\s*([\w.-]+)\s*<\/artifactId>(?:\s*<version>\s*([\w.-]+)\s*<\/version>)?/g,
    ),
  ];
  const gradle = [...text.matchAll(/["']([\w.-]+):([\w.-]+)(?::([\w.-]+))?["']/g)].filter(([, group = ""]) =>
    group.slice(1, -1).includes("."),
  );
  return [...maven, ...gradle].flatMap(([, group = "", name = "", version]) =>
    group.includes("..") || name.includes("..") ? [] : [{ group, name, version }],
  );
}

/** Maven keeps `1.0/name-1.0.jar`, Gradle `1.0/<hash>/name-1.0.jar`. */
function jarIn(directory: string, name: string, version: string | undefined): string | undefined {
  const versions = listed(directory)
    .filter((one) => /^\d/.test(one))
    .sort(byVersion)
    .reverse();
  const first = version !== undefined && versions.includes(version) ? [version] : [];
  for (const one of [...first, ...versions]) {
    const file = `${name}-${one}.jar`;
    const places = [one, ...listed(join(directory, one)).map((hash) => join(one, hash))];
    const jar = places.map((place) => join(directory, place, file)).find(existsSync);
    if (jar !== undefined) return jar;
  }
  return undefined;
}

const byVersion = (one: string, other: string): number => one.localeCompare(other, "en", { numeric: true });

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // not there
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it could not be written out
  }
}
