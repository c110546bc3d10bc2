// Turns the settings into options for opening the store: for the daemon, and for anything that reads or mends the store without one.

import { join } from "node:path";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { constellationSigner } from "../host/keys/row-signer.ts";
import { inHome } from "../settings/paths.ts";
import type { Settings } from "../settings/settings.ts";
import { keptHead } from "./head-file.ts";
import type { OpenStoreOptions } from "../store/open.ts";

export function storeOptions(settings: Settings): OpenStoreOptions {
  const head = keptHead(settings);
  return {
    ...(head === undefined ? {} : { head }),
    url: settings.databaseUrl,
    backupDirectory: join(settings.home, inHome.backups),
    constellation: settings.config["constellation.name"],
    clock: systemClock,
    random: systemRandom,
    sign: constellationSigner(settings.home, systemClock),
  };
}
