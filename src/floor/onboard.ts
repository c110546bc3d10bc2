// `constel onboard`: makes the directories of a home and of a root directory, and says what it did. Run again, it does
// nothing and says so. A root directory that stands already keeps what it has: what it lacks is made when it is needed. What exists is never overwritten; directories of the home are tightened to 0700, while those of
// the root directory belong to the owner's project and keep their mode.

import { existsSync } from "node:fs";
import { Outage, systemCode } from "../protocol/errors.ts";
import type { Clock } from "../ports/machine.ts";
import { homeDirectories, inRoot, under } from "../settings/paths.ts";
import { TrustedDirectory } from "../files/trusted-directory.ts";
import { hasMarker, putNewMarker } from "./markers/marker-files.ts";
import { markers } from "./markers/markers.ts";

export interface Onboarded {
  /** False when everything was there already. */
  readonly changed: boolean;
  /** One line for each thing done. */
  readonly lines: readonly string[];
}

export function onboard(place: { home: string; root: string; clock: Clock }): Onboarded {
  const { home, root, clock } = place;
  const lines: string[] = [];
  if (makeDirectory(home, "")) lines.push(`made ${home}`);
  if (tighten(home, "")) lines.push(`closed ${home} to other users`);
  for (const relative of homeDirectories) {
    if (makeDirectory(home, relative)) lines.push(`made ${under(home, relative)}`);
    if (tighten(home, relative)) lines.push(`closed ${under(home, relative)} to other users`);
  }
  lines.push(...makeRoot(place));
  const when = new Date(clock.nowMs()).toISOString();
  if (putNewMarker(home, markers.onboarded, `onboarded at ${when}, root directory ${root}`))
    lines.push("marked this home as onboarded");
  return lines.length === 0 ? { changed: false, lines: ["everything was there already"] } : { changed: true, lines };
}

function makeRoot({ home, root }: { home: string; root: string }): string[] {
  // The home stands in where no root directory is found, and then another one may have been set up before.
  if (root === home && hasMarker(home, markers.onboarded)) return [];
  const stands = [inRoot.marker, inRoot.notes].some((relative) => existsSync(under(root, relative)));
  const wanted = stands ? [] : [inRoot.briefs, inRoot.notes, inRoot.workspaces];
  const lines = wanted.filter((one) => makeDirectory(root, one)).map((one) => `made ${under(root, one)}`);
  if (writeIfAbsent(root, inRoot.marker, template)) lines.push(`wrote ${under(root, inRoot.marker)}`);
  return lines;
}

/** True when it was not there. */
function makeDirectory(base: string, relative: string): boolean {
  try {
    TrustedDirectory.open(base, relative).close();
    return false;
  } catch (cause) {
    if (!(cause instanceof Outage) || systemCode(cause.cause) !== "ENOENT") throw cause;
  }
  try {
    TrustedDirectory.open(base, relative, { create: true }).close();
  } catch (cause) {
    throw systemCode(cause) === undefined ? cause : new Outage("make directory", under(base, relative), cause);
  }
  return true;
}

/** True when others could look in. */
function tighten(home: string, relative: string): boolean {
  using directory = TrustedDirectory.open(home, relative);
  return directory.makePrivate();
}

/** True when it was written. Of two onboardings at once, one writes. */
function writeIfAbsent(base: string, name: string, content: string): boolean {
  using directory = TrustedDirectory.open(base, "", { create: true });
  if (directory.stat(name) !== undefined) return false;
  try {
    directory.writeNew(name, content);
  } catch (cause) {
    if (cause instanceof Outage && systemCode(cause.cause) === "EEXIST") return false;
    throw cause;
  }
  directory.sync();
  return true;
}

const template = `# This file makes its directory the root directory of a constellation: briefs/, notes/ and workspaces/ are kept here,
# and agents start here. It may stay empty. What is common to all projects is set in config.toml in the home
# (\`constel config path\`); \`constel config show\` lists every setting with its value and where that comes from.
#
# Words of your own for the agents' prompts go into prompts/all.md, and for one role into prompts/root.md,
# prompts/clone.md or prompts/watchdog.md, beside this file.
`;
