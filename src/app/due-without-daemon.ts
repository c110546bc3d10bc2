// Delivers what falls due while the daemon cannot be started, for the watchdog's tick: prompts of schedules, and the word to go on for
// agents whose usage limit has lifted. Both go into inboxes under the keys that the daemon uses, so nothing is said twice. The point up to
// which schedules were looked at is read from the database if possible, and kept in a file of its own meanwhile.

import { dueToGoOn } from "../core/agents/resume.ts";
import { fireWithoutStore } from "../core/schedules/fire-without-store.ts";
import type { CronState } from "../core/schedules/schedule.ts";
import { scheduleRows } from "../core/schedules/schedules.sql.ts";
import { readTrusted, writeTrusted } from "../files/trusted-files.ts";
import { goOnDraft } from "../floor/bus/go-on.ts";
import { send } from "../floor/bus/send.ts";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { busTrust } from "../host/keys/bus-trust.ts";
import { systemLiveness } from "../host/process/liveness.ts";
import { constellationHolder } from "../ports/keys.ts";
import { inHome } from "../settings/paths.ts";
import type { Settings } from "../settings/settings.ts";
import { openSnapshot, type Snapshot } from "../store/snapshot.ts";
import { scheduleFiles } from "./schedule-files.ts";
import { storeOptions } from "./store-options.ts";

export async function fireDueSchedules(settings: Settings): Promise<string> {
  const { home } = settings;
  const known = await fromStore(settings, async ({ db }, constellation) =>
    (await scheduleRows(db, constellation, "cron")).map((row): [string, CronState] => [
      row.label,
      { seenMs: row.seen_ms, firedMs: row.fired_ms ?? undefined },
    ]),
  );
  const remembered = entriesOf(home, inHome.dueAlone, isCronState);
  const seen = new Map([...(known ?? []), ...remembered]);
  const bus = busOf(home);
  const machine = {
    files: scheduleFiles(home, systemClock),
    prompt: ({ key, from, to, text }: { key: string; from: string; to: string; text: string }) =>
      void send(bus, { from, to, text, kind: "scheduled", idempotency_key: key }),
  };
  const done = await fireWithoutStore({ machine, nowMs: systemClock.nowMs(), seen });
  if (done.seen.size > 0) writeTrusted(home, inHome.dueAlone, JSON.stringify(Object.fromEntries(done.seen)));
  const parts = [
    ...(done.fired.length === 0 ? [] : [`without the daemon: ${done.fired.join(", ")}`]),
    ...(done.left.length === 0 ? [] : [`left to the daemon: ${done.left.join(", ")}`]),
    ...done.problems,
  ];
  return parts.length === 0 ? "nothing is due" : parts.join("; ");
}

export async function tellLifted(settings: Settings): Promise<string> {
  if (!settings.config["limits.resume"]) return "agents are not told to go on (limits.resume)";
  const due = await fromStore(settings, ({ db }, constellation) =>
    dueToGoOn({ db, constellation }, systemClock.nowMs()),
  );
  if (due === undefined) return "not known: the database cannot be read";
  // A key makes it one message to its reader, but a night of ticks would fill the inbox with copies.
  const { home } = settings;
  const told = entriesOf(home, inHome.liftedAlone, (value): value is number => typeof value === "number");
  const news = due.filter(({ agent, dueMs }) => told.get(agent) !== dueMs);
  const bus = busOf(home);
  for (const one of news) send(bus, goOnDraft(one));
  if (news.length > 0) {
    const all = due.map(({ agent, dueMs }) => [agent, dueMs] as const);
    writeTrusted(home, inHome.liftedAlone, JSON.stringify(Object.fromEntries(all)));
  }
  return news.length === 0 ? "nobody is due" : `told to go on: ${news.map(({ agent }) => agent).join(", ")}`;
}

const busOf = (home: string) => ({
  home,
  clock: systemClock,
  random: systemRandom,
  liveness: systemLiveness,
  ...busTrust(home, systemClock, () => constellationHolder),
});

/** undefined: it cannot be read. */
async function fromStore<T>(
  settings: Settings,
  ask: (snapshot: Snapshot, constellation: string) => Promise<T>,
): Promise<T | undefined> {
  const options = storeOptions(settings);
  const snapshot = await openSnapshot(options).catch(() => undefined);
  if (snapshot === undefined) return undefined;
  try {
    return await ask(snapshot, options.constellation);
  } catch {
    return undefined; // damaged
  } finally {
    await snapshot.close();
  }
}

const isCronState = (value: unknown): value is CronState => typeof (value as CronState | null)?.seenMs === "number";

/** Reads what the last ticks without a daemon wrote. A file that cannot be understood counts as none. */
function entriesOf<T>(home: string, path: string, isOne: (value: unknown) => value is T): Map<string, T> {
  try {
    const found: unknown = JSON.parse(readTrusted(home, path)?.toString("utf8") ?? "{}");
    return new Map(Object.entries(found ?? {}).filter((entry): entry is [string, T] => isOne(entry[1])));
  } catch {
    return new Map();
  }
}
