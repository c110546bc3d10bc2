// Tells how this constel came onto the machine, by where its program stands. What installed it replaces it too.

import { basename, dirname, join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import type { ProgramFiles } from "./program-files.ts";

export type InstalledAs =
  | { readonly way: "clone"; readonly top: string }
  /** By install.sh: its record lists what it put below the prefix. */
  | { readonly way: "script"; readonly prefix: string }
  | { readonly way: "npm" | "homebrew" | "debian" }
  /** One file that somebody laid there. */
  | { readonly way: "file" };

export const recordBelow = "lib/constel/installed";

/** install.sh's places; a single file keeps what belongs to it in a directory beside it. */
export function filesOf(as: InstalledAs, program: string): ProgramFiles {
  if (as.way === "script")
    return { prefix: as.prefix, program: "bin/constel", keeping: dirname(recordBelow), record: recordBelow };
  const name = basename(program);
  return { prefix: dirname(program), program: name, keeping: `.${name}-earlier`, record: undefined };
}

export interface ProgramPlace {
  readonly program: string;
  readonly clone: string | undefined;
  readonly exists: (path: string) => boolean;
}

export function installedAs({ program, clone, exists }: ProgramPlace): InstalledAs {
  if (clone !== undefined) return { way: "clone", top: clone };
  if (program.includes("/node_modules/")) return { way: "npm" };
  if (program.includes("/Cellar/")) return { way: "homebrew" };
  if (program === "/usr/bin/constel" && exists("/var/lib/dpkg/info/constel.list")) return { way: "debian" };
  const prefix = dirname(dirname(program));
  return exists(join(prefix, recordBelow)) ? { way: "script", prefix } : { way: "file" };
}

/** How a person changes a constel that is not ours to change. */
export function otherWay(as: InstalledAs["way"], version: string): readonly string[] | undefined {
  switch (as) {
    case "npm":
      return ["npm", "install", "--global", "--ignore-scripts", `constel@${version}`];
    case "homebrew":
      return ["brew", "upgrade", "constel"];
    case "debian":
      return ["sudo", "apt", "install", `./constel_${version}_$(dpkg --print-architecture).deb`];
    case "clone":
      return ["git", "checkout", `v${version}`];
    default:
      return undefined;
  }
}

/** What needs the machine's owner, or a decision about sources, is named and not run. `isOlder`: the version of now has written to the home, and is asked to let the older one. */
export function refuseByHand(as: InstalledAs["way"], version: string, isOlder = false): void {
  if (as !== "debian" && as !== "clone") return;
  const command = (otherWay(as, version) ?? []).join(" ");
  throw new Refusal(
    "release.other-way",
    `this constel was installed as ${as}`,
    { version, command },
    `Run: ${command}${isOlder ? ", and then: constel downgrade --accept" : ""}`,
  );
}
