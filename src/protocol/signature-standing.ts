// Says how far the signature of a row can be trusted when it is read.

import { z } from "zod";

/**
 * `verified`: constel or the owner signed the row as it stands. `not-signed`: there was no key to sign it with.
 * `wrong`: it is not what was signed, or it was signed for another constellation. `not-checked`: there was no ring of keys to check it with.
 */
export const signatureStanding = z.enum(["verified", "not-signed", "wrong", "not-checked"]);

export type SignatureStanding = z.infer<typeof signatureStanding>;
