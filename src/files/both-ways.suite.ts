// Runs tests twice: once as commands and hooks go, through /proc, and once as processes that live long do.

import { afterAll, beforeAll, describe } from "bun:test";
import { takeDirectoryCalls } from "./descend.ts";
import { askSystemDirectly } from "./directory-calls.ts";

export function inBothWays(tests: () => void): void {
  describe("through /proc,", tests);
  describe("asked of the system itself,", () => {
    beforeAll(askSystemDirectly);
    afterAll(() => takeDirectoryCalls(undefined));
    tests();
  });
}
