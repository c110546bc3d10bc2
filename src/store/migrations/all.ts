// Every migration, in order. To add tables for a subject:
//   1. write migrations/NNNN-name.ts with `up`, `verify` and, if there is a way back, `down`;
//   2. add one line to the list below; the version is the next whole number;
//   3. add the tables' types to tables.ts, and public views to views.ts.
// A migration that has been released is never edited: mend it with the next one. `up` may read and rewrite rows; `verify`
// must check what it did (columns, counts) because the runner commits only after it. Rows of `events` cannot be changed by
// a migration: the database refuses, and the chain would break.

import { firstSchema } from "./0001-first-schema.ts";
import { snoozes } from "./0002-snoozes.ts";
import { acceptance } from "./0003-acceptance.ts";
import { workers } from "./0004-workers.ts";
import { memoriesThatAge } from "./0005-memories-that-age.ts";
import { reviews } from "./0006-reviews.ts";
import { handovers } from "./0007-handovers.ts";
import { pulls } from "./0008-pulls.ts";
import { leases } from "./0009-leases.ts";
import { accounts } from "./0010-accounts.ts";
import { issues } from "./0011-issues.ts";
import { messageLists } from "./0012-message-lists.ts";
import { serviceGraph } from "./0013-service-graph.ts";
import { a2a } from "./0014-a2a.ts";
import { meshPeers } from "./0015-mesh-peers.ts";
import { sharing } from "./0016-sharing.ts";
import { meshItems } from "./0017-mesh-items.ts";
import { heldEvents } from "./0018-held-events.ts";
import type { Migration } from "./migration.ts";

export const allMigrations: readonly Migration[] = [
  firstSchema,
  snoozes,
  acceptance,
  workers,
  memoriesThatAge,
  reviews,
  handovers,
  pulls,
  leases,
  accounts,
  issues,
  messageLists,
  serviceGraph,
  a2a,
  meshPeers,
  sharing,
  meshItems,
  heldEvents,
];
