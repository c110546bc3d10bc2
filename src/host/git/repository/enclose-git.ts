// Where a confined agent has its workspaces, it also decides what a link, an alternate or a ref there leads to; git outside of its sandbox
// would follow each, to files that the agent cannot read, and what it found would be kept and handed on. So a git that works
// on something in such a place runs in a sandbox too, which shows that place, what else the call names, and no more.

import { dirname } from "node:path";
import type { Enclose } from "../../../ports/confinement.ts";
import { likelyOwnPlace } from "../../../protocol/own-place.ts";

export interface GitPlaces {
  readonly cwd?: string | undefined;
  /** GIT_DIR and its relatives. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly env: Readonly<Record<string, string>>;
}

type Command = readonly [string, ...string[]];

export async function encloseGit(enclose: Enclose | undefined, argv: Command, places: GitPlaces): Promise<Command> {
  if (enclose === undefined) return argv;
  const { cwd, env } = places;
  const named = placesIn(places.variables ?? {});
  const first = [...(cwd === undefined ? [] : [cwd]), ...named].find((path) => likelyOwnPlace(path) !== undefined);
  return first === undefined ? argv : await enclose(argv, { cwd: cwd ?? first, writes: named, env });
}

/** The directories that these variables name. */
function placesIn(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    if (name === "GIT_INDEX_FILE") return [dirname(value)];
    if (name === "GIT_ALTERNATE_OBJECT_DIRECTORIES") return alternates(value);
    return /^GIT_(DIR|WORK_TREE|OBJECT_DIRECTORY|COMMON_DIR)$/.test(name) ? [value] : [];
  });
}

/** One, in quotes where it has a colon, or several without. */
function alternates(value: string): string[] {
  const quoted = /^"(.*)"$/s.exec(value)?.[1];
  if (quoted === undefined) return value.split(":");
  const bytes = quoted.replaceAll(/\\([0-7]{3}|.)/gs, (_, one: string) =>
    one.length === 3 ? String.fromCharCode(Number.parseInt(one, 8)) : one,
  );
  return [Buffer.from(bytes, "latin1").toString("utf8")];
}
