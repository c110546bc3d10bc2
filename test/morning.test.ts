// `constel morning` on the real program: a task that landed, one that did not, and a page that is sent.

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TaskHome } from "./kit/task-home.ts";

test("the page says what landed, what failed and what waits, is sent through the channels, and comes every day if asked", async () => {
  const received: { subject: string; body: string }[] = [];
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      received.push((await request.json()) as { subject: string; body: string });
      return new Response("ok");
    },
  });
  await using at = new TaskHome();
  mkdirSync(at.home, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(at.home, "config.toml"),
    `[[escalate.channels]]\ntype = "webhook"\nurl = "http://127.0.0.1:${server.port}/"\n`,
  );
  const good = await at.ready("Paginate the list", { "list.txt": "page\n" });
  const bad = await at.ready("Breaks the build", { broken: "b" });
  expect((await at.run("task", "harvest", String(good))).code).toBe(0);
  expect((await at.run("task", "harvest", String(bad))).code).toBe(1);

  const page = (await at.run("morning")).stdout;
  expect(page).toContain("Landed in the last 12h: 1\n  1 Paginate the list");
  expect(page).toContain(`${bad} Breaks the build`);
  expect(page).toMatch(/Red: 1\n {2}task 2: /);
  expect(page).toContain("Cost: no model was asked");
  expect(page.split("\n").length).toBeLessThan(40);

  const sent = await at.run("morning", "--send", "--since", "1h");
  expect([sent.code, sent.stdout.includes("told through webhook")]).toEqual([0, true]);
  // The daemon pages the owner by itself too.
  const pages = received.filter(({ subject }) => subject.includes("morning: "));
  expect(pages).toHaveLength(1);
  expect(pages[0]?.subject).toMatch(/^\[constel0\] morning: 1 landed, 1 failed, /);
  expect(pages[0]?.body).toContain("Paginate the list");

  const refused = await at.run("morning", "--daily", "25:00");
  expect([refused.code, refused.stderr.includes("such as 07:00")]).toEqual([2, true]);
  for (const time of ["07:00", "6:30"]) expect((await at.run("morning", "--daily", time)).code).toBe(0);
  const { schedules } = await at.ask<{ schedules: { label: string; timing: string; action: object }[] }>(
    "cron",
    "list",
  );
  expect(schedules.map(({ label, timing, action }) => [label, timing.slice(0, 10), action])).toEqual([
    ["morning", "30 6 * * *", { verb: ["morning", "--send"] }],
  ]);
}, 120_000);
