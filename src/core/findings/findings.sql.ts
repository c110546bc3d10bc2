// Every question findings ask of the database.

import type { Kysely } from "kysely";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { DismissalsTable, FindingsTable } from "../../store/tables/observed.ts";
import { kindsFromElsewhere } from "./kinds.ts";
import type { KnownFinding, SeenPair } from "./lifecycle.ts";

type Db = Kysely<Tables>;

/** The kinds that are looked at: those that follow from the pairs of one repository, those that come from elsewhere, or all. */
export type LookedKinds = "pairs" | "elsewhere" | "all";

/** Everything of a repository that is not closed, and what of it is closed but was seen again. */
export async function knownFindings(
  db: Db,
  constellation: string,
  repository: string,
  fingerprints: readonly string[],
  kinds: LookedKinds,
): Promise<KnownFinding[]> {
  const all = db
    .selectFrom("findings")
    .select([
      "id",
      "fingerprint",
      "kind",
      "severity",
      "pair",
      "ours_worktree",
      "ours_branch",
      "theirs_worktree",
      "theirs_branch",
      "title",
      "files",
      "evidence_hash",
      "evidence_kind",
      "state",
      "opened_ms",
      "dismissal",
      "by_compiler",
    ])
    .where("constellation", "=", constellation)
    .where("repository", "=", repository);
  const select =
    kinds === "all" ? all : all.where("kind", kinds === "pairs" ? "not in" : "in", [...kindsFromElsewhere]);
  const rows = await select.where("state", "in", ["open", "dismissed"]).execute();
  const missing = [...new Set(fingerprints)].filter((one) => !rows.some((row) => row.fingerprint === one));
  for (let from = 0; from < missing.length; from += 500) {
    rows.push(...(await select.where("fingerprint", "in", missing.slice(from, from + 500)).execute()));
  }
  return rows;
}

/** Returns the times when the content of worktrees was last seen to change, for those that are there and ever did. */
export async function changesAt(
  db: Db,
  constellation: string,
  paths: readonly (string | null)[],
): Promise<{ path: string; changedMs: number }[]> {
  const rows = await db
    .selectFrom("worktrees")
    .select(["path", "changed_ms"])
    .where("constellation", "=", constellation)
    .where(
      "path",
      "in",
      paths.filter((path) => path !== null),
    )
    .execute();
  return rows.flatMap(({ path, changed_ms: changedMs }) =>
    changedMs === null ? [] : [{ path, changedMs: Number(changedMs) }],
  );
}

export async function dismissalsOf(db: Db, constellation: string, repository: string): Promise<DismissalsTable[]> {
  return await db
    .selectFrom("dismissals")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("repository", "=", repository)
    .orderBy("id")
    .execute();
}

/** The work is over. A dismissal that followed it to another directory speaks of another pair by now, and stays. */
export async function deleteDismissalOfWork(
  tx: Tx,
  dismissal: string,
  { fingerprint, pair }: Pick<FindingsTable, "fingerprint" | "pair">,
): Promise<void> {
  await tx.db
    .deleteFrom("dismissals")
    .where("id", "=", dismissal)
    .where("scope", "in", ["finding", "pair"])
    .where((eb) => eb.or([eb("fingerprint", "=", fingerprint), eb("pair", "=", pair)]))
    .execute();
}

export async function updateDismissal(tx: Tx, id: string, change: Partial<DismissalsTable>): Promise<void> {
  await tx.db.updateTable("dismissals").set(change).where("id", "=", id).execute();
}

/** One of the findings that a dismissal has dismissed. */
export async function findingDismissedBy(
  db: Db,
  dismissal: string,
): Promise<Pick<FindingsTable, "pair" | "kind" | "files"> | undefined> {
  return await db
    .selectFrom("findings")
    .select(["pair", "kind", "files"])
    .where("dismissal", "=", dismissal)
    .executeTakeFirst();
}

export async function findingById(db: Db, id: string): Promise<FindingsTable> {
  return await db.selectFrom("findings").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

export async function timesOpened(db: Db, id: string): Promise<number> {
  const row = await db.selectFrom("findings").select("times_opened").where("id", "=", id).executeTakeFirst();
  return row?.times_opened ?? 0;
}

export async function openFindings(
  db: Db,
  constellation: string,
  repository: string,
): Promise<Pick<FindingsTable, "id" | "fingerprint" | "pair" | "kind" | "files">[]> {
  return await db
    .selectFrom("findings")
    .select(["id", "fingerprint", "pair", "kind", "files"])
    .where("constellation", "=", constellation)
    .where("repository", "=", repository)
    .where("state", "=", "open")
    .execute();
}

export async function insertFinding(tx: Tx, row: FindingsTable): Promise<void> {
  await tx.insert("findings", row);
}

export async function updateFinding(tx: Tx, id: string, change: Partial<FindingsTable>): Promise<void> {
  await tx.db.updateTable("findings").set(change).where("id", "=", id).execute();
}

/** Returns the columns of a finding that are as it was last seen. */
export function asSeen({ draft, sides, pair, evidence, evidenceHash }: SeenPair) {
  return {
    kind: draft.kind,
    severity: draft.severity,
    pair: storable(pair),
    ours_label: storable(sides.ours.label),
    ours_worktree: storableOrNull(sides.ours.worktree),
    ours_branch: storableOrNull(sides.ours.branch),
    theirs_label: storable(sides.theirs.label),
    theirs_worktree: storableOrNull(sides.theirs.worktree),
    theirs_branch: storableOrNull(sides.theirs.branch),
    title: storable(draft.title),
    action: storable(draft.action),
    files: JSON.stringify(draft.files),
    symbols: JSON.stringify(draft.symbols),
    evidence,
    evidence_hash: evidenceHash,
    evidence_kind: storable(draft.evidenceKind),
    by_compiler: draft.byCompiler === true ? 1 : 0,
  };
}

/** File names may hold anything; Postgres takes no NUL and neither database takes half a character. */
function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

function storableOrNull(text: string | null): string | null {
  return text === null ? null : storable(text);
}
