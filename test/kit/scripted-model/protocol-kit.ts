// Holds what the tests of the protocols share: one rules file, a way to ask, and a stream read as a client reads it.

import { type JsonObject, objectOf, textOf } from "./json.ts";
import type { ScriptedModel } from "./scripted-model.ts";

const usage = { input: 100, output: 20, cache_read: 30, cache_write: 40, reasoning: 5 };
export const words = "Running it: forty characters are one piece of a stream, this is more.";
export const rules = {
  default: { text: "default" },
  side: { text: "A title" },
  rules: [
    {
      name: "work",
      when: { prompt: "work" },
      steps: [
        { thinking: "Let me see.", text: words, calls: [{ shell: "ls {{cwd}}" }, { shell: "pwd" }], usage },
        { text: "They said: {{result}}" },
      ],
    },
    {
      name: "broken",
      when: { prompt: "fail" },
      reply: { error: { status: 429, type: "rate_limit_error", message: "Slow." } },
    },
  ],
};
export const schema = { type: "object", properties: { title: { type: "string", minLength: 1 } }, required: ["title"] };

export type Ask = (path: string, body: object, headers?: Record<string, string>) => Promise<Response>;

/** Asks the model that is there by then. */
export function asking(model: () => ScriptedModel): Ask {
  return (path, body, headers = {}) => {
    const json = { "content-type": "application/json", ...headers };
    return fetch(`${model().url}${path}`, { method: "POST", headers: json, body: JSON.stringify(body) });
  };
}

export const json = async (response: Promise<Response>): Promise<JsonObject> => objectOf(await (await response).json());
export const joined = (events: readonly Sent[], type: string, field: (data: JsonObject) => unknown): string =>
  events
    .filter(({ data }) => data["type"] === type)
    .map(({ data }) => textOf(field(data)))
    .join("");

export interface Sent {
  readonly event: string | undefined;
  /** The data as JSON; empty for a closing word such as `[DONE]`. */
  readonly data: JsonObject;
  readonly raw: string;
}

export async function eventsOf(response: Response): Promise<Sent[]> {
  if (response.headers.get("content-type") !== "text/event-stream")
    throw new Error(`no stream: ${await response.text()}`);
  const records = (await response.text()).split("\n\n").filter((record) => record !== "");
  return records.map((record) => {
    const lines = record.split("\n");
    const raw = lines.find((line) => line.startsWith("data: "))?.slice(6) ?? "";
    const event = lines.find((line) => line.startsWith("event: "))?.slice(7);
    return { event, raw, data: raw.startsWith("{") ? objectOf(JSON.parse(raw)) : {} };
  });
}
