// Checks a signature of minisign (Ed25519 over the content's BLAKE2b digest). The comment it vouches for names version and file, so that the signed file of another
// release is not taken for this one.

import { createPublicKey, verify } from "node:crypto";
import { Refusal } from "../../protocol/errors.ts";

/** SPKI of Ed25519 is these bytes, and then the key. */
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");
const [keyBytes, signatureBytes] = [42, 74];
const trustedHead = "trusted comment: ";

/** Answers with the trusted comment. */
export function checkSignature(content: Uint8Array, signature: string, publicKey: string): string {
  const [, line = "", comment = "", globalLine = ""] = signature.split("\n");
  const key = Buffer.from(publicKey, "base64");
  const signed = Buffer.from(line, "base64");
  if (key.length !== keyBytes || signed.length !== signatureBytes || !comment.startsWith(trustedHead))
    throw unsigned("its signature cannot be read");
  if (signed.toString("latin1", 0, 2) !== "ED") throw unsigned("its signature is of another kind");
  if (!signed.subarray(2, 10).equals(key.subarray(2, 10))) throw unsigned("another key signed it");
  const by = createPublicKey({ key: Buffer.concat([publicPrefix, key.subarray(10)]), format: "der", type: "spki" });
  const digest = new Bun.CryptoHasher("blake2b512").update(content).digest();
  const own = signed.subarray(10);
  const trusted = comment.slice(trustedHead.length);
  const isWhole =
    verify(null, digest, by, own) &&
    verify(null, Buffer.concat([own, Buffer.from(trusted)]), by, Buffer.from(globalLine, "base64"));
  if (!isWhole) throw unsigned("its signature is of other content");
  return trusted;
}

const unsigned = (why: string): Refusal =>
  new Refusal("release.not-signed", `the release is not taken: ${why}; nothing was changed`, { why });
