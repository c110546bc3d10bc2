// Reads release.json of a release: its version, the newest schema it knows, and its file for each machine. What it says is believed only
// after its signature was checked.

import { Refusal } from "../../protocol/errors.ts";
import { checkSignature } from "./check-signature.ts";
import type { ReleaseMarks } from "./release-marks.ts";

export interface ReleaseFile {
  readonly version: string;
  readonly schema: number;
  readonly files: readonly {
    readonly target: string;
    readonly file: string;
    readonly sha256: string;
    /** The digest of the program in it. */
    readonly program: string;
  }[];
}

/** Gets a file of a release: undefined when it is not there. */
export type FetchFile = (name: string, mostBytes: number) => Promise<Uint8Array | undefined>;

const mostBytes = 64 * 1024;
const version = /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9a-z.]{1,40})?$/;
const digest = /^[0-9a-f]{64}$/;
const plainName = /^[0-9A-Za-z][0-9A-Za-z._-]{0,120}$/;

export async function readRelease(fetch: FetchFile, { publicKey }: ReleaseMarks): Promise<ReleaseFile> {
  const content = await fetch("release.json", mostBytes);
  const signature = await fetch("release.json.minisig", mostBytes);
  if (content === undefined || signature === undefined)
    throw new Refusal("release.unknown-version", "there is no such release where releases lie", {});
  const trusted = checkSignature(content, Buffer.from(signature).toString("utf8"), publicKey);
  const release = JSON.parse(Buffer.from(content).toString("utf8")) as ReleaseFile & { name: string };
  const isWell =
    version.test(release.version) &&
    Number.isSafeInteger(release.schema) &&
    release.files.every((one) => digest.test(one.sha256) && digest.test(one.program) && plainName.test(one.file));
  if (!isWell || trusted !== `constel ${release.version} release.json`)
    throw new Refusal(
      "release.not-signed",
      "the release says what no release of constel says; nothing was changed",
      {},
    );
  return release;
}
