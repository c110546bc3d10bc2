import { describe, expect, test } from "bun:test";
import { bytesToSign, canonical } from "./canonical.ts";

describe("canonical JSON (RFC 8785)", () => {
  test("the standard's own example of numbers, strings and literals", () => {
    const given = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    ) as unknown;
    expect(canonical(given)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test("the standard's own example of the order of names", () => {
    const given = JSON.parse(
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
    ) as Record<string, string>;
    expect(Object.values(JSON.parse(canonical(given)) as Record<string, string>)).toHaveLength(7);
    expect([...canonical(given).matchAll(/:"([^"]+)"/g)].map(([, value]) => value)).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  test("what is not there is left out, and what has no form is refused", () => {
    expect(canonical({ b: 1, a: undefined })).toBe('{"b":1}');
    for (const bad of [NaN, Infinity, "\ud800", { x: () => 1 }, 1n, { "\ud800": 1 }])
      expect(() => canonical(bad)).toThrow(TypeError);
  });

  test("two things of different kinds never have the same bytes", () => {
    expect(bytesToSign("envelope", { a: 1 })).not.toEqual(bytesToSign("key", { a: 1 }));
  });
});
