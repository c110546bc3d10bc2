// Tells what takes the room in the database.

import { systemClock } from "../host/clock/system-clock.ts";
import type { StoreSize } from "../protocol/store-keeping.ts";
import type { Settings } from "../settings/settings.ts";
import { openSnapshot } from "../store/snapshot.ts";
import { eventKinds, eventsSince, tableSizes } from "./store-size.sql.ts";
import { storeOptions } from "./store-options.ts";

const mostKinds = 15;
const dayMs = 86_400_000;

export async function sizeOfStore(settings: Settings): Promise<StoreSize> {
  const options = storeOptions(settings);
  const { constellation } = options;
  const snapshot = await openSnapshot(options);
  try {
    const { db, dialect } = snapshot;
    const tables = await tableSizes(db, dialect);
    const since = (days: number): Promise<number> => eventsSince(db, constellation, systemClock.nowMs() - days * dayMs);
    return {
      kind: dialect,
      constellation,
      bytes: tables.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
      tables,
      events: await eventKinds(db, constellation, mostKinds),
      growth: { day: await since(1), week: await since(7), month: await since(30) },
    };
  } finally {
    await snapshot.close();
  }
}
