// `constel firing`: runs a scheduled verb in a process of its own, once. The mark it makes first cannot be made twice; how the verb
// ended is written there for the daemon, whichever it is by then.

import { join } from "node:path";
import { createTrusted, writeTrusted } from "../../../files/trusted-files.ts";
import { systemLiveness } from "../../../host/process/liveness.ts";
import { ownCommand, ownEnvironment } from "../../../host/process/own-command.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { messageOf, Refusal } from "../../../protocol/errors.ts";
import { type FiringMark, firingName } from "../../../protocol/firing-mark.ts";
import { inHome } from "../../../settings/paths.ts";
import { killPoint } from "../../../settings/kill-at.ts";
import type { RunCommand } from "../input/command.ts";
import { daemonPid } from "../reach/daemon-pid.ts";

/** A harvest with its gates may take hours; past this something hangs. */
const deadlineMs = 6 * 3_600_000;
const tailLength = 600;

export const firing: RunCommand = async (context, input) => {
  const { home, root } = context.places;
  // A mark that somebody else could make would keep a schedule from firing.
  if (process.ppid !== daemonPid(home))
    throw new Refusal("authority.owner", "only the daemon runs scheduled verbs", { verb: "firing" });
  const path = join(inHome.firings, `${firingName(input.argument("key"))}.json`);
  const { pid, token } = systemLiveness.self();
  const mark: FiringMark = { pid, token };
  if (!createTrusted(home, path, JSON.stringify(mark))) return { json: { ran: false }, text: "It has run already." };
  killPoint("firing.marked");
  const command = [...ownCommand(), ...placed(input.rest("words"), ["--home", home, "--root", root])];
  let ended: FiringMark;
  try {
    // A step at which this process is to end is no step of the verb, nor of a daemon that the verb starts.
    const { CONSTEL_KILL_AT: _, ...own } = context.env;
    const env = ownEnvironment(own);
    const { signal } = context;
    const outcome = await systemProcesses.run(command, { cwd: root, env, deadlineMs, signal });
    const printed = `${new TextDecoder().decode(outcome.stdout)}${outcome.stderr}`.trim();
    ended = { ...mark, exit: outcome.code ?? 128, says: printed.slice(-tailLength) };
  } catch (cause) {
    ended = { ...mark, exit: 127, says: messageOf(cause) };
  }
  writeTrusted(home, path, JSON.stringify(ended));
  return { json: { ran: true, ...ended }, text: "" };
};

/** Flags of ours go before a `--` of the verb's own. */
function placed(words: readonly string[], flags: readonly string[]): string[] {
  const at = words.indexOf("--");
  return at === -1 ? [...words, ...flags] : [...words.slice(0, at), ...flags, ...words.slice(at)];
}
