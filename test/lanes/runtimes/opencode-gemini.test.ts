// opencode and Gemini CLI against the conformance suite. They start slowly, so they run only in `bin/check --all`.

import { describe, test } from "bun:test";
import { gemini } from "../../../src/host/runtime/gemini/gemini.ts";
import { opencode } from "../../../src/host/runtime/opencode/opencode.ts";
import { collidesThroughConstel } from "./collides-through-constel.ts";
import { conformance } from "./conformance.ts";
import { portableCalls } from "./portable-calls.ts";
import { toldInTime } from "./told-in-time.ts";

if (process.env["CONSTEL_CHECK_ALL"] === "yes") {
  conformance(opencode, {
    asks: true,
    refuse: ["Escape"],
    dialog: /Permission required/,
    clearLine: ["C-u"],
    leaveLimit: [],
    exit: async ({ pane }) => {
      await pane.keys("C-c");
    },
    slowMs: 50_000,
    // The adapter speaks HTTP to the program, so it must be in the same network namespace as the test.
    isolate: false,
    cacheWrite: false,
    tellsDenied: false,
    waits: false,
    port: 24_000 + Math.floor(Math.random() * 8000),
  });
  conformance(gemini, {
    asks: true,
    refuse: ["Escape"],
    dialog: /Allow execution of/,
    clearLine: ["C-u"],
    leaveLimit: ["2", "Enter"],
    exit: async ({ pane }) => {
      await pane.keys("C-c");
      await pane.keys("C-c");
    },
    slowMs: 50_000,
    isolate: true,
    cacheWrite: false,
    tellsDenied: false,
    waits: false,
    model: "gemini-2.5-flash",
  });
  portableCalls(opencode, { isolate: false, slowMs: 90_000, edits: true });
  portableCalls(gemini, { isolate: true, slowMs: 60_000, edits: true, model: "gemini-2.5-flash" });
  toldInTime(gemini, { isolate: true, slowMs: 60_000, model: "gemini-2.5-flash" });
  toldInTime(opencode, { isolate: false, slowMs: 180_000 });
  collidesThroughConstel(gemini, { isolate: true, onlyFirst: true, slowMs: 120_000 });
  collidesThroughConstel(opencode, { isolate: false, onlyFirst: true, slowMs: 240_000 });
} else {
  // Skipped in the usual check, which has twelve minutes: these take three of them by themselves.
  describe.skip("opencode and gemini: SKIPPED, they take minutes; bin/check --all runs them", () => {
    test("conformance", () => {});
  });
}
