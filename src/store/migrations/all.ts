// Every migration, in order. To add tables for a subject:
//   1. write migrations/NNNN-name.ts with `up`, `verify` and, if there is a way back, `down` (0001 is the example);
//   2. add one line to the list below; the version is the next whole number;
//   3. add the tables' types to tables.ts, and public views to views.ts.
// A migration that has been released is never edited: mend it with the next one. `up` may read and rewrite rows; `verify`
// must check what it did (columns, counts) because the runner commits only after it. Rows of `events` cannot be changed by
// a migration: the database refuses, and the chain would break.

import { firstTables } from "./0001-first-tables.ts";
import { messages } from "./0002-messages.ts";
import { worktrees } from "./0003-worktrees.ts";
import { agents } from "./0004-agents.ts";
import { tasks } from "./0005-tasks.ts";
import { dispatch } from "./0006-dispatch.ts";
import { claims } from "./0007-claims.ts";
import { viewIndexes } from "./0008-view-indexes.ts";
import { rescues } from "./0009-rescues.ts";
import { keptAndTaken } from "./0010-kept-and-taken.ts";
import { admittedDispatch } from "./0011-admitted-dispatch.ts";
import { openPairs } from "./0012-open-pairs.ts";
import { landing } from "./0013-landing.ts";
import { retention } from "./0014-retention.ts";
import { notices } from "./0015-notices.ts";
import { told } from "./0016-told.ts";
import { watchdog } from "./0017-watchdog.ts";
import { nights } from "./0018-nights.ts";
import { trust } from "./0019-trust.ts";
import { handled } from "./0020-handled.ts";
import { signed } from "./0021-signatures.ts";
import { signedTokens } from "./0022-signed-tokens.ts";
import { toldTo } from "./0023-told-to.ts";
import { pairNotes } from "./0024-pair-notes.ts";
import type { Migration } from "./migration.ts";

export const allMigrations: readonly Migration[] = [
  firstTables,
  messages,
  worktrees,
  agents,
  tasks,
  dispatch,
  claims,
  viewIndexes,
  rescues,
  keptAndTaken,
  admittedDispatch,
  openPairs,
  landing,
  retention,
  notices,
  told,
  watchdog,
  nights,
  trust,
  handled,
  signed,
  signedTokens,
  toldTo,
  pairNotes,
];
