// Answers a read operation in the caller's own process when no daemon runs. The database is opened read-only: looking
// neither creates nor migrates anything.

import { existsSync } from "node:fs";
import { listEvents, verifyAudit } from "../core/timeline/look.ts";
import { operations } from "../protocol/operations/all.ts";
import type { Settings } from "../settings/settings.ts";
import { openSnapshot } from "../store/open.ts";
import { storeOptions } from "./store-options.ts";
