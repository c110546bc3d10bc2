// Claude Code and Codex against the conformance suite. Fast enough for every check.

import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { codex } from "../../../src/host/runtime/codex/codex.ts";
import { conformance } from "./conformance.ts";
import { portableCalls } from "./portable-calls.ts";

conformance(claude, {
  asks: true,
  refuse: ["Escape"],
  dialog: /Do you want to proceed\?/,
  clearLine: ["C-u"],
  leaveLimit: [],
  exit: async ({ pane }) => {
    await pane.keys("C-c");
    await pane.keys("C-c");
  },
  slowMs: 20_000,
  isolate: true,
  cacheWrite: true,
  tellsDenied: true,
  waits: true,
});

conformance(codex, {
  asks: true,
  refuse: ["Escape"],
  dialog: /Press enter to confirm or esc to cancel/,
  clearLine: ["C-u"],
  leaveLimit: [],
  exit: async ({ pane }) => {
    await pane.paste("/quit");
    await pane.enter();
  },
  slowMs: 20_000,
  isolate: true,
  cacheWrite: false,
  tellsDenied: false,
  waits: false,
});

const quick = { isolate: true, slowMs: 30_000 };
portableCalls(claude, { ...quick, edits: true });
// Plain tools, code mode, and, for a name that Codex does not know, no patch tool.
portableCalls(codex, { ...quick, model: "gpt-5.5", edits: true });
portableCalls(codex, { ...quick, model: "gpt-6-sol", edits: true });
portableCalls(codex, { ...quick, model: "scripted-1", edits: false });
