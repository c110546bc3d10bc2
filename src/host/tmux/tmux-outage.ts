// tmux cannot be asked: in its own words, and for the cases in which nobody would guess what to do from them, with that.

import { Outage } from "../../protocol/errors.ts";

export function tmuxOutage(target: string, reason: string, mayRetry: boolean): Outage {
  const [, advice] = remedies.find(([sign]) => sign.test(reason)) ?? [];
  if (advice === undefined) return new Outage("ask tmux", target, reason, { mayRetry });
  return new Outage("ask tmux", target, `${reason.trim()}. ${advice}`);
}

const remedies: readonly (readonly [sign: RegExp, advice: string])[] = [
  [/file name too long/i, "A socket's path has some hundred bytes at most: set TMUX_TMPDIR to a shorter directory"],
  [
    /\((operation not permitted|permission denied)\)/i,
    "A sandbox, or the rights of this account, keep this command from tmux: run it outside of the sandbox. `constel status` tells what was last known",
  ],
  // Anybody can put something in that place, where all accounts share it.
  [
    /^(directory .* has unsafe permissions|\S+ is not a directory|couldn't (create|read) directory)/m,
    "tmux keeps its sockets there and wants a directory of this account's that is closed to others: remove what is there, or set TMUX_TMPDIR to a directory of your own",
  ],
];
