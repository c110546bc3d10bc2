import { expect, test } from "bun:test";
import { tmuxOutage } from "./tmux-outage.ts";

test("a socket's path that is too long says what to do, and that trying again does not help", () => {
  const long = tmuxOutage("constel-1", "error connecting to /long (File name too long)\n", true);
  expect([long.mayRetry, long.message]).toEqual([false, expect.stringContaining("set TMUX_TMPDIR to a shorter")]);
  const gone = tmuxOutage("constel-1", "no server running", true);
  expect([gone.mayRetry, gone.message.includes("TMUX_TMPDIR")]).toEqual([true, false]);
});
