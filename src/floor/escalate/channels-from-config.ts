// The tables under `[[escalate.channels]]` as channels. A table that cannot be used is refused by name: a page that goes
// nowhere because of a typo would be found out on the worst of days.

import { Refusal } from "../../protocol/errors.ts";
import type { Channel, ChannelType } from "./channel.ts";

type FieldKind = "text" | "texts" | "port" | "map" | "security";
type Fields = Readonly<Record<string, { readonly kind: FieldKind; readonly optional?: boolean }>>;

const text = { kind: "text" } as const;
const optionalText = { kind: "text", optional: true } as const;

const shapes: Readonly<Record<ChannelType, Fields>> = {
  command: { command: { kind: "texts" } },
  webhook: { url: text, headers: { kind: "map", optional: true } },
  ntfy: { topic: text, server: optionalText, token: optionalText },
  slack: { url: text },
  discord: { url: text },
  desktop: {},
  smtp: {
    host: text,
    port: { kind: "port" },
    security: { kind: "security" },
    from: text,
    to: { kind: "texts" },
    username: optionalText,
    password: optionalText,
  },
  telegram: { token: text, chat: text, server: optionalText },
  imessage: { to: text },
};

type Tables = readonly Readonly<Record<string, unknown>>[];

/** For those in trouble: what can be used of them, and why the rest cannot. A typing error in one must not silence the others. */
export function usableChannels(tables: Tables): { readonly channels: Channel[]; readonly unusable: string[] } {
  const channels: Channel[] = [];
  const unusable: string[] = [];
  for (const index of tables.keys()) {
    try {
      const found = channelsFromConfig(tables.slice(0, index + 1), index);
      channels.push(...found);
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      unusable.push(cause.message);
    }
  }
  return { channels, unusable };
}

export function channelsFromConfig(tables: Tables, from = 0): Channel[] {
  return tables.slice(from).map((table, after) => {
    const index = from + after;
    const { type, ...rest } = table;
    const refuse = (problem: string): Refusal =>
      new Refusal("config.malformed", `escalate.channels, table ${index + 1}: ${problem}`, { table: index + 1 });
    if (typeof type !== "string" || !Object.hasOwn(shapes, type)) {
      throw refuse(`type must be one of ${Object.keys(shapes).join(", ")}`);
    }
    const fields = shapes[type as ChannelType];
    for (const name of Object.keys(rest)) if (!Object.hasOwn(fields, name)) throw refuse(`${type} has no ${name}`);
    for (const [name, field] of Object.entries(fields)) {
      const value = rest[name];
      if (value === undefined && field.optional === true) continue;
      if (!fits[field.kind](value)) throw refuse(`${type} needs ${name} (${wanted[field.kind]})`);
    }
    return table as unknown as Channel;
  });
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");

const fits: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string" && value !== "",
  texts: isTexts,
  port: (value) => typeof value === "number" && Number.isInteger(value) && value > 0 && value < 65_536,
  map: (value) =>
    typeof value === "object" && value !== null && Object.values(value).every((item) => typeof item === "string"),
  security: (value) => value === "tls" || value === "starttls" || value === "none",
};

const wanted: Readonly<Record<FieldKind, string>> = {
  text: "text",
  texts: "a list of texts",
  port: "a port number",
  map: "a table of texts",
  security: "tls, starttls or none",
};
