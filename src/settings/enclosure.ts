// The settings about confined agents, as those take them who run the commands of repositories.

import type { EnclosureWish } from "../protocol/enclosure.ts";
import type { Config } from "./declarations.ts";

export function enclosureWish({
  config,
  home,
  root,
}: {
  readonly config: Config;
  readonly home: string;
  readonly root: string;
}): EnclosureWish {
  return { home, root, isAlways: config["agents.confined"], reads: config["agents.confined_reads"] };
}
