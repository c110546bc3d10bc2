// The owner's own prices, from the setting `usage.prices`: tables of model, input, output, cache_read and cache_write in US dollars
// per million tokens. They are asked before the table that ships with constel. A price that is missing or no number is refused:
// counted as 0 it would make an agent look free.

import { Refusal } from "../../protocol/errors.ts";
import type { ModelPrice } from "./price.ts";
import { priceTable } from "./price-table.ts";

/** The owner's prices, then the table. */
export function allPrices(tables: readonly Readonly<Record<string, unknown>>[]): readonly ModelPrice[] {
  return [...ownerPrices(tables), ...priceTable];
}

export function ownerPrices(tables: readonly Readonly<Record<string, unknown>>[]): ModelPrice[] {
  return tables.map((table, index) => {
    const refuse = (problem: string): Refusal =>
      new Refusal("config.malformed", `usage.prices, table ${index + 1}: ${problem}`, { table: index + 1 });
    const unknown = Object.keys(table).find((key) => key !== "model" && !Object.hasOwn(rateKeys, key));
    if (unknown !== undefined) throw refuse(`there is no ${unknown}`);
    const model = table["model"];
    if (typeof model !== "string" || model.trim() === "") throw refuse("model must be the name of a model in quotes");
    const rate = (key: keyof typeof rateKeys): number => {
      const value = table[key];
      if (typeof value !== "number" || !Number.isFinite(value) || value < 0)
        throw refuse(`${key} must be US dollars per million tokens, 0 or more`);
      return value;
    };
    const rates = { input: rate("input"), output: rate("output") };
    // Nobody names the cache's prices who does not use it; then it costs what input costs.
    const cacheRead = table["cache_read"] === undefined ? rates.input : rate("cache_read");
    const cacheWrite = table["cache_write"] === undefined ? rates.input : rate("cache_write");
    const hour = table["cache_write_hour"] === undefined ? {} : { cacheWriteHour: rate("cache_write_hour") };
    return { model, ...rates, cacheRead, cacheWrite, ...hour };
  });
}

const rateKeys = { input: 0, output: 0, cache_read: 0, cache_write: 0, cache_write_hour: 0 } as const;
