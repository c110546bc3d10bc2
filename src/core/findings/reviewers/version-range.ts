// Whether two version ranges have a version in common. A range is a list of half-open intervals; what cannot be read (a URL,
// a tag, `workspace:*`) is undefined, and then nothing is said. Exclusions (`!=`) are read as no restriction, so that doubt
// always falls on the side of agreement.

export type Ecosystem = "npm" | "python" | "cargo" | "go";

interface Version {
  readonly numbers: readonly number[];
  /** Before the release of these numbers; "" is the release itself. */
  readonly pre: string;
}

/** From `low` (included) to `high` (not included); undefined is without end. */
interface Interval {
  readonly low: Version;
  readonly high: Version | undefined;
}

export type VersionRange = readonly Interval[];

export function parseRange(text: string, ecosystem: Ecosystem): VersionRange | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 200) return undefined;
  const alternatives = ecosystem === "npm" || ecosystem === "python" ? trimmed.split("||") : [trimmed];
  const intervals: Interval[] = [];
  for (const alternative of alternatives) {
    const interval = parseAll(alternative.trim(), ecosystem);
    if (interval === undefined) return undefined;
    if (interval !== "empty") intervals.push(interval);
  }
  return intervals;
}

export function intersect(left: VersionRange, right: VersionRange): boolean {
  return left.some((one) => right.some((other) => meet(one, other) !== "empty"));
}

const zero: Version = { numbers: [], pre: "0" };
const everything: Interval = { low: zero, high: undefined };

/** Comparators that must all hold. */
function parseAll(text: string, ecosystem: Ecosystem): Interval | "empty" | undefined {
  if (text === "" || text === "*" || text === "x") return everything;
  const hyphen = /^v?([\d.]+\S*)\s+-\s+v?([\d.]+\S*)$/.exec(text);
  if (hyphen !== null) {
    const [low, high] = [parseOne(`>=${hyphen[1]}`, ecosystem), parseOne(`<=${hyphen[2]}`, ecosystem)];
    return low === undefined || high === undefined ? undefined : meet(low, high);
  }
  const parts = text
    .replaceAll(/([<>=~^!]+)\s+/g, "$1")
    .split(ecosystem === "npm" ? /\s+/ : /\s*,\s*|\s+/)
    .filter((part) => part !== "");
  let all: Interval | "empty" = everything;
  for (const part of parts) {
    const one = parseOne(part, ecosystem);
    if (one === undefined) return undefined;
    if (all !== "empty") all = meet(all, one);
  }
  return all;
}

function parseOne(text: string, ecosystem: Ecosystem): Interval | undefined {
  const match =
    /^(===|==|~=|~>|!=|>=|<=|=|>|<|\^|~)?v?(\d+(?:\.\d+)*)((?:\.[x*])+)?([-.]?(?:a|b|c|rc|alpha|beta|dev|pre|post|canary|next|preview)?[-.\w]*?)?(?:\+\S*)?$/i.exec(
      text,
    );
  if (match === null) return undefined;
  const [, operator = "", digits = "", wild, suffix = ""] = match;
  const numbers = digits.split(".").map(Number);
  if (numbers.some((number) => !Number.isSafeInteger(number)) || (wild !== undefined && suffix !== ""))
    return undefined;
  // 1.0.post1 is after 1.0; everything else after the numbers is before.
  const pre = /^[-.]?post/i.test(suffix) ? "" : suffix.replace(/^[-.]/, "");
  const version = { numbers, pre };
  const same = { low: version, high: just(version) };
  switch (operator) {
    case "^":
      return { low: version, high: caret(numbers) };
    case "~":
    case "~>":
      return { low: version, high: bump(numbers, Math.min(1, numbers.length - 1)) };
    case "~=":
      return { low: version, high: bump(numbers, Math.max(0, numbers.length - 2)) };
    case ">=":
      return { low: version, high: undefined };
    case ">":
      return {
        low: wild === undefined && isWhole(numbers, ecosystem) ? just(version) : bump(numbers, numbers.length - 1),
        high: undefined,
      };
    case "<":
      return { low: zero, high: { numbers, pre: pre === "" ? "0" : pre } };
    case "<=":
      return {
        low: zero,
        high: wild === undefined && isWhole(numbers, ecosystem) ? just(version) : bump(numbers, numbers.length - 1),
      };
    case "!=":
      return everything;
    case "==":
    case "===":
      return wild === undefined ? same : { low: version, high: bump(numbers, numbers.length - 1) };
    default:
      break;
  }
  if (wild !== undefined) return { low: version, high: bump(numbers, numbers.length - 1) };
  if (operator === "" && (ecosystem === "cargo" || ecosystem === "go")) return { low: version, high: caret(numbers) };
  // In npm `1.2` means 1.2.x; in Python it means 1.2.0.
  return isWhole(numbers, ecosystem) ? same : { low: version, high: bump(numbers, numbers.length - 1) };
}

const isWhole = (numbers: readonly number[], ecosystem: Ecosystem): boolean =>
  numbers.length >= 3 || ecosystem === "python";

/** Up to the next change of the first number that is not zero. */
function caret(numbers: readonly number[]): Version {
  const first = numbers.findIndex((number) => number !== 0);
  return bump(numbers, first === -1 ? numbers.length - 1 : first);
}

/** The first version past all that begin with these numbers, up to and with the one at `at`. */
function bump(numbers: readonly number[], at: number): Version {
  return { numbers: [...numbers.slice(0, at), (numbers[at] ?? 0) + 1], pre: "0" };
}

/** The smallest version after this one: as if one more number followed. */
function just(version: Version): Version {
  const padded = [...version.numbers, 0, 0, 0].slice(0, Math.max(4, version.numbers.length));
  return version.pre === ""
    ? { numbers: [...padded, 1], pre: "" }
    : { numbers: version.numbers, pre: `${version.pre}.0` };
}

function meet(left: Interval, right: Interval): Interval | "empty" {
  const low = compare(left.low, right.low) >= 0 ? left.low : right.low;
  const high =
    left.high === undefined || (right.high !== undefined && compare(right.high, left.high) < 0)
      ? right.high
      : left.high;
  return high !== undefined && compare(low, high) >= 0 ? "empty" : { low, high };
}

function compare(left: Version, right: Version): number {
  for (let at = 0; at < Math.max(left.numbers.length, right.numbers.length); at++) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.pre === right.pre) return 0;
  if (left.pre === "") return 1;
  if (right.pre === "") return -1;
  return left.pre < right.pre ? -1 : 1;
}
