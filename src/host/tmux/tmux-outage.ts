// tmux cannot be asked: in its own words, and for the one case that nobody would guess from them, with what to do.

import { Outage } from "../../protocol/errors.ts";

export function tmuxOutage(target: string, reason: string, mayRetry: boolean): Outage {
  if (!/file name too long/i.test(reason)) return new Outage("ask tmux", target, reason, { mayRetry });
  const why = `${reason.trim()}. A socket's path has some hundred bytes at most: set TMUX_TMPDIR to a shorter directory`;
  return new Outage("ask tmux", target, why);
}
