// An eighth round: keywords inside each other, in the places where two of them decide together: parameters and their styles, credentials, calls the
// other way round, recursion, and the same thing in other words. Written before it was run; decision 0120 has what it showed at first sight.

import { eighthSightAlternatives } from "./eighth-sight-alternatives.ts";
import { eighthSightCalls } from "./eighth-sight-calls.ts";
import { eighthSightParameters } from "./eighth-sight-parameters.ts";
import { eighthSightSchemas } from "./eighth-sight-schemas.ts";

export const eighthSight = [
  ...eighthSightAlternatives,
  ...eighthSightSchemas,
  ...eighthSightParameters,
  ...eighthSightCalls,
];
