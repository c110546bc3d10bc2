// Token counts as the vendors report them, brought to one meaning. Anthropic counts input without the cache, OpenAI and Google with
// it; Google counts thinking apart from the output it is billed as. An answer whose figures contradict each other has no usage.

import type { TokenUsage } from "./price.ts";

/** Whose way of counting a report follows. opencode counts as Anthropic does, whatever model it runs. */
export type Counting = "anthropic" | "openai" | "google" | "opencode";

export function normaliseUsage(counting: Counting, report: unknown): TokenUsage | undefined {
  const given = asObject(report);
  if (given === undefined) return undefined;
  const usage = readers[counting](given);
  const { input, output, cacheRead, cacheWrite } = usage;
  return [input, output, cacheRead, cacheWrite].every((count) => count >= 0) ? usage : undefined;
}

type Report = Readonly<Record<string, unknown>>;

const readers: Readonly<Record<Counting, (report: Report) => TokenUsage>> = {
  anthropic: (report) => {
    const writes = asObject(report["cache_creation"]) ?? {};
    const hour = count(writes["ephemeral_1h_input_tokens"]);
    return {
      input: count(report["input_tokens"]),
      output: count(report["output_tokens"]),
      cacheRead: count(report["cache_read_input_tokens"]),
      cacheWrite: count(report["cache_creation_input_tokens"]),
      ...(hour > 0 ? { cacheWriteHour: hour } : {}),
    };
  },
  openai: (report) => {
    const details = asObject(report["input_tokens_details"]) ?? {};
    const cacheRead = count(report["cached_input_tokens"] ?? details["cached_tokens"]);
    const cacheWrite = count(report["cache_write_input_tokens"] ?? details["cache_write_tokens"]);
    const input = count(report["input_tokens"]) - cacheRead - cacheWrite;
    return { input, output: count(report["output_tokens"]), cacheRead, cacheWrite };
  },
  google: (report) => {
    const cacheRead = count(report["cached"] ?? report["cachedContentTokenCount"]);
    const prompt = report["prompt"] ?? report["promptTokenCount"];
    // A chat file has `input`, which leaves the cache out, and sometimes no `prompt`.
    const input = prompt === undefined ? count(report["input"]) : count(prompt) - cacheRead;
    const output = count(report["candidates"] ?? report["output"] ?? report["candidatesTokenCount"]);
    const thoughts = count(report["thoughts"] ?? report["thoughtsTokenCount"]);
    return { input, output: output + thoughts, cacheRead, cacheWrite: 0 };
  },
  opencode: (report) => {
    const cache = asObject(report["cache"]) ?? {};
    return {
      input: count(report["input"]),
      output: count(report["output"]) + count(report["reasoning"]),
      cacheRead: count(cache["read"]),
      cacheWrite: count(cache["write"]),
    };
  },
};

/** What is missing was not used; what is no number makes the whole report unusable. */
function count(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return typeof value === "number" && Number.isFinite(value) ? value : Number.NEGATIVE_INFINITY;
}

const asObject = (value: unknown): Report | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Report) : undefined;
