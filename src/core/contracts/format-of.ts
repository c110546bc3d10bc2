// Finds the format of a specification: by the entry itself; for a directory, by the first file in it that is recognised.

import { contractFormats } from "./all.ts";
import type { ContractFormat, ContractSource } from "./format.ts";

/** Only these are opened to see what they hold. */
const mayBe = /\.(ya?ml|json|graphqls?|gql|proto)$/i;

/** By its name alone. */
export const mayBeContract = (path: string): boolean => mayBe.test(path);

export async function formatOf(source: ContractSource): Promise<ContractFormat | undefined> {
  const text = await source.read(source.entry);
  if (text !== undefined) return contractFormats.find((format) => format.recognises(source.entry, text));
  for (const path of (await source.list?.(source.entry)) ?? []) {
    if (!mayBeContract(path)) continue;
    const inside = await source.read(path);
    const format = inside === undefined ? undefined : contractFormats.find((one) => one.recognises(path, inside));
    if (format !== undefined) return format;
  }
  return undefined;
}
