// Services: who provides and who uses which contracts, over all watched repositories.

import { z } from "zod";
import { defineOperation } from "../operation.ts";

const problem = z.object({
  repository: z.string(),
  path: z.string(),
  line: z.number().int().nullable(),
  message: z.string(),
});

export const serviceGraph = defineOperation({
  name: "service.graph",
  summary: "The services that the watched repositories declare or show in code, what they provide, and who uses it.",
  may: "everybody",
  effect: "reads",
  needsDaemon: true,
  input: z.object({}),
  output: z.object({
    services: z.array(
      z.object({
        name: z.string(),
        /** null where the repository is not watched. */
        repository: z.string().nullable(),
        repository_name: z.string(),
        provides: z.array(z.string()),
        declared_in: z.array(z.string()),
      }),
    ),
    uses: z.array(
      z.object({
        consumer: z.string(),
        provider: z.string(),
        /** Only this contract; null: all that the provider has. */
        contract: z.string().nullable(),
        how: z.enum(["direct", "tests"]),
        source: z.enum(["services.yaml", "backstage", "compose", "inferred"]),
        /** Of what is inferred: the operations or channels that code asks for; null: all. */
        operations: z.array(z.string()).nullable(),
        /** Of what is inferred: where code shows it, `src/cart.ts:3`. */
        because: z.string().nullable(),
      }),
    ),
    problems: z.array(problem),
    /** False while a watched repository could not be read. */
    complete: z.boolean(),
  }),
  refusals: [],
});
