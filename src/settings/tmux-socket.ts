// The tmux server's socket: one per home, so that constellations on one machine do not see each other's agents.

import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { Refusal } from "../protocol/errors.ts";

/** `configured` is `tmux.socket`. A home that is reached by another path has the same socket. */
export function tmuxSocket(configured: string, home: string): string {
  if (configured === "") return `constel-${createHash("sha256").update(realPath(home)).digest("hex").slice(0, 8)}`;
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(configured)) {
    throw new Refusal("usage.bad-value", `tmux.socket cannot be ${JSON.stringify(configured)}`, { configured });
  }
  return configured;
}

/** One that does not exist yet has the name it is given. */
function realPath(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    return home;
  }
}
