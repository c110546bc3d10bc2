import { expect, test } from "bun:test";
import { type Given, keptGiven, ofLiteral, ofName, ofType, printGiven, readGiven, unknownGiven } from "./given.ts";

test("what is known of a value reads back as it was kept", () => {
  const name = { path: ["a", "b"], members: ["c"] };
  const all: readonly (readonly [Given, string])[] = [
    [unknownGiven, ""],
    [ofType("map[string]int"), "=map[string]int"],
    [ofLiteral("closure/2"), "#closure/2"],
    [ofName(name), "@a.b|c"],
    [ofName({ path: ["x::y"], members: [] }, { references: "&mut &" }), "&mut &@x::y|"],
    [ofName(name, { uncalled: "value" }), "^a.b|c"],
    [ofName(name, { uncalled: "value or type" }), "^!a.b|c"],
  ];
  for (const [given, text] of all) {
    expect(printGiven(given)).toBe(text);
    expect(readGiven(text)).toEqual(given);
  }
});

test("nothing is kept where nothing is known, and no place is lost where something is", () => {
  expect(keptGiven([unknownGiven, unknownGiven])).toEqual({});
  expect(keptGiven([unknownGiven, ofType("int")])).toEqual({ given: ["", "=int"] });
  expect(ofType("")).toEqual(unknownGiven);
});
