// What a release wrote into this program. A clone, and a file that was built by hand, have none of it.

export interface ReleaseMarks {
  readonly version: string;
  /** The machine it is for: `linux-x64`. */
  readonly target: string;
  /** The address below which releases lie. */
  readonly releases: string;
  /** The public half of the key that releases are signed with, as minisign writes it. */
  readonly publicKey: string;
  /** The newest schema of the database that it knows. */
  readonly schema: number;
}

/** scripts/releasing/program.ts writes it in, as JSON: read only by who needs it. */
declare const CONSTEL_RELEASE: string | undefined;

export const releaseMarks = (): ReleaseMarks | undefined =>
  typeof CONSTEL_RELEASE === "undefined" ? undefined : (JSON.parse(CONSTEL_RELEASE) as ReleaseMarks);
