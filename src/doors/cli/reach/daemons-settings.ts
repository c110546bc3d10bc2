// The settings of a daemon that runs are its own. Here commands see whether it has what they were given, and wait until it has taken up
// what was changed.

import { NoDaemon } from "../../../client/socket.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { messageOf, Refusal } from "../../../protocol/errors.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import { loadConfig } from "../../../settings/config.ts";
import { type Config, daemonsKeys, type SettingKey, variableOf } from "../../../settings/declarations.ts";
import { lastDaemonFailure } from "../../../floor/daemon-failure.ts";
import { settingMark } from "../../../settings/setting-mark.ts";
import type { CliContext } from "../context.ts";
import { directCaller } from "./stop-daemon.ts";

/** A daemon that begins anew is there again within a second or two; one that is in the middle of something finishes that first. */
const takesUpWithinMs = 15_000;

type Status = OutputOf<(typeof operations)["daemon.status"]>;

/**
 * A setting that only the daemon reads must be what the daemon has: else it would mean nothing, and perhaps the weaker thing. What was typed was
 * meant for this command; a variable may have been set long ago, and matters where something is changed.
 */
export async function refuseUnheard(context: CliContext, isChange: () => Promise<boolean>): Promise<void> {
  const { env, flags } = context;
  const { config, origins } = loadConfig({ file: undefined, filePath: "", env, flags: flags.set ?? [] });
  const given = daemonsKeys.filter((key) => origins[key] === "flag" || origins[key] === "environment");
  const daemon = given.length === 0 ? undefined : await statusOf(context);
  if (daemon === undefined) return;
  const others = given.filter((key) => marksOf(daemon)[key] !== settingMark(config[key]));
  const other = others.find((key) => origins[key] === "flag") ?? ((await isChange()) ? others[0] : undefined);
  if (other === undefined) return;
  const by = origins[other] === "flag" ? "--set" : variableOf(other);
  const facts = { key: other };
  throw new Refusal("daemon.other-settings", `${by} gives ${other}, and the running daemon has another value`, facts);
}

/** Says whether the daemon took up a new value of this key in config.toml. Undefined when no daemon runs. */
export async function takenUp(context: CliContext, key: SettingKey, config: Config): Promise<string | undefined> {
  const until = systemClock.monotonicMs() + takesUpWithinMs;
  let daemon: Awaited<ReturnType<typeof statusOf>>;
  try {
    daemon = await statusOf(context);
  } catch (cause) {
    // The file is changed, whatever became of the daemon.
    return `whether the daemon has taken it up is not known: ${messageOf(cause)}`;
  }
  if (daemon === undefined) return undefined;
  while (systemClock.monotonicMs() < until) {
    const failure = daemon === undefined ? lastDaemonFailure(context.places.home) : undefined;
    if (failure !== undefined) return `the daemon could not restart with it, and has ended: ${failure.message}`;
    if (daemon?.settings?.overridden.includes(key) === true)
      return `the running daemon was given ${key} by its environment or by --set, which outranks config.toml`;
    if (daemon !== undefined && marksOf(daemon)[key] === settingMark(config[key])) return "the daemon has taken it up";
    await systemClock.sleep(50);
    daemon = await statusOf(context).catch(() => undefined);
  }
  return daemon === undefined
    ? "the daemon did not come back with it; `constel daemon start` says why"
    : "the daemon has not taken it up; `constel daemon stop` lets the next command start one that has";
}

/** A daemon of an earlier constel does not tell. */
const marksOf = ({ settings }: Partial<Pick<Status, "settings">>): Readonly<Record<string, string>> =>
  settings?.marks ?? {};

/** Undefined when none answers: it does not run, or is just beginning anew. */
async function statusOf(context: CliContext): Promise<(Partial<Status> & Pick<Status, "pid">) | undefined> {
  try {
    return await directCaller(context).call("daemon.status", { settings: true });
  } catch (cause) {
    if (cause instanceof NoDaemon) return undefined;
    throw cause;
  }
}
