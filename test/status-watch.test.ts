// `constel status --watch` in a real terminal of 80×24.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { projectTop, TestHome, until } from "./kit/home.ts";

test("the watch draws in place, follows what changes, and gives the terminal back on Ctrl-C", async () => {
  await using at = new TestHome();
  let shown = "";
  const child = Bun.spawn([join(projectTop, "bin/constel"), "status", "--watch"], {
    cwd: at.top,
    env: { ...at.env, TERM: "xterm-256color" },
    terminal: { cols: 80, rows: 24, data: (_terminal, data) => void (shown += new TextDecoder().decode(data)) },
  });
  await until(
    "it has begun",
    () => shown,
    (text) => text.includes("no agents yet"),
  );
  await at.constel(["task", "create", "seen", "by", "the", "watch"]);
  await until(
    "the new task is there",
    () => shown,
    (text) => text.includes("seen by the watch"),
  );
  child.terminal?.write("\u0003");
  expect(await child.exited).toBe(0);
  await until(
    "all of it was read",
    () => shown,
    (text) => text.endsWith("\u001b[?25h\u001b[?1049l"),
  );
  expect(shown.startsWith("\u001b[?1049h\u001b[?25l\u001b[H")).toBe(true);
  expect(shown).not.toContain("\u001b[2J");
});

test("piped, it says something only when something changed", async () => {
  await using at = new TestHome();
  const child = Bun.spawn([join(projectTop, "bin/constel"), "status", "--watch", "--json"], {
    cwd: at.top,
    env: at.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  let text = "";
  const reading = (async () => {
    for await (const part of child.stdout) text += new TextDecoder().decode(part);
  })();
  await until(
    "the first line",
    () => text,
    (now) => now.includes("\n"),
  );
  await at.constel(["task", "create", "one more"]);
  await until(
    "the second line",
    () => text,
    (now) => now.includes("one more"),
  );
  child.kill("SIGINT");
  await child.exited;
  await reading;
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { tasks: unknown[] });
  expect(lines.map(({ tasks }) => tasks.length).at(0)).toBe(0);
  expect(lines.map(({ tasks }) => tasks.length).at(-1)).toBe(1);
  expect(new Set(lines.map((line) => JSON.stringify(line))).size).toBe(lines.length);
});
