// The cases of JSON Schema: those the rules were written with, and those kept aside.

import { eighthSight } from "./eighth-sight.ts";
import { ninthSight } from "./ninth-sight.ts";
import { sixthSight } from "./sixth-sight.ts";
import { fifthSight } from "./fifth-sight.ts";
import { fourthSight } from "./fourth-sight.ts";
import { held } from "./held.ts";
import { seventhSight } from "./seventh-sight.ts";
import { secondSight } from "./second-sight.ts";
import { jsonSchemaCases } from "./json-schema-case.ts";
import { keywords } from "./keywords.ts";
import { thirdSight } from "./third-sight.ts";

export const jsonSchemaTable = {
  cases: jsonSchemaCases(keywords),
  held: jsonSchemaCases([
    ...held,
    ...secondSight,
    ...thirdSight,
    ...fourthSight,
    ...fifthSight,
    ...sixthSight,
    ...seventhSight,
    ...eighthSight,
    ...ninthSight,
  ]),
};
