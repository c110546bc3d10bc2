// A release as scripts/release makes it, with a small script in the program's place, signed with a key of its own. Tests of upgrades flip its bytes.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { archiveName } from "../../scripts/releasing/forms.ts";
import { digestOf, type Entry, gzipped, tar } from "../../scripts/releasing/archive.ts";
import { newKey, publicKeyOf, readKey, signatureOf, type SigningKey } from "../../scripts/releasing/minisign.ts";
import type { ReleaseMarks } from "../../src/floor/release/release-marks.ts";

const target = "linux-x64";

export interface MadeRelease {
  readonly version: string;
  readonly program?: string;
  readonly schema?: number;
  readonly others?: readonly Entry[];
  readonly key: SigningKey;
}

export const signingKey = (): SigningKey => readKey(newKey());

export const marksFor = (key: SigningKey, releases: string): ReleaseMarks => ({
  version: "0.1.0",
  target,
  releases,
  publicKey: publicKeyOf(key),
  schema: 3,
});

/** Says its version, and writes down every other word it is started with. */
export const programOf = (version: string, daemon = "exit 0"): string =>
  `#!/bin/sh\n[ "$1" = --version ] && { echo "constel ${version}"; exit 0; }\necho "${version} $*" >>"$LOG"\n${daemon}\n`;

/** The files of a release, below `directory`. */
export function layRelease(directory: string, made: MadeRelease): void {
  const {
    version,
    program = programOf(version),
    schema = 3,
    others = [{ name: "share/man/man1/constel.1", content: version }],
  } = made;
  const entries = [{ name: "bin/constel", content: program, runs: true }, ...others];
  const packed = gzipped(tar(entries, `constel-${version}-${target}/`));
  const file = archiveName(version, { name: target });
  const release = JSON.stringify({
    format: 1,
    name: "constel",
    version,
    schema,
    files: [{ target, file, sha256: digestOf(packed), program: digestOf(program) }],
  });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, file), packed);
  writeFileSync(join(directory, "release.json"), release);
  const signature = signatureOf(Buffer.from(release), made.key, `constel ${version} release.json`);
  writeFileSync(join(directory, "release.json.minisig"), signature);
}
