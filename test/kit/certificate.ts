// A certificate that nobody vouches for, made by openssl as docs/guides/team.md shows it.

import { chmodSync } from "node:fs";
import { join } from "node:path";

export interface MadeCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** `names`: `DNS:desk.example,IP:127.0.0.1` */
export function certificate(directory: string, name: string, names: string): MadeCertificate {
  const made = { certificate: join(directory, `${name}.pem`), key: join(directory, `${name}.key`) };
  const words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30"];
  const into = [
    "-keyout",
    made.key,
    "-out",
    made.certificate,
    "-subj",
    `/CN=${name}`,
    "-addext",
    `subjectAltName=${names}`,
  ];
  const ran = Bun.spawnSync(["openssl", ...words, ...into]);
  if (ran.exitCode !== 0) throw new Error(`openssl: ${ran.stderr.toString()}`);
  chmodSync(made.key, 0o600);
  return made;
}
