import { expect, test } from "bun:test";
import type { Notice, Part } from "./notice.ts";
import { offersFor, type OfferSituation } from "./offers.ts";

const part = (source: string, more: Partial<Part> = {}): Part => ({
  source,
  title: source,
  action: "",
  other: "",
  severity: "medium",
  files: [`/w/${source}`],
  kinds: ["k"],
  told: [],
  toldAs: null,
  heardFromMs: 0,
  denies: false,
  over: null,
  ...more,
});

const notice = (id: string, parts: readonly Part[]): Notice =>
  ({ id, about: "finding", made_ms: 0, parts }) as unknown as Notice;

const over = (source: string): Part => part(source, { told: ["k"], toldAs: "medium", over: "it ended" });

function said(notices: readonly Notice[], left: number, more: Partial<OfferSituation> = {}): string[] {
  return offersFor({ notices, inFlight: [], nowMs: 1, isQuiet: false, left, ...more }).map(
    ({ tone, pieces }) => `${tone} ${pieces.map(({ notice: { id } }) => id).join("+")}`,
  );
}

const news = ["a", "b", "c"].map((name) => notice(name, [part(name)]));
const farewell = notice("z", [over("z")]);

test("with room for one, news goes first and the farewell waits; with room for two both are said", () => {
  expect(said([notice("a", [part("a")]), farewell], 1)).toEqual(["news a"]);
  expect(said([notice("a", [part("a")]), farewell], 2)).toEqual(["news a", "over z"]);
  expect(said([farewell], 1)).toEqual(["over z"]);
});

test("past the budget the rest is one piece, and never more than the budget is said", () => {
  expect(said(news, 3)).toEqual(["news a", "news b", "news c"]);
  expect(said(news, 2)).toEqual(["news a", "news b+c"]);
  expect(said([...news, farewell], 4)).toEqual(["news a", "news b", "news c", "over z"]);
  expect(said([...news, farewell], 3)).toEqual(["news a", "news b+c", "over z"]);
  expect(said([...news, farewell], 2)).toEqual(["news a+b+c", "over z"]);
  expect(said([...news, farewell], 1)).toEqual(["news a+b+c"]);
});

test("an hour that is used up lets only what is urgent through, in one piece", () => {
  const high = ["x", "y"].map((name) => notice(name, [part(name, { severity: "high" })]));
  for (const left of [0, -1]) {
    expect(said([...news, ...high, farewell], left)).toEqual(["news x+y"]);
    expect(said([...news, farewell], left)).toEqual([]);
  }
});

test("in quiet hours only what is high is said, and not at the end of a turn", () => {
  const high = notice("x", [part("x", { severity: "high" })]);
  expect(said([...news, high, farewell], 10, { isQuiet: true })).toEqual(["news x"]);
  const [offer] = offersFor({ notices: [high], inFlight: [], nowMs: 1, isQuiet: true, left: 10 });
  expect(offer?.at).toEqual(["edit", "prompt"]);
});
