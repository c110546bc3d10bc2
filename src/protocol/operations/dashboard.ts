// The owner's window: opening it. Everything that it shows and does is one of the other operations.

import { z } from "zod";
import { defineOperation } from "../operation.ts";
import { windowRoles } from "../window.ts";

export const openDashboard = defineOperation({
  name: "dashboard.open",
  summary: "Make a link that opens the dashboard in a browser: it works once, for two minutes.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ role: z.enum(windowRoles).default("owner").describe("What the browser may do") }),
  output: z.object({
    /** With the code in its fragment. */
    url: z.string(),
    role: z.enum(windowRoles),
    /** The time until which the code is good. */
    expires_ms: z.number().int(),
    /** False when this constel was built without the page. */
    has_page: z.boolean(),
  }),
  refusals: ["http.off", "store.not-written"],
});
