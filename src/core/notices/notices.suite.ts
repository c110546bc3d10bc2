// Tests what agents are told of findings, claims and events, on a real store: the same on both databases. A file a subject.

import type { MakeScene } from "../../../test/kit/databases.ts";
import { budgetSuite } from "./notices-budget.suite.ts";
import { denialsSuite } from "./notices-denials.suite.ts";
import { eventsSuite } from "./notices-events.suite.ts";
import { findingsSuite } from "./notices-findings.suite.ts";
import { noticesGround } from "./notices-ground.suite.ts";
import { handledSuite } from "./notices-handled.suite.ts";
import { tellingSuite } from "./notices-telling.suite.ts";
import { wakingSuite } from "./notices-waking.suite.ts";
import { withoutHooksSuite } from "./notices-without-hooks.suite.ts";

/** `isWhole`: also what says nothing new of another database. */
export function noticesSuite(makeScene: MakeScene, isWhole: boolean): void {
  const ground = noticesGround(makeScene, isWhole);
  findingsSuite(ground);
  budgetSuite(ground);
  denialsSuite(ground);
  eventsSuite(ground);
  tellingSuite(ground);
  withoutHooksSuite(ground);
  handledSuite(ground);
  wakingSuite(ground);
}
