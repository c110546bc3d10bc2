// A third round, object by object and field by field through the specification, for what no earlier case names. Written before it was run;
// what it showed at first sight is in decision 0050.

import { bodiesThirdSight } from "./third-sight-bodies.ts";
import { operationsThirdSight } from "./third-sight-operations.ts";
import { schemasThirdSight } from "./third-sight-schemas.ts";

export const thirdSight = [...operationsThirdSight, ...bodiesThirdSight, ...schemasThirdSight];
