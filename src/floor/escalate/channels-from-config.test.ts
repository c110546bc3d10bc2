import { expect, test } from "bun:test";
import { Refusal } from "../../protocol/errors.ts";
import { channelsFromConfig, usableChannels } from "./channels-from-config.ts";

const problem = (table: Record<string, unknown>): string => {
  try {
    channelsFromConfig([table]);
  } catch (cause) {
    if (cause instanceof Refusal) return cause.message;
    throw cause;
  }
  return "none";
};

test("a table of each kind is taken as it is", () => {
  const tables = [
    { type: "command", command: ["notify", "-x"] },
    { type: "webhook", url: "http://127.0.0.1/", headers: { a: "b" } },
    { type: "ntfy", topic: "t" },
    { type: "desktop" },
    { type: "smtp", host: "h", port: 25, security: "none", from: "a@b", to: ["c@d"] },
    { type: "telegram", token: "t", chat: "1" },
    { type: "imessage", to: "x" },
  ];
  expect(channelsFromConfig(tables)).toEqual(tables as never);
});

test("a table that cannot be used says which field is wrong", () => {
  expect(problem({ type: "pigeon" })).toContain("table 1: type must be one of command,");
  expect(problem({ type: "ntfy" })).toContain("ntfy needs topic (text)");
  expect(problem({ type: "ntfy", topic: "t", tpic: "x" })).toContain("ntfy has no tpic");
  expect(problem({ type: "command", command: [] })).toContain("command needs command (a list of texts)");
  expect(problem({ type: "smtp", host: "h", port: 0, security: "none", from: "a", to: ["b"] })).toContain(
    "smtp needs port",
  );
});

test("for those in trouble a typing error in one table leaves the others usable", () => {
  const good = { type: "ntfy", topic: "t" };
  const { channels, unusable } = usableChannels([{ type: "smtp" }, good, { type: "pigeon" }]);
  expect(channels).toEqual([good] as never);
  expect(unusable).toHaveLength(2);
  expect(unusable[0]).toContain("table 1: smtp needs host");
  expect(unusable[1]).toContain("table 3: type must be one of");
});
