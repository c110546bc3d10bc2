// The versions of the mesh's protocol that this build speaks: the newest, and the one before it. Older ones are refused with what to upgrade.

export interface Versions {
  readonly least: number;
  readonly newest: number;
}

export const spoken = (newest: number): Versions => ({ least: Math.max(1, newest - 1), newest });

export const ourVersions: Versions = spoken(1);

/** The newest that both speak. Undefined if there is none. */
export function commonVersion(ours: Versions, theirs: Versions): number | undefined {
  const version = Math.min(ours.newest, theirs.newest);
  return version >= Math.max(ours.least, theirs.least) ? version : undefined;
}

/** Says which side is to be upgraded. */
export function versionComplaint(ours: Versions, theirs: Versions): string {
  const range = ({ least, newest }: Versions): string => (least === newest ? `${newest}` : `${least} to ${newest}`);
  const older = theirs.newest < ours.least ? "there" : "here";
  return `they speak version ${range(theirs)} of the mesh's protocol, we speak ${range(ours)}: upgrade constel ${older}`;
}
