// The daemon about itself: what it can say of its own state, and how it is asked to end.

import type { Need } from "../core/agents/needs.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import { installation } from "../ports/build.ts";
import type { operations } from "../protocol/operations/all.ts";
import { costOf } from "../ports/work-budget.ts";
import type { OutputOf } from "../protocol/operation.ts";
import type { OwnMemory } from "../protocol/own-memory.ts";
import { type SensingState, uncheckedName } from "../protocol/sensing-state.ts";
import { settingKeys } from "../settings/declarations.ts";
import { settingMarks } from "../settings/setting-mark.ts";
import type { Settings } from "../settings/settings.ts";
import type { Store } from "../store/open.ts";
import type { FollowedSettings } from "./follow-settings.ts";
import type { Loop } from "./loops/loops.ts";
import type { StallMeter } from "./stall-meter.ts";
import { standingStill } from "./loops/standing-still.ts";

export interface DaemonSelf {
  status(store: Store, wish: { readonly settings: boolean }): Promise<OutputOf<(typeof operations)["daemon.status"]>>;
  /** Lists the parts of its own work that stand still. */
  standstill(): Need[];
  stop(): { pid: number };
}

export interface SelfParts {
  readonly version: string;
  readonly build: string;
  readonly startedMs: number;
  readonly loops: readonly Loop[];
  readonly httpAddress: () => string | null;
  readonly served: () => Pick<OutputOf<(typeof operations)["daemon.status"]>, "serves" | "serves_problem">;
  readonly meter: StallMeter;
  readonly sensing: () => SensingState | undefined;
  /** The memory of all that works for this home. */
  readonly memory: (sensing: SensingState | undefined) => OwnMemory;
  readonly settings: Settings;
  readonly followed: FollowedSettings;
  readonly askToStop: () => void;
}

export function makeSelf(parts: SelfParts): DaemonSelf {
  return {
    async status(store, { settings }) {
      if (settings) await parts.followed.look(); // whoever changed the file asks here when that is taken up
      const cpu = process.cpuUsage();
      return {
        pid: process.pid,
        version: parts.version,
        build: parts.build,
        installation: installation(),
        started_ms: parts.startedMs,
        store: store.dialect,
        http: parts.httpAddress(),
        ...parts.served(),
        rss_bytes: process.memoryUsage.rss(),
        helpers_bytes: costOf(parts.sensing()?.helpers ?? [])?.bytes ?? 0,
        memory: parts.memory(parts.sensing()),
        cpu_ms: Math.round((cpu.user + cpu.system) / 1000),
        loops: parts.loops.map(({ name, state }) => ({ name, last_ms: state.lastMs, problem: state.problem })),
        stalls: parts.meter.report,
        sensing: parts.sensing() ?? null,
        settings: settings ? settingsOf(parts.settings) : null,
        settings_problem: parts.followed.problem ?? null,
      };
    },
    standstill: () => [...standingStill(parts.loops, systemClock.nowMs()), ...uncheckedNeeds(parts.sensing())],
    stop() {
      // The answer must leave before the server does.
      setTimeout(parts.askToStop, 0);
      return { pid: process.pid };
    },
  };
}

/** One for all: `doctor` names each. */
function uncheckedNeeds(sensing: SensingState | undefined): Need[] {
  const [first, ...others] = sensing?.unchecked ?? [];
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const says = `${uncheckedName(first)} is not checked: ${first.why}${more}`;
  return [{ key: "unchecked", kind: "unchecked", agent: null, says, since_ms: first.at_ms, next: "constel doctor" }];
}

function settingsOf({ config, origins }: Settings): { marks: Record<string, string>; overridden: string[] } {
  const overridden = settingKeys.filter((key) => origins[key] === "flag" || origins[key] === "environment");
  return { marks: settingMarks(config), overridden };
}
