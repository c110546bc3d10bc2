// Costs: which price counts, and what is unknown.

import { describe, expect, test } from "bun:test";
import { costOf, priceOf } from "./cost-of.ts";
import { allPrices, ownerPrices } from "./owner-prices.ts";
import { priceTable, priceTableDate } from "./price-table.ts";

const million = { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite: 1e6 };

describe("the cost of an answer", () => {
  test("is reckoned from each kind of token", () => {
    expect(costOf(million, "claude-opus-5-5", priceTable)).toMatchObject({ micros: 29_200_000, verified: true });
  });

  test("is unknown, not 0, for a model nobody knows", () => {
    expect(costOf(million, "llama-9", priceTable)).toEqual({
      micros: null,
      why: 'no price is known for the model "llama-9"',
    });
    expect(costOf(million, "", priceTable).micros).toBeNull();
    expect(costOf(million, "claude-opus-5-50", priceTable).micros).toBeNull();
    expect(costOf(million, "gpt-6.1-sol-ultrafast", priceTable).micros).toBeNull();
  });

  test("is unknown when the counts cannot be right", () => {
    for (const broken of [{ input: -1 }, { output: Number.NaN }, { cacheWriteHour: 2e6 }, { cacheRead: Infinity }]) {
      expect(costOf({ ...million, ...broken }, "claude-opus-5-5", priceTable).micros).toBeNull();
    }
  });

  test("is the program's own word where it names one", () => {
    expect(costOf({ ...million, costMicros: 12.4 }, "llama-9", priceTable)).toMatchObject({
      micros: 12,
      from: "program",
    });
  });

  test("says when a figure in it was not read on the vendor's page", () => {
    expect(costOf(million, "gpt-6-sol", priceTable)).toMatchObject({ verified: false });
    const plain = { input: 10, output: 10, cacheRead: 0, cacheWrite: 0 };
    expect(costOf(plain, "gpt-6.1-sol", priceTable)).toMatchObject({ verified: true });
    expect(costOf({ ...plain, cacheRead: 1 }, "gpt-6.1-sol", priceTable)).toMatchObject({ verified: false });
  });

  test("follows the rates of long prompts by the whole prompt, cached or not", () => {
    const short = { input: 100_000, output: 0, cacheRead: 0, cacheWrite: 0 };
    expect(costOf(short, "claude-haiku-5-5", priceTable).micros).toBe(10_000);
    expect(costOf({ ...short, cacheRead: 1 }, "claude-haiku-5-5", priceTable).micros).toBe(50_000);
    expect(costOf({ ...short, input: 272_000 }, "gpt-6.1-sol", priceTable).micros).toBe(544_000);
    expect(costOf({ ...short, input: 272_001 }, "gpt-6.1-sol", priceTable).micros).toBe(1_088_004);
  });

  test("takes cache writes for an hour at their own price", () => {
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 1000, cacheWriteHour: 400 };
    expect(costOf(usage, "claude-opus-5-5", priceTable).micros).toBe(600 * 5 + 400 * 8);
  });

  test("follows a price that ends", () => {
    const before = costOf({ ...million, atMs: Date.UTC(2026, 11, 31) }, "gemini-3.8-flash", priceTable);
    const after = costOf({ ...million, atMs: Date.UTC(2027, 0, 1) }, "gemini-3.8-flash", priceTable);
    expect([before.micros, after.micros]).toEqual([5_325_000, 10_650_000]);
  });
});

describe("names of models", () => {
  test.each([
    ["claude-opus-5-5", "claude-opus-5-5"],
    ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
    ["anthropic/claude-opus-5-5[1m]", "claude-opus-5-5"],
    ["openai/gpt-6.1-sol-2026-09-29", "gpt-6.1-sol"],
    ["models/gemini-2.5-pro", "gemini-2.5-pro"],
    ["gpt-5", "gpt-5"],
  ])("%s is priced as %s", (given, expected) => {
    expect(priceOf(given, priceTable)?.model).toBe(expected);
  });

  test("no two rows of one name hold at the same moment", () => {
    const open = priceTable.filter(({ untilMs }) => untilMs === undefined).map(({ model }) => model);
    expect(open.length).toBe(new Set(open).size);
  });

  test("every row has prices above 0, and the table says of which day it is", () => {
    for (const { model, input, output, cacheRead, cacheWrite } of priceTable) {
      expect([model, input > 0, output > input, cacheRead < input, cacheWrite >= input]).toEqual([
        model,
        true,
        true,
        true,
        true,
      ]);
    }
    expect(priceTableDate).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe("the owner's prices", () => {
  test("come before the table", () => {
    const own = [{ model: "claude-*", input: 1, output: 1, cache_read: 1, cache_write: 1 }];
    expect(costOf(million, "claude-opus-5-5", allPrices(own)).micros).toBe(4_000_000);
    expect(costOf(million, "gpt-5-codex", allPrices(own)).micros).toBe(
      costOf(million, "gpt-5-codex", priceTable).micros,
    );
  });

  test.each<[Record<string, unknown>, string]>([
    [{ input: 1, output: 1 }, "model must be the name"],
    [{ model: "m", output: 1 }, "input must be US dollars"],
    [{ model: "m", input: "1", output: 1 }, "input must be US dollars"],
    [{ model: "m", input: 1, output: -1 }, "output must be US dollars"],
    [{ model: "m", input: 1, output: 1, cache: 1 }, "there is no cache"],
  ])("%j is refused", (table, says) => {
    expect(() => ownerPrices([table])).toThrow(says);
  });
});
