// What the signature of a row is worth when it is read.

import { z } from "zod";

/**
 * `verified`: constel or the owner signed the row as it stands. `not-signed`: it is from before rows were signed, or there was no key.
 * `unbound`: the owner signed it, from before signatures named their constellation: it holds here and in every home that knows the key.
 * `wrong`: it is not what was signed, or it was signed for another constellation. `not-checked`: there was no ring of keys to check it with.
 */
export const signatureStanding = z.enum(["verified", "unbound", "not-signed", "wrong", "not-checked"]);

export type SignatureStanding = z.infer<typeof signatureStanding>;
