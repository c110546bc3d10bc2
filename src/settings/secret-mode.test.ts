// How a secret is met on a surface: its own setting, else the one for all.

import { expect, test } from "bun:test";
import { type SecretMode, type SecretSurface, secretSurfaces } from "../protocol/secret-surfaces.ts";
import type { Config } from "./declarations.ts";
import { secretModeIn } from "./secret-mode.ts";

const none = { "secrets.mode": "refuse", "secrets.messages": "", "secrets.records": "", "secrets.outside": "" };

function check(set: Partial<typeof none>, expected: Readonly<Record<SecretSurface, SecretMode>>): void {
  const mode = secretModeIn({ ...none, ...set } as unknown as Config);
  expect<Readonly<Record<string, SecretMode>>>(
    Object.fromEntries(secretSurfaces.map((surface) => [surface, mode(surface)])),
  ).toEqual({ ...expected });
}

test("nothing set refuses everywhere", () => {
  check({}, { messages: "refuse", records: "refuse", outside: "refuse" });
});

test("one surface turned off leaves the others", () => {
  check({ "secrets.records": "off" }, { messages: "refuse", records: "off", outside: "refuse" });
});

test("the mode for all is below that of a surface", () => {
  check(
    { "secrets.mode": "warn", "secrets.outside": "refuse" },
    { messages: "warn", records: "warn", outside: "refuse" },
  );
});
