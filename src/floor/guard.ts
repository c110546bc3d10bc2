// Verbs that change the constellation refuse to run outside its root directory, so that a command meant for one project
// does not reach the agents of another. In home-only mode (the root is the home) there is no outside.

import { realpathSync } from "node:fs";
import { sep } from "node:path";
import { Refusal } from "../protocol/errors.ts";

export interface Whereabouts {
  readonly home: string;
  readonly root: string;
  readonly cwd: string;
}

/** The refusal, or undefined when the verb may run here. */
export function refuseOutsideRoot(where: Whereabouts, verb: string): Refusal | undefined {
  const root = realPath(where.root);
  if (root === realPath(where.home)) return undefined;
  const cwd = realPath(where.cwd);
  if (cwd === root || cwd.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
  const facts = { verb, cwd, root };
  return new Refusal("root.outside", `\`${verb}\` must be run inside ${root}`, facts, `Run it in ${root}.`);
}

/** The same directory has one name; one that is gone keeps the name it was given. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
