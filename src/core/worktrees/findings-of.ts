// The findings of one repository, however it is named, or of all.

import { listFindings } from "../findings/queries.ts";
import type { ReadContext } from "../context.ts";
import { findRepository } from "./register.ts";

export async function findingsOf(
  context: ReadContext,
  input: { readonly repository?: string | undefined; readonly all: boolean; readonly limit: number },
): ReturnType<typeof listFindings> {
  if (input.repository === undefined) return await listFindings(context, input);
  const { identity } = await findRepository(context, input.repository);
  return await listFindings(context, { ...input, repository: identity });
}
