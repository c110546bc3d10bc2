// Tells whether two version ranges have a version in common, by the ecosystems' own libraries: semver for npm, Cargo and Go, PEP 440 for
// Python. A range that cannot be read (a URL, a tag, `workspace:*`) cannot be judged, and then nothing is said.

import * as pep440 from "@renovatebot/pep440";
import semver from "semver";

export type Ecosystem = "npm" | "python" | "cargo" | "go";

/** Undefined when one of the two cannot be read. */
export function haveVersionInCommon(left: string, right: string, ecosystem: Ecosystem): boolean | undefined {
  if (left.length > longest || right.length > longest) return undefined;
  return ecosystem === "python" ? meetInPython(left, right) : meetInSemver(left, right, ecosystem);
}

const longest = 200;

function meetInSemver(left: string, right: string, ecosystem: "npm" | "cargo" | "go"): boolean | undefined {
  const [one, other] = [left, right].map((text) => semverRange(text.trim(), ecosystem));
  return one === undefined || other === undefined
    ? undefined
    : semver.intersects(one, other, { includePrerelease: true });
}

function semverRange(text: string, ecosystem: "npm" | "cargo" | "go"): semver.Range | undefined {
  // Cargo writes commas between comparators. A bare version is the least one that will do, in Cargo and in Go.
  const comparators = ecosystem === "npm" ? [text] : text.split(",").map((part) => part.trim());
  const plain = comparators.map((part) => (ecosystem !== "npm" && /^v?\d/.test(part) ? `^${part}` : part));
  try {
    return new semver.Range(plain.join(" "), { includePrerelease: true });
  } catch {
    return undefined;
  }
}

/**
 * The library can tell whether a version is in a range, not whether two ranges meet. A range that is not empty holds its lower
 * bound or a version just above it, so these are the versions to try. With `!=` one of them may be missing, hence two above.
 */
function meetInPython(left: string, right: string): boolean | undefined {
  const [ones, others] = [pythonRanges(left), pythonRanges(right)];
  if (ones === undefined || others === undefined) return undefined;
  const bounds = [...`${left} ${right}`.matchAll(/\d[\w.!+-]*/g)].map(([version]) => version.replace(/\.?\*$|\.$/, ""));
  const above = bounds.flatMap((version) => {
    const release = /^(?:\d+!)?\d+(?:\.\d+)*/.exec(version)?.[0] ?? version;
    return [version, `${release}.0.0.1`, `${release}.0.0.2`, `${version}.post1`];
  });
  const candidates = ["0", "0.0.1", ...above].filter((version) => pep440.valid(version) !== null);
  const holds = (ranges: readonly string[], version: string): boolean =>
    ranges.some((range) => range.split(",").every((part) => isIn(version, part)));
  return candidates.some((version) => holds(ones, version) && holds(others, version));
}

function isIn(version: string, part: string): boolean {
  // `<1.0rc1` admits 1.0b2 (PEP 440, exclusive ordered comparison), which the library does not.
  const below = /^<(?!=)(.+)/.exec(part)?.[1];
  if (below !== undefined && pep440.explain(below)?.is_prerelease === true) return pep440.lt(version, below);
  return pep440.satisfies(version, part, { prereleases: true });
}

/** The alternatives of a requirement, as PEP 440 writes them. Poetry has `||`, `^` and `~` besides. */
function pythonRanges(text: string): readonly string[] | undefined {
  const ranges = text.split("||").map((alternative) => {
    const parts = alternative
      .trim()
      .replaceAll(/(?<=[<>=~^!])\s+/g, "$1")
      .split(/\s*,\s*|\s+/)
      .filter((part) => part !== "" && part !== "*");
    return parts.map(fromPoetry).join(",");
  });
  return ranges.every((range) => pep440.validRange(range)) ? ranges : undefined;
}

function fromPoetry(part: string): string {
  const [, operator, version = ""] = /^([~^]|)(\d[^=]*)$/.exec(part) ?? [];
  if (operator === undefined) return part;
  if (operator === "") return `==${version}`;
  const numbers = version.split(".").map((number) => Number.parseInt(number, 10));
  const firstNotZero = numbers.findIndex((number) => number !== 0);
  const last = numbers.length - 1;
  const kept = operator === "^" ? (firstNotZero === -1 ? last : firstNotZero) : Math.min(1, last);
  const next = [...numbers.slice(0, kept), (numbers[kept] ?? 0) + 1].join(".");
  return `>=${version},<${next}`;
}
