// What sensing knows and what follows from it: repositories and the clones they were found through, their worktrees as
// last seen, findings with their life, and what was dismissed.

import { expectColumns, type Migration } from "./migration.ts";

const columns = {
  repositories: [
    "constellation",
    "identity",
    "name",
    "wanted",
    "added_ms",
    "added_by",
    "default_branch",
    "problem",
    "last_observed_ms",
  ],
  clones: ["constellation", "repository", "path", "added_ms"],
  worktrees: [
    "constellation",
    "path",
    "repository",
    "branch",
    "head",
    "snapshot_commit",
    "snapshot_tree",
    "operation",
    "skipped",
    "detail",
    "ahead",
    "behind",
    "uncommitted",
    "agent",
    "first_seen_ms",
    "last_observed_ms",
  ],
  findings: [
    "id",
    "constellation",
    "fingerprint",
    "kind",
    "severity",
    "repository",
    "pair",
    "ours_label",
    "ours_worktree",
    "ours_branch",
    "theirs_label",
    "theirs_worktree",
    "theirs_branch",
    "title",
    "action",
    "files",
    "symbols",
    "evidence",
    "evidence_hash",
    "evidence_kind",
    "state",
    "opened_ms",
    "updated_ms",
    "closed_ms",
    "closed_because",
    "times_opened",
    "dismissed_ms",
    "dismissed_by",
    "dismissed_reason",
    "dismissed_scope",
    "dismissal",
  ],
  dismissals: [
    "id",
    "constellation",
    "repository",
    "scope",
    "fingerprint",
    "pair",
    "branches",
    "files",
    "kind",
    "rules",
    "severity",
    "reason",
    "dismissed_by",
    "at_ms",
  ],
} as const;

export const worktrees: Migration = {
  version: 3,
  name: "worktrees",
  async up(db) {
    await db.schema
      .createTable("repositories")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("identity", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("wanted", "text", (c) => c.notNull())
      .addColumn("added_ms", "bigint", (c) => c.notNull())
      .addColumn("added_by", "text", (c) => c.notNull())
      .addColumn("default_branch", "text")
      .addColumn("problem", "text")
      .addColumn("last_observed_ms", "bigint")
      .addPrimaryKeyConstraint("repositories_identity", ["constellation", "identity"])
      .execute();
    await db.schema
      .createTable("clones")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("repository", "text", (c) => c.notNull())
      .addColumn("path", "text", (c) => c.notNull())
      .addColumn("added_ms", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("clones_path", ["constellation", "path"])
      .execute();
    await db.schema
      .createTable("worktrees")
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("path", "text", (c) => c.notNull())
      .addColumn("repository", "text", (c) => c.notNull())
      .addColumn("branch", "text")
      .addColumn("head", "text")
      .addColumn("snapshot_commit", "text")
      .addColumn("snapshot_tree", "text")
      .addColumn("operation", "text")
      .addColumn("skipped", "text")
      .addColumn("detail", "text")
      .addColumn("ahead", "bigint")
      .addColumn("behind", "bigint")
      .addColumn("uncommitted", "bigint", (c) => c.notNull())
      .addColumn("agent", "text")
      .addColumn("first_seen_ms", "bigint", (c) => c.notNull())
      .addColumn("last_observed_ms", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("worktrees_path", ["constellation", "path"])
      .execute();
    await db.schema.createIndex("worktrees_repository").on("worktrees").columns(["repository"]).execute();
    await db.schema
      .createTable("findings")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("fingerprint", "text", (c) => c.notNull())
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("severity", "text", (c) => c.notNull())
      .addColumn("repository", "text", (c) => c.notNull())
      .addColumn("pair", "text", (c) => c.notNull())
      .addColumn("ours_label", "text", (c) => c.notNull())
      .addColumn("ours_worktree", "text")
      .addColumn("ours_branch", "text")
      .addColumn("theirs_label", "text", (c) => c.notNull())
      .addColumn("theirs_worktree", "text")
      .addColumn("theirs_branch", "text")
      .addColumn("title", "text", (c) => c.notNull())
      .addColumn("action", "text", (c) => c.notNull())
      .addColumn("files", "text", (c) => c.notNull())
      .addColumn("symbols", "text", (c) => c.notNull())
      .addColumn("evidence", "text", (c) => c.notNull())
      .addColumn("evidence_hash", "text", (c) => c.notNull())
      .addColumn("evidence_kind", "text", (c) => c.notNull())
      .addColumn("state", "text", (c) => c.notNull())
      .addColumn("opened_ms", "bigint", (c) => c.notNull())
      .addColumn("updated_ms", "bigint", (c) => c.notNull())
      .addColumn("closed_ms", "bigint")
      .addColumn("closed_because", "text")
      .addColumn("times_opened", "bigint", (c) => c.notNull())
      .addColumn("dismissed_ms", "bigint")
      .addColumn("dismissed_by", "text")
      .addColumn("dismissed_reason", "text")
      .addColumn("dismissed_scope", "text")
      .addColumn("dismissal", "text")
      .addUniqueConstraint("findings_once", ["constellation", "repository", "fingerprint"])
      .execute();
    await db.schema.createIndex("findings_state").on("findings").columns(["repository", "state"]).execute();
    await db.schema.createIndex("findings_ours").on("findings").columns(["ours_worktree", "state"]).execute();
    await db.schema.createIndex("findings_theirs").on("findings").columns(["theirs_worktree", "state"]).execute();
    await db.schema
      .createTable("dismissals")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("constellation", "text", (c) => c.notNull())
      .addColumn("repository", "text", (c) => c.notNull())
      .addColumn("scope", "text", (c) => c.notNull())
      .addColumn("fingerprint", "text")
      .addColumn("pair", "text")
      .addColumn("branches", "text")
      .addColumn("files", "text")
      .addColumn("kind", "text")
      .addColumn("rules", "text", (c) => c.notNull())
      .addColumn("severity", "text", (c) => c.notNull())
      .addColumn("reason", "text", (c) => c.notNull())
      .addColumn("dismissed_by", "text", (c) => c.notNull())
      .addColumn("at_ms", "bigint", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("dismissals_repository").on("dismissals").columns(["repository"]).execute();
  },
  async verify(db, dialect) {
    for (const [table, names] of Object.entries(columns)) await expectColumns(db, dialect, table, names);
  },
  async down(db) {
    for (const table of Object.keys(columns)) await db.schema.dropTable(table).execute();
  },
};
