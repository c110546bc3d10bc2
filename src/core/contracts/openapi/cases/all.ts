// The cases of OpenAPI: those the rules were written with, and those kept aside.

import { bodies } from "./bodies.ts";
import { combined } from "./combined.ts";
import { eighthSight } from "./eighth-sight.ts";
import { fifthSight } from "./fifth-sight.ts";
import { fourthSight } from "./fourth-sight.ts";
import { held } from "./held.ts";
import { openApiCases } from "./minimal-document.ts";
import { ninthSight } from "./ninth-sight.ts";
import { objects } from "./objects.ts";
import { operations } from "./operations.ts";
import { parameters } from "./parameters.ts";
import { scalars } from "./scalars.ts";
import { seventhSight } from "./seventh-sight.ts";
import { sixthSight } from "./sixth-sight.ts";
import { secondSight, swaggerSecondSight } from "./second-sight.ts";
import { security } from "./security.ts";
import { thirdSight } from "./third-sight.ts";

export const openApiTable = {
  cases: openApiCases([...scalars, ...objects, ...combined, ...parameters, ...bodies, ...operations, ...security]),
  held: [
    ...openApiCases(held),
    ...openApiCases([
      ...secondSight,
      ...thirdSight,
      ...fourthSight,
      ...fifthSight,
      ...sixthSight,
      ...seventhSight,
      ...eighthSight,
      ...ninthSight,
    ]),
    ...swaggerSecondSight,
  ],
};
