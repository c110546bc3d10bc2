// Compares what an array may hold: the items at fixed places, the rest, whether they repeat, and what must be among them.

import { written } from "../json-value.ts";
import { type Comparing, inItems, type Where } from "./comparing.ts";
import type { Shape } from "./shape.ts";

export function compareArrays(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const places = Math.max(before.prefix.length, after.prefix.length);
  for (let at = 0; at < places; at++) comparing.descend(itemAt(before, at), itemAt(after, at), inItems(where, at));
  // That nothing follows, where anything might, is a number of items, and told as one.
  const isNumber = [before.items, after.items].every((items) => items === false || items === undefined);
  if (!isNumber) {
    comparing.descend(before.items, after.items, inItems(where, null));
  }
  if (before.unique !== after.unique) {
    comparing.report(after.unique ? "unique-items-required" : "unique-items-freed", where, null, null);
  }
  const [was, is] = [before.contains, after.contains];
  if (was === undefined && is !== undefined) comparing.report("contains-added", where, null, written(is, 60));
  else if (was !== undefined && is === undefined) comparing.report("contains-removed", where, written(was, 60), null);
  else if (was !== undefined) comparing.descend(was, is, { path: `${where.path} contains`, name: where.name });
}

function itemAt({ prefix, items }: Shape, at: number): unknown {
  return at < prefix.length ? prefix[at] : items;
}
