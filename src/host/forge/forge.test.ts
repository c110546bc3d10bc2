// Every adapter passes the one suite.

import { expect, test } from "bun:test";
import { Refusal } from "../../protocol/errors.ts";
import { systemProcesses } from "../process/run.ts";
import { addressOf, forgeKinds, systemForges } from "./forges.ts";
import { forgeSuite } from "./forge.suite.ts";

for (const kind of forgeKinds) forgeSuite(kind);

test("an origin's host and path are read from every form that git knows", () => {
  const check = (origin: string, host: string, path: string): void =>
    expect([origin, addressOf(origin)]).toEqual([origin, expect.objectContaining({ host, path })]);
  check("https://github.com/acme/shop.git", "github.com", "acme/shop");
  check("git@github.com:acme/shop.git", "github.com", "acme/shop");
  check("ssh://git@git.example.org:2222/acme/shop", "git.example.org", "acme/shop");
  check("http://127.0.0.1:8080/acme/shop.git/", "127.0.0.1:8080", "acme/shop");
  check("/srv/git/shop.git", "", "srv/git/shop");
});

test("an origin of no known forge, and a name that is no repository's, are refused", () => {
  const clock = { nowMs: () => 0, sleep: async () => undefined };
  const forges = systemForges({ settings: [], processes: systemProcesses, environment: {}, clock });
  for (const origin of [
    "/srv/git/shop.git",
    "https://git.example.org/acme/shop",
    "https://github.com/acme/../user",
    "git@github.com:shop",
  ]) {
    try {
      throw new Error(`${origin} was taken for ${JSON.stringify(forges.placeOf(origin))}`);
    } catch (refusal) {
      expect(refusal).toBeInstanceOf(Refusal);
      expect(refusal).toMatchObject({ code: "forge.not-known" });
    }
  }
  expect(forges.placeOf("git@github.com:acme/shop.git")).toEqual({
    kind: "github",
    host: "github.com",
    repository: "acme/shop",
    api: "https://api.github.com",
  });
});
