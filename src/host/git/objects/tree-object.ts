// A git tree as its records, in git's order, and back to the same bytes.

import type { ObjectFormat } from "../repository/locate.ts";

export interface TreeRecord {
  mode: string;
  readonly name: Buffer;
  id: string;
}

export function readTreeObject(object: Buffer, format: ObjectFormat): TreeRecord[] {
  const idBytes = format === "sha256" ? 32 : 20;
  const records: TreeRecord[] = [];
  for (let at = 0; at < object.length;) {
    const space = object.indexOf(32, at);
    const end = object.indexOf(0, space);
    if (space === -1 || end === -1 || end + 1 + idBytes > object.length) throw new Error("a tree object is cut short");
    records.push({
      mode: modeOf(object.toString("latin1", at, space)),
      name: object.subarray(space + 1, end),
      id: object.toString("hex", end + 1, end + 1 + idBytes),
    });
    at = end + 1 + idBytes;
  }
  return records;
}

const modes = new Map(["100644", "100755", "120000", "160000", "40000"].map((mode) => [mode, mode]));

/** The same string for each of the few modes that there are: many thousands of entries are kept. */
export const modeOf = (text: string): string => modes.get(text) ?? text;

export function treeObject(records: readonly TreeRecord[]): Buffer {
  return Buffer.concat(
    records.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} `), name, Buffer.of(0), Buffer.from(id, "hex")]),
  );
}
