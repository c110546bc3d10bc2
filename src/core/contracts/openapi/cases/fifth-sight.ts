// A fifth round: alternatives, which are paired and compared one by one, in both directions; and the other areas of OpenAPI once more. Written
// before it was run; decision 0065 has what it showed at first sight.

import { fifthSightAlternatives } from "./fifth-sight-alternatives.ts";
import { fifthSightOthers } from "./fifth-sight-others.ts";

export const fifthSight = [...fifthSightAlternatives, ...fifthSightOthers];
