import { expect, test } from "bun:test";
import { tmuxOutage } from "./tmux-outage.ts";

test("a socket's path that is too long says what to do, and that trying again does not help", () => {
  const long = tmuxOutage("constel-1", "error connecting to /long (File name too long)\n", true);
  expect([long.mayRetry, long.message]).toEqual([false, expect.stringContaining("set TMUX_TMPDIR to a shorter")]);
  const gone = tmuxOutage("constel-1", "no server running", true);
  expect([gone.mayRetry, gone.message.includes("TMUX_TMPDIR")]).toEqual([true, false]);
});

test("what another account put in the place of tmux's directory says what to do, too", () => {
  for (const reason of ["directory /tmp/tmux-1000 has unsafe permissions", "/tmp/tmux-1000 is not a directory\n"]) {
    const { mayRetry, message } = tmuxOutage("constel-1", reason, true);
    expect([mayRetry, message]).toEqual([false, expect.stringContaining("set TMUX_TMPDIR to a directory of your own")]);
  }
});

test("a sandbox that lets nobody connect is named, with the command that answers there, and trying again does not help", () => {
  for (const why of ["Operation not permitted", "Permission denied"]) {
    const { mayRetry, message } = tmuxOutage("constel-1", `error connecting to /tmp/tmux-0/constel-1 (${why})\n`, true);
    expect([mayRetry, message]).toEqual([false, expect.stringContaining("run it outside of the sandbox")]);
    expect(message).toContain("`constel status`");
  }
});
