import type { Scenario } from "./matrix.ts";
export function randomScenarios(_seed: number, _count: number): Scenario[] { return []; }
