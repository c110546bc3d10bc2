// Two sides that add a migration in the same place of the same order: the same number or timestamp, or, where each migration
// names the one before it (Django, Alembic), the same parent. git merges both files cleanly and the tool then refuses to run.
// One finding per directory of migrations.

import type { Evidence } from "../../../protocol/findings.ts";
import { migrationOf, type Migration } from "./migration-name.ts";
import { hunk, ours, type Said, theirs } from "../pair-finding.ts";
import type { PairScene, SideChanges } from "../scene.ts";

/** A side that adds more than this imports a history, it does not write one. */
const maxPerSide = 200;

export async function reviewMigrationOrder(scene: PairScene): Promise<Said[]> {
  const our = await added(scene, scene.ours);
  const their = await added(scene, scene.theirs);
  if (our.length === 0 || their.length === 0) return [];
  const base = await scene.tree("base");
  return collisions(our, their, [...base.blobs.keys()]);
}

/** Pure: `existing` are the paths before either side began. */
export function collisions(
  our: readonly Migration[],
  their: readonly Migration[],
  existing: readonly string[],
): Said[] {
  const directories = new Set(our.map(({ directory }) => directory));
  const findings: Said[] = [];
  for (const directory of directories) {
    const left = our.filter((one) => one.directory === directory);
    const right = their.filter((one) => one.directory === directory);
    const evidence = left.flatMap((mine) =>
      right.map((yours) => collide(mine, yours, directory, existing)).filter((one) => one !== undefined),
    );
    const [first] = evidence;
    if (first === undefined) continue;
    findings.push({
      subject: directory,
      title: `${ours} and ${theirs} take the same slot in the migrations of ${directory || "the top directory"}: ${first.symbol}`,
      action: "The one that lands second renames its migration, or makes it follow the other's.",
      symbols: [],
      evidence,
    });
  }
  return findings;
}

function collide(
  mine: Migration,
  yours: Migration,
  directory: string,
  existing: readonly string[],
): Evidence | undefined {
  if (mine.path === yours.path) return undefined; // an add/add conflict, or the very same file
  const parent = mine.parents.find((one) => yours.parents.includes(one));
  const rule = parent !== undefined ? "heads" : hasSameSlot(mine, yours, directory, existing) ? "slot" : undefined;
  if (rule === undefined) return undefined;
  const names = `${mine.name} and ${yours.name}`;
  return {
    rule,
    path: mine.path < yours.path ? mine.path : yours.path,
    symbol: names,
    ours: [hunk(mine.path, mine.line, mine.text)],
    theirs: [hunk(yours.path, yours.line, yours.text)],
    message:
      rule === "heads" ? `${names} both follow ${parent}: two heads.` : `${names} both have the number ${mine.slot}.`,
  };
}

function hasSameSlot(mine: Migration, yours: Migration, directory: string, existing: readonly string[]): boolean {
  if (mine.slot === undefined || mine.slot !== yours.slot || mine.name === yours.name) return false;
  // Where parents are named, they say the order and numbers are decoration.
  if (mine.parents.length > 0 && yours.parents.length > 0) return false;
  return !toleratesTwins(directory, existing);
}

/** Two old migrations with one number: this directory does not mean an order by it. */
function toleratesTwins(directory: string, existing: readonly string[]): boolean {
  const names = new Map<string, string>();
  for (const path of existing) {
    const migration = migrationOf(path, "");
    if (migration?.directory !== directory || migration.slot === undefined) continue;
    const known = names.get(migration.slot);
    if (known !== undefined && known !== migration.name) return true;
    names.set(migration.slot, migration.name);
  }
  return false;
}

async function added(scene: PairScene, side: SideChanges): Promise<Migration[]> {
  const found: Migration[] = [];
  for (const { path, after } of side.added) {
    if (found.length >= maxPerSide) break;
    if (after === undefined || scene.excluded(path) !== undefined || migrationOf(path, "") === undefined) continue;
    const migration = migrationOf(path, (await scene.read(after.blob)) ?? "");
    if (migration !== undefined) found.push(migration);
  }
  return found;
}
