// The memory of every process of constel's that works for one home.

import { z } from "zod";

export const ownMemoryShape = z.object({
  bytes: z.number().int(),
  parts: z.array(
    z.object({
      /**
       * `reader`: reads repositories. `compiler`: gives a second opinion. `program`: what the daemon runs beside these, such as git and gates. `holder`: keeps
       * the pipe of an agent's program; the program itself is not ours. `mcp`: the door of an agent's program.
       */
      what: z.enum(["daemon", "reader", "compiler", "program", "holder", "ticker", "mcp", "other"]),
      processes: z.number().int(),
      bytes: z.number().int(),
    }),
  ),
});

export type OwnMemory = z.infer<typeof ownMemoryShape>;
