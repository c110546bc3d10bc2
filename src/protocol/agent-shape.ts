// An agent's id in what operations take.

import { z } from "zod";

export const agentShape = z.string().regex(/^agent[a-z0-9]{1,32}$/, "must be an agent's id, such as agent1");
