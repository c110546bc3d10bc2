// The findings of one repository, however it is named, or of all.

import { listFindings } from "../findings/queries.ts";
import type { ReadContext } from "../context.ts";
import { findRepository } from "./register.ts";
import { type Silence, silenceOf } from "./silence.ts";

export async function findingsOf(
  context: ReadContext,
  input: { readonly repository?: string | undefined; readonly all: boolean; readonly limit: number },
): Promise<Awaited<ReturnType<typeof listFindings>> & Silence> {
  const repository =
    input.repository === undefined ? undefined : (await findRepository(context, input.repository)).identity;
  return { ...(await listFindings(context, { ...input, repository })), ...(await silenceOf(context, repository)) };
}
