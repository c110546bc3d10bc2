// Compares two versions of a protobuf contract. A change is breaking when code generated from the old version no longer
// compiles against the new one, or when the two no longer read each other's bytes or JSON: the FILE rules of
// buf.build/docs/breaking/rules (docs/decisions/0031-typed-contracts.md).

import { Budget } from "../budget.ts";
import type { ContractComparison, ContractSource } from "../format.ts";
import { compareEnums } from "./compare-enums.ts";
import { compareExtensions } from "./compare-extensions.ts";
import { compareFiles } from "./compare-files.ts";
import { compareMessages } from "./compare-messages.ts";
import { compareServices } from "./compare-services.ts";
import { findElsewhere } from "./elsewhere.ts";
import { linkProto } from "./link.ts";
import { loadMore, loadProto } from "./load.ts";
import type { LoadedProto } from "./load.ts";
import { pairUp } from "./pairing.ts";
import { Report } from "./report.ts";
import type { FileSyntax } from "./syntax.ts";

export async function compareProtobuf(
  before: ContractSource,
  after: ContractSource,
  signal?: AbortSignal,
  budget = new Budget(),
): Promise<ContractComparison> {
  const parsed = new Map<string, FileSyntax>();
  const old = await loadProto(before, "before", parsed, signal);
  const young = await loadProto(after, "after", parsed, signal);
  // A file that only one side imports was there all along, or is new, or is gone: the other snapshot says which.
  for (const key of old.files.keys()) await loadMore(young, key, signal);
  for (const key of young.files.keys()) await loadMore(old, key, signal);
  forgottenImports(old, young);
  signal?.throwIfAborted();
  const [oldProto, newProto] = [linkProto(old), linkProto(young)];
  const problems = [...old.problems, ...young.problems];
  if (problems.length > 0) return { kind: "unreadable", problems };
  const elsewhere = await findElsewhere(oldProto, newProto, after, signal);
  const pairing = pairUp(oldProto, newProto, elsewhere);
  const report = new Report(budget);
  compareFiles(pairing, report);
  compareMessages(pairing, report);
  compareEnums(pairing, report);
  compareExtensions(pairing, report);
  compareServices(pairing, report);
  const notes = missingNotes(old, young);
  const complete = notes.length === 0 && report.changes.complete;
  return { kind: "compared", changes: report.changes.sorted(), notes: [...notes, ...report.changes.notes()], complete };
}

/** An import whose file this change deleted is a mistake of that version; one that was never there is only unknown. */
function forgottenImports(old: LoadedProto, young: LoadedProto): void {
  for (const [wanted, { path, line }] of young.missing) {
    if (!old.files.has(wanted)) continue;
    young.problems.push({ side: "after", path, line, message: `The imported file ${wanted} is no longer there.` });
  }
}

function missingNotes(old: LoadedProto, young: LoadedProto): string[] {
  const missing = new Map([...old.missing, ...young.missing]);
  return [...missing].map(
    ([wanted, { path, line }]) =>
      `${wanted}, imported by ${path}:${line}, is not in the snapshot; its types were not compared.`,
  );
}
