// The cases of AsyncAPI: those the rules were written with, and those kept aside.

import { channelCases } from "./channels.ts";
import { seventhSight } from "./seventh-sight.ts";
import { sixthSight } from "./sixth-sight.ts";
import { fifthSight } from "./fifth-sight.ts";
import { fourthSight } from "./fourth-sight.ts";
import { held } from "./held.ts";
import { secondSight } from "./second-sight.ts";
import { messageCases } from "./messages.ts";
import { asyncApiCases } from "./minimal-document.ts";
import { thirdSight } from "./third-sight.ts";

export const asyncApiTable = {
  cases: asyncApiCases([...channelCases, ...messageCases]),
  held: asyncApiCases([
    ...held,
    ...secondSight,
    ...thirdSight,
    ...fourthSight,
    ...fifthSight,
    ...sixthSight,
    ...seventhSight,
  ]),
};
