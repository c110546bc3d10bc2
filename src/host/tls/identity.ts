// The certificate and key that the served door shows. Files of the owner's own; a key that other accounts can read is refused.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { messageOf, Refusal } from "../../protocol/errors.ts";

export interface Identity {
  /** Both as PEM; the certificate with those that vouch for it, as the file has them. */
  readonly certificate: string;
  readonly key: string;
  /** SHA-256 of the certificate, as `openssl x509 -fingerprint -sha256` prints it. */
  readonly fingerprint: string;
  /** Names and addresses that the certificate is for. */
  readonly names: readonly string[];
  readonly untilMs: number;
}

/** More than any chain of certificates has. */
const largest = 1024 * 1024;
const readableByOthers = 0o007;

export function readIdentity(certificateFile: string, keyFile: string): Identity {
  const certificate = textOf(certificateFile);
  const key = textOf(keyFile);
  if ((statSync(keyFile).mode & readableByOthers) !== 0)
    throw bad(keyFile, "other accounts can read it: chmod 600 first");
  const shown = attempt(certificateFile, () => new X509Certificate(certificate));
  const secret = attempt(keyFile, () => createPrivateKey(key));
  if (!shown.checkPrivateKey(secret)) throw bad(keyFile, `it is not the key of ${certificateFile}`);
  return {
    certificate,
    key,
    fingerprint: shown.fingerprint256,
    names: namesIn(shown),
    untilMs: Date.parse(shown.validTo),
  };
}

/** `DNS:desk.example, IP Address:10.0.0.1` */
function namesIn({ subjectAltName }: X509Certificate): string[] {
  return (subjectAltName ?? "").split(", ").flatMap((one) => {
    const [, name] = /^(?:DNS|IP Address):([A-Za-z0-9*.:-]{1,255})$/.exec(one) ?? [];
    return name === undefined ? [] : [name.toLowerCase()];
  });
}

function textOf(file: string): string {
  return attempt(file, () => {
    const { size } = statSync(file);
    if (size > largest) throw new Error(`it has ${size} bytes`);
    return readFileSync(file, "utf8");
  });
}

function attempt<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw bad(file, messageOf(cause).split("\n")[0] ?? "");
  }
}

const bad = (file: string, why: string): Refusal =>
  new Refusal("serve.bad-certificate", `${file} cannot be used: ${why}`, { file });
