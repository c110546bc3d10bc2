// The cases of a strict examiner, written without looking at the checker: two sides that compile, and whether their merge does.
// What each is said to do is checked against the compiler before it judges anything.

import type { Scenario } from "../scenarios.ts";
import { calls } from "./calls.ts";
import { members } from "./members.ts";
import { modules } from "./modules.ts";
import { names } from "./names.ts";
import { shapes } from "./shapes.ts";
import { type ExaminerCase, shop } from "./shop.ts";
import { silentModules } from "./silent-modules.ts";
import { silentShapes } from "./silent-shapes.ts";
import { silentUses } from "./silent-uses.ts";
import { silentTogether, together, type TogetherCase } from "./together.ts";

type Judged = Scenario & { readonly breaks: boolean };

/** Both ways round: which side is ours must not matter. */
export function examinerCases(): readonly Judged[] {
  const breaking = [...names, ...members, ...calls, ...shapes, ...modules];
  const silent = [...silentUses, ...silentShapes, ...silentModules];
  return [
    ...breaking.flatMap((one) => bothWays(one, true)),
    ...silent.flatMap((one) => bothWays(one, false)),
    ...together.flatMap((one) => bothWaysOn(one, true)),
    ...silentTogether.flatMap((one) => bothWaysOn(one, false)),
  ];
}

const bothWays = ([name, ours, theirs]: ExaminerCase, breaks: boolean): Judged[] =>
  bothWaysOn([name, shop, ours, theirs], breaks);

function bothWaysOn([name, base, ours, theirs]: TogetherCase, breaks: boolean): Judged[] {
  return [
    { name, group: "examiner", breaks, sides: { base, ours, theirs } },
    { name: `${name}, swapped`, group: "examiner", breaks, sides: { base, ours: theirs, theirs: ours } },
  ];
}
