// Decides by content, where times say that a source was changed: in a clone that was copied, restored from a backup or baked into an image all
// times differ and nothing else. Content is read once; the times that go with it are then kept beside the program, so that later starts only
// compare times again. A source that was really edited is found at once, because it is looked at first.

import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { builtAs, contentOf } from "../ports/build.ts";
import type { BuiltListing } from "./built-from.ts";

/** Each source's name and the time of its inode, as they were when all contents were the same as at the build. */
type Times = Readonly<Record<string, number>>;

export function sameContent(top: string, name: string, changedMs: number | undefined): boolean {
  if (changedMs === undefined) return false;
  try {
    const place = `${top}/node_modules/.constel/quick`;
    const listing = JSON.parse(readFileSync(`${place}.json`, "utf8")) as BuiltListing;
    if (listing.build !== builtAs()) return false;
    if (isAsKept(top, listing, keptTimes(place))) return true;
    if (contentOf(`${top}/${name}`) !== listing.contents[listing.names.indexOf(name)]) return false;
    const times = timesOf(top, listing.names);
    if (!listing.names.every((one, at) => contentOf(`${top}/${one}`) === listing.contents[at])) return false;
    keep(place, times);
    return true;
  } catch {
    return false; // no listing, or a source is gone: the sources take over
  }
}

function isAsKept(top: string, { names }: BuiltListing, kept: Times): boolean {
  return names.every((name) => statSync(`${top}/${name}`).ctimeMs === kept[name]);
}

function keptTimes(place: string): Times {
  try {
    return JSON.parse(readFileSync(`${place}.times`, "utf8")) as Times;
  } catch {
    return {};
  }
}

const timesOf = (top: string, names: readonly string[]): Times =>
  Object.fromEntries(names.map((name) => [name, statSync(`${top}/${name}`).ctimeMs]));

/** A clone that may not be written to is compared by content at every start. */
function keep(place: string, times: Times): void {
  try {
    const temporary = `${place}.times.${process.pid}.tmp`;
    writeFileSync(temporary, JSON.stringify(times), { mode: 0o600 });
    renameSync(temporary, `${place}.times`);
  } catch {
    // read-only
  }
}
