// Reckons what one answer of a model cost. The program's own word counts first, then the owner's prices, then the table that ships with
// constel. If none of them knows the model, the cost is unknown, which is never the same as nothing.

import type { ModelPrice, Rates, TokenUsage } from "./price.ts";

export type Cost =
  | {
      /** Millionths of a US dollar. */
      readonly micros: number;
      readonly from: "program" | "price";
      /** The row that was used, when a price was. */
      readonly price?: ModelPrice;
      /** False when a figure that went into it was not read on the vendor's own page. */
      readonly verified: boolean;
    }
  | { readonly micros: null; readonly why: string };

/** `prices` in the order they are asked: the owner's before the table (`allPrices`). */
export function costOf(usage: TokenUsage, model: string, prices: readonly ModelPrice[]): Cost {
  if (usage.costMicros !== undefined && isCount(usage.costMicros)) {
    return { micros: Math.round(usage.costMicros), from: "program", verified: true };
  }
  const hour = usage.cacheWriteHour ?? 0;
  const counts = [usage.input, usage.output, usage.cacheRead, usage.cacheWrite, hour];
  if (!counts.every(isCount) || hour > usage.cacheWrite) {
    return { micros: null, why: "the program reported token counts that cannot be right" };
  }
  const price = priceOf(model, prices, usage.atMs);
  if (price === undefined) return { micros: null, why: `no price is known for the model ${JSON.stringify(model)}` };
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const rates: Rates = price.long !== undefined && prompt > price.long.over ? price.long : price;
  const terms: readonly (readonly [keyof Rates, number, number])[] = [
    ["input", usage.input, rates.input],
    ["output", usage.output, rates.output],
    ["cacheRead", usage.cacheRead, rates.cacheRead],
    ["cacheWrite", usage.cacheWrite - hour, rates.cacheWrite],
    ["cacheWriteHour", hour, rates.cacheWriteHour ?? rates.cacheWrite],
  ];
  const micros = Math.round(terms.reduce((sum, [, count, rate]) => sum + count * rate, 0));
  const unsure = price.unverified ?? [];
  const verified = terms.every(([name, count]) => count === 0 || !unsure.includes(name));
  return { micros, from: "price", price, verified };
}

/** The first row for a model at a moment. The name may carry a date, a vendor in front, or a context size in brackets. */
export function priceOf(model: string, prices: readonly ModelPrice[], atMs?: number): ModelPrice | undefined {
  const names = namesOf(model);
  return prices.find(
    (price) =>
      (price.untilMs === undefined || atMs === undefined || atMs < price.untilMs) &&
      names.some((name) =>
        price.model.endsWith("*") ? name.startsWith(price.model.slice(0, -1)) : name === price.model,
      ),
  );
}

/** `anthropic/claude-opus-4-5-20251101[1m]` is also called `claude-opus-4-5`. Nothing else is guessed. */
function namesOf(model: string): string[] {
  const bare = model.slice(model.lastIndexOf("/") + 1).replace(/\[\w+\]$/, "");
  return [...new Set([model, bare, bare.replace(/-(?:20\d{6}|20\d\d-\d\d-\d\d)$/, "")])];
}

const isCount = (value: number): boolean => Number.isFinite(value) && value >= 0;
