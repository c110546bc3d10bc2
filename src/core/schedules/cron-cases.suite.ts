// Lists when expressions fire, in zones whose clocks change in every way there is: by an hour, by half an hour, by a day, not at all. Each
// kind has a file in cron-cases/. The firings were worked out minute by minute with Python's zoneinfo, apart from the code that is tested
// with them.

import { clocksBack } from "./cron-cases/clocks-back.suite.ts";
import { clocksForward } from "./cron-cases/clocks-forward.suite.ts";
import { days } from "./cron-cases/days.suite.ts";
import { fields } from "./cron-cases/fields.suite.ts";
import { halfHours } from "./cron-cases/half-hours.suite.ts";
import { skippedDay } from "./cron-cases/skipped-day.suite.ts";

interface CronCase {
  readonly says: string;
  readonly cron: string;
  readonly zone: string;
  readonly after: string;
  readonly fires: readonly string[];
}

const rows = [...clocksForward, ...clocksBack, ...halfHours, ...skippedDay, ...days, ...fields];

export const cronCases: readonly CronCase[] = rows.map(([says, cron, zone, after, ...fires]) => ({
  says,
  cron,
  zone,
  after,
  fires,
}));
