// Definitions that came, went, or moved to another file: the same story for messages, enums, extensions and services.

import type { Defined, Pairing } from "./pairing.ts";
import type { Report } from "./report.ts";
import { lastName } from "./report.ts";

type Kind = "message" | "enum" | "extension" | "service";

/** Tells what came, went and moved, and gives the pairs that are on both sides. */
export function pairDefinitions<Item extends Defined>(
  kind: Kind,
  before: ReadonlyMap<string, Item>,
  after: ReadonlyMap<string, Item>,
  pairing: Pairing,
  report: Report,
): [Item, Item][] {
  const pairs: [Item, Item][] = [];
  const met = new Set<string>();
  for (const old of before.values()) {
    const name = pairing.renamed(old.fullName);
    const young = after.get(name);
    if (young === undefined) {
      if (outerStays(name, pairing)) gone(kind, old, name, pairing, report);
      continue;
    }
    met.add(name);
    if (old.file.key !== young.file.key && isTop(old)) moved(kind, old, young.file.path, report);
    pairs.push([old, young]);
  }
  for (const young of after.values()) {
    if (met.has(young.fullName) || !outerWasThere(young.fullName, pairing)) continue;
    report.compatible(`${kind}-added`, {
      path: young.fullName,
      after: young.fullName,
      text: `The ${kind} ${young.fullName} was added.`,
      names: [lastName(young.fullName)],
    });
  }
  return pairs;
}

function isTop({ fullName, file }: Defined): boolean {
  return outerOf(fullName) === file.syntax.package;
}

function outerOf(fullName: string): string {
  return fullName.slice(0, Math.max(0, fullName.lastIndexOf(".")));
}

/** Tells whether the message around it stays. If that message is gone, everything inside went with it and is not told again. */
function outerStays(name: string, { after, oldMessages }: Pairing): boolean {
  const outer = outerOf(name);
  return after.messages.has(outer) || !oldMessages.has(outer);
}

/** Tells whether the message around it was there before. If that message is new, everything inside is told with it. */
function outerWasThere(name: string, { after, oldMessages }: Pairing): boolean {
  const outer = outerOf(name);
  return !after.messages.has(outer) || oldMessages.has(outer);
}

function gone(kind: Kind, old: Defined, name: string, { elsewhere }: Pairing, report: Report): void {
  const path = elsewhere.get(name);
  if (path !== undefined) return moved(kind, old, path, report);
  report.breaking(`${kind}-deleted`, {
    path: old.fullName,
    before: old.fullName,
    text: `The ${kind} ${old.fullName} was deleted: ${lost[kind]}`,
    names: [lastName(old.fullName)],
  });
}

const lost: Readonly<Record<Kind, string>> = {
  message: "code that uses its generated type no longer compiles.",
  enum: "code that uses its generated type no longer compiles.",
  extension: "code that reads or sets it no longer compiles.",
  service: "its clients no longer compile, and their calls fail.",
};

function moved(kind: Kind, old: Defined, path: string, report: Report): void {
  report.breaking(`${kind}-moved-to-another-file`, {
    path: old.fullName,
    before: old.file.path,
    after: path,
    text: `The ${kind} ${old.fullName} moved from ${old.file.path} to ${path}: in languages that generate a module for each file (Python, C++, JavaScript) imports of it break.`,
    names: [lastName(old.fullName)],
  });
}
