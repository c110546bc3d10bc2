// Defines what the owner's key signs: directives, and decisions that are to count as the owner's. It holds the bytes, and the one question
// whether a signature over them is the owner's. Browser-safe: the holder of the keys is passed in.

import { bytesToSign } from "./canonical.ts";

export interface OwnersWord {
  readonly id: string;
  readonly at_ms: number;
  readonly text: string;
}

export const directiveBytes = ({ id, at_ms, text }: OwnersWord): Uint8Array<ArrayBuffer> =>
  bytesToSign("directive", { id, at_ms, text });

type Verify = (
  signature: string,
  bytes: Uint8Array,
  atMs: number,
) => { readonly ok: boolean; readonly holder?: string; readonly key?: string };

/** The id of the owner's key. Undefined when it was not that key that signed these bytes, or not for this constellation. */
export function verifyOwner(verify: Verify, signature: string, bytes: Uint8Array, atMs: number): string | undefined {
  const { ok, holder, key } = verify(signature, bytes, atMs);
  return ok && holder === "owner" ? key : undefined;
}
