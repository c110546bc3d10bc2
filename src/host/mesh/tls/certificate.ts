// A certificate for the mesh key, signed by itself. Nobody goes by anything in it but the key: it names nobody and does not expire.

import { createPublicKey, X509Certificate } from "node:crypto";
import type { MeshKey } from "../mesh-key.ts";

/** DER takes the shortest form: one byte for lengths under 128, else the number of bytes that the length itself takes. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  if (body.length < 128) return Buffer.concat([Buffer.of(tag, body.length), body]);
  if (body.length < 256) return Buffer.concat([Buffer.of(tag, 0x81, body.length), body]);
  if (body.length > 0xffff) throw new Error("this certificate would be longer than any of ours");
  return Buffer.concat([Buffer.of(tag, 0x82, body.length >> 8, body.length & 0xff), body]);
}

const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents);
const integer = (value: number): Buffer => der(0x02, Buffer.of(value));
const ed25519 = sequence(der(0x06, Buffer.of(0x2b, 0x65, 0x70)));
const commonName = der(0x06, Buffer.of(0x55, 0x04, 0x03));
const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from("constel mesh")))));
const always = sequence(der(0x17, Buffer.from("200101000000Z")), der(0x18, Buffer.from("99991231235959Z")));

/** As PEM. */
export function certificateFor(key: MeshKey): string {
  const publicKey = createPublicKey(key.privateKey).export({ type: "spki", format: "der" });
  const body = sequence(der(0xa0, integer(2)), integer(1), ed25519, name, always, name, publicKey);
  const signature = der(0x03, Buffer.of(0), key.sign(body));
  const text = sequence(body, ed25519, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${text.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}

/** The key that a certificate shows, 32 bytes, base64url. Undefined for one of another kind. */
export function keyInCertificate(raw: Uint8Array): string | undefined {
  try {
    const { publicKey } = new X509Certificate(raw);
    const { x } = publicKey.export({ format: "jwk" });
    return publicKey.asymmetricKeyType === "ed25519" ? x : undefined;
  } catch {
    return undefined;
  }
}
