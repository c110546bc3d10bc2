// `--watch` in a real terminal of 80×24, and in a pipe.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { projectTop, TestHome, until } from "./kit/home.ts";

/** The program in a terminal, and what it has shown so far. */
function watch(at: TestHome, words: readonly string[]) {
  const seen = { text: "" };
  const child = Bun.spawn([join(projectTop, "bin/constel"), ...words], {
    cwd: at.top,
    env: { ...at.env, TERM: "xterm-256color" },
    terminal: { cols: 80, rows: 24, data: (_terminal, data) => void (seen.text += new TextDecoder().decode(data)) },
  });
  const shows = (what: string): Promise<string> =>
    until(
      `it shows ${what}`,
      () => seen.text,
      (text) => text.includes(what),
    );
  return { child, seen, shows };
}

const enter = "\u001b[?1049h\u001b[?25l\u001b[H";
const leave = "\u001b[?25h\u001b[?1049l";
const cleared = "\u001b[2J";

test("status draws in place, follows what changes, and gives the terminal back on Ctrl-C", async () => {
  await using at = new TestHome();
  const { child, seen, shows } = watch(at, ["status", "--watch"]);
  await shows("no agents yet");
  await at.constel(["task", "create", "seen", "by", "the", "watch"]);
  await shows("seen by the watch");
  child.terminal?.write("\u0003");
  expect(await child.exited).toBe(0);
  await shows(leave);
  expect(seen.text.startsWith(enter)).toBe(true);
  expect(seen.text).not.toContain(cleared);
});

test("the monitor draws what needs the owner, writes nothing while nothing happens, and gives the terminal back", async () => {
  await using at = new TestHome();
  await at.constel(["daemon", "start"]);
  const { child, seen, shows } = watch(at, ["watch"]);
  await shows("NEEDS YOU");
  await shows("0 agents");
  await at.constel(["task", "create", "seen", "by", "the", "monitor"]);
  child.terminal?.write("gt");
  await shows("seen by the monitor");
  child.terminal?.write("q");
  expect(await child.exited).toBe(0);
  await shows(leave);
  expect(seen.text).toContain(enter);
  expect(seen.text).not.toContain(cleared);
  const piped = await at.constel(["watch"]);
  expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining("constel status --watch --json")]);
});

test("conflicts draws in place, too", async () => {
  await using at = new TestHome();
  const { child, seen, shows } = watch(at, ["conflicts", "--watch"]);
  await shows("Nothing collides.");
  child.terminal?.write("\u0003");
  expect(await child.exited).toBe(0);
  await shows(leave);
  expect(seen.text).toContain(enter);
  expect(seen.text).not.toContain(cleared);
});

test("a query is cleared for once and then drawn in place, cut to the screen; Ctrl-C ends it at any moment", async () => {
  await using at = new TestHome();
  await at.json(["announce", "before"]);
  const sql =
    "with recursive n(x) as (select 1 union all select x + 1 from n where x < 60) select x, (select count(*) from timeline) || ' events' as seen from n";
  const { child, seen, shows } = watch(at, ["query", sql, "--watch", "0.1"]);
  await shows("1 events");
  await at.json(["announce", "after"]);
  await shows("2 events");
  child.terminal?.write("\u0003");
  await child.exited;
  expect(child.signalCode).toBe("SIGINT");
  expect(seen.text.split(cleared).length).toBe(2);
  const frame = seen.text.split("\u001b[H").at(-2) ?? "";
  expect(frame.split("\r\n").length).toBeLessThanOrEqual(24);
  expect(frame).toContain("more lines");
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
