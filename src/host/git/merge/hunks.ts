// Both sides of each collision inside a file, with the line where each stands in its own version. The text comes from
// the markers in git's merged file; the line numbers from aligning that file, resolved to one side, with the side itself.

import type { Hunk } from "../../../ports/git.ts";
import { alignLines } from "./align-lines.ts";

const maxHunks = 50;
const maxHunkCharacters = 4_000;

export interface Hunks {
  readonly ours: readonly Hunk[];
  readonly theirs: readonly Hunk[];
}

export function readHunks(merged: string, ours: string, theirs: string, markerSize: number): Hunks {
  const regions = readRegions(merged.split("\n"), markerSize);
  return {
    ours: placeHunks(regions, "ours", ours.split("\n")),
    theirs: placeHunks(regions, "theirs", theirs.split("\n")),
  };
}

type Region =
  | { readonly same: readonly string[] }
  | { readonly ours: readonly string[]; readonly theirs: readonly string[] };

function readRegions(lines: readonly string[], markerSize: number): Region[] {
  const regions: Region[] = [];
  let same: string[] = [];
  let ours: string[] = [];
  let theirs: string[] = [];
  let state: "same" | "ours" | "theirs" = "same";
  for (const line of lines) {
    if (state === "same" && isMarker(line, "<", markerSize)) {
      regions.push({ same });
      same = [];
      state = "ours";
    } else if (state === "ours" && isMarker(line, "=", markerSize)) {
      state = "theirs";
    } else if (state === "theirs" && isMarker(line, ">", markerSize)) {
      regions.push({ ours, theirs });
      ours = [];
      theirs = [];
      state = "same";
    } else {
      (state === "same" ? same : state === "ours" ? ours : theirs).push(line);
    }
  }
  regions.push({ same });
  return regions;
}

function isMarker(line: string, character: string, size: number): boolean {
  return line.startsWith(character.repeat(size)) && line.charAt(size) !== character;
}

function placeHunks(regions: readonly Region[], side: "ours" | "theirs", file: readonly string[]): Hunk[] {
  const resolved: string[] = [];
  const starts: { at: number; lines: readonly string[] }[] = [];
  for (const region of regions) {
    const lines = "same" in region ? region.same : region[side];
    if (!("same" in region)) starts.push({ at: resolved.length, lines });
    resolved.push(...lines);
  }
  const position = alignLines(resolved, file);
  return starts.slice(0, maxHunks).map(({ at, lines }) => {
    const text = lines.join("\n");
    return {
      line: position(at) + 1,
      count: lines.length,
      text: text.slice(0, maxHunkCharacters),
      cut: text.length > maxHunkCharacters,
    };
  });
}
