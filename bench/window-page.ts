// The page in a real Chromium, with a hundred agents, two thousand tasks, three hundred findings and fifty thousand events: how soon something is to
// be read, how long a filter takes, how soon a change is on the screen, what events cost in memory. On a busy machine wall time says how busy it
// is: of loads and filters the quickest of many counts, the median stands in the note.

import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { ascending, cpuOf, type Entry, type Measured, median, percentile, type Skipped } from "./harness.ts";
import { constel } from "./program.ts";

const top = join(import.meta.dir, "..");
const sizes = { agents: 100, tasks: 2_000, findings: 300, events: 50_000 } as const;
const day = 86_400_000;

interface Scene {
  readonly page: Page;
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function onPage(use: (scene: Scene) => Promise<Measured>): Promise<Measured | Skipped> {
  const found = Bun.spawnSync(["bash", join(top, "scripts/chromium.sh")]);
  const executablePath = found.stdout.toString().trim();
  if (executablePath === "") return { skipped: "there is no Chromium here" };
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, CONSTEL_HOME: join(directory, "home") };
  let browser: Browser | undefined;
  try {
    cpuOf([constel, "daemon", "start"], env);
    cpuOf([constel, "daemon", "stop"], env);
    fill(join(env.CONSTEL_HOME, "meta.db"));
    const { stdout } = Bun.spawnSync([constel, "dashboard", "--no-open"], { env });
    const { origin, hash } = new URL(stdout.toString().trim());
    const plain = { origin, "content-type": "application/json" };
    const body = JSON.stringify({ code: hash.replace("#code=", "") });
    const session = await (await fetch(`${origin}/api/session`, { method: "POST", headers: plain, body })).json();
    const { token } = session as { token: string };
    browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-gpu", "--js-flags=--expose-gc"],
    });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const kept = JSON.stringify({ token, role: "owner" });
    await context.addInitScript(`localStorage.setItem("constel.session", ${JSON.stringify(kept)})`);
    const page = await context.newPage();
    return await use({ page, origin, headers: { ...plain, authorization: `Bearer ${token}` } });
  } finally {
    await browser?.close();
    cpuOf([constel, "daemon", "stop"], env);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Straight into the tables: no verb would be done in time. */
function fill(path: string): void {
  using database = new Database(path);
  database.run("begin");
  const now = Date.now();
  const states = ["idle", "busy", "waiting-answer", "limited"];
  plant(database, "agents", sizes.agents, (at) => ({
    agent: `agent${at}`,
    role: "clone",
    runtime: "claude",
    wanted: "up",
    seen: states[at % states.length] ?? "",
    evidence_says: "by its hooks",
    evidence_on: "hooks",
    since_ms: now - at * 1_000,
    launched_ms: now - day,
    cwd: "/w",
  }));
  plant(database, "tasks", sizes.tasks, (at) => ({
    number: at,
    title: `Task ${at}: ${["mend", "paint", "count", "name"][at % 4]} the ${["sky", "stars", "moon"][at % 3]}`,
    state: ["open", "in_progress", "ready", "queued"][at % 4] ?? "",
    priority: "P2",
    agent: at % 4 === 1 ? `agent${at % sizes.agents}` : null,
    root: "/w",
    scope: "[]",
    updated_ms: now - at * 1_000,
    created_ms: now - day,
  }));
  plant(database, "repositories", 1, () => ({ identity: "one", name: "one" }));
  plant(database, "findings", sizes.findings, (at) => ({
    id: `fnd_${String(at).padStart(26, "0")}`,
    repository: "one",
    kind: "textual",
    severity: at % 3 === 0 ? "high" : "medium",
    state: "open",
    title: `constel/constel0/${at}-a and constel/constel0/${at + 1}-b change the same lines of src/file-${at}.ts`,
    files: JSON.stringify([`src/file-${at}.ts`]),
    symbols: "[]",
    fingerprint: String(at),
    ours_label: `constel/constel0/${at}-a`,
    theirs_label: `constel/constel0/${at + 1}-b`,
    opened_ms: now - at * 1_000,
    updated_ms: now,
  }));
  const hash = "0".repeat(64);
  const known = (database.query("select max(seq) as seq from events").get() as { seq: number | null }).seq ?? 0;
  plant(database, "events", sizes.events, (at) => ({
    seq: known + at,
    id: `evt_${String(at).padStart(26, "0")}`,
    at_ms: now - (sizes.events - at),
    type: `task.${["created", "dispatched", "ready", "closed"][at % 4]}`,
    subject: `task:${at % sizes.tasks}`,
    actor: "bench",
    data: JSON.stringify({ title: `Task ${at}` }),
    prev_hash: hash,
    hash,
  }));
  database.run("update chain_heads set seq = ?, hash = ?", [known + sizes.events, hash]);
  database.run("commit");
}

type Row = Readonly<Record<string, string | number | null>>;

function plant(database: Database, table: string, count: number, row: (at: number) => Row): void {
  const columns = database.query(`pragma table_info(${table})`).all() as {
    name: string;
    type: string;
    notnull: number;
  }[];
  const insert = database.prepare(`insert into ${table} values (${columns.map(() => "?").join(", ")})`);
  for (let at = 1; at <= count; at++) {
    const given: Row = { constellation: "constel0", ...row(at) };
    insert.run(
      ...columns.map(
        ({ name, type, notnull }) => given[name] ?? (notnull === 0 ? null : type.toLowerCase() === "text" ? "[]" : 0),
      ),
    );
  }
}

/** The page's policy refuses what would ask again and again by itself within it. */
async function holds(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate<boolean>(condition))) await Bun.sleep(20);
}

const isLive = (page: Page): Promise<void> => page.locator("header .live").filter({ hasText: "live" }).waitFor();

/** From the moment at which the address is asked for until the first row is drawn. */
const firstContent = (rounds: number): Promise<Measured | Skipped> =>
  onPage(async ({ page, origin }) => {
    await page.addInitScript(
      `new MutationObserver((_, observer) => { if (document.querySelector("main [data-key]") === null) return; observer.disconnect(); requestAnimationFrame(() => (window.firstMs = performance.now())); }).observe(document, { childList: true, subtree: true })`,
    );
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await page.goto(`${origin}/?${round}#/now`);
      await holds(page, "window.firstMs !== undefined");
      times.push(await page.evaluate<number>("window.firstMs"));
    }
    return quickest(times, "ms");
  });

/** A letter typed into the filter of two thousand tasks, until the page stands as it should: CPU of the page's own thread. */
const filter = (rounds: number): Promise<Measured | Skipped> =>
  onPage(async ({ page, origin }) => {
    await page.goto(`${origin}/#/tasks`);
    await page.locator("main [data-key]").first().waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const cpuMs = async (): Promise<number> => {
      const { metrics } = await session.send("Performance.getMetrics");
      return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
    };
    const times: number[] = [];
    for (let round = 0; round < Math.max(12, rounds); round++) {
      const words = ["paint", "moon 1", "sky", "", "count the stars", "19"][round % 6];
      const before = await cpuMs();
      await page.evaluate(
        `new Promise((resolve) => {
          const input = document.querySelector("main input[type=search]");
          input.value = ${JSON.stringify(words)};
          input.dispatchEvent(new Event("input", { bubbles: true }));
          requestAnimationFrame(() => setTimeout(resolve));
        })`,
      );
      times.push((await cpuMs()) - before);
    }
    return quickest(times, "ms CPU", 0.5);
  });

/** 50 changes a second, each from the request to its words on the page. */
const writeToPixel = (rounds: number): Promise<Measured | Skipped> =>
  onPage(async ({ page, origin, headers }) => {
    await page.goto(`${origin}/#/timeline`);
    await isLive(page);
    await page.locator("main [data-key]").first().waitFor();
    await page.evaluate(
      `window.seen = {}; new MutationObserver(() => requestAnimationFrame(() => { for (const [, at] of document.querySelector("main").innerText.matchAll(/change (\\d+)/g)) window.seen[at] ??= Date.now(); })).observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true })`,
    );
    const asked: number[] = [];
    for (let at = 0; at < rounds * 10; at++) {
      asked.push(Date.now());
      const said = fetch(`${origin}/op/timeline.announce`, {
        method: "POST",
        headers,
        body: JSON.stringify({ text: `change ${at}` }),
      });
      await Promise.all([said, Bun.sleep(20)]);
    }
    await holds(page, `window.seen[${asked.length - 1}] !== undefined`);
    const seen = await page.evaluate<Record<string, number>>("window.seen");
    // What a burst pushed out of sight before it was drawn was on the page no later than the first one that was drawn after it.
    let latest = Infinity;
    const waited = asked
      .map((askedMs, at) => ({ askedMs, at }))
      .toReversed()
      .map(({ askedMs, at }) => (latest = Math.min(latest, seen[at] ?? Infinity)) - askedMs)
      .sort(ascending);
    return { value: percentile(waited, 0.95), floor: 0, unit: "ms", note: `median ${median(waited)} ms` };
  });

/** What ten thousand events leave in memory, after what is garbage has gone. */
const heap = (): Promise<Measured | Skipped> =>
  onPage(async ({ page, origin, headers }) => {
    await page.goto(`${origin}/#/timeline`);
    await isLive(page);
    const session = await page.context().newCDPSession(page);
    const used = async (): Promise<number> => {
      await session.send("HeapProfiler.collectGarbage");
      return (await session.send("Runtime.getHeapUsage")).usedSize;
    };
    const say = async (from: number, count: number): Promise<void> => {
      for (let at = from; at < from + count; at += 100)
        await Promise.all(
          Array.from({ length: 100 }, (_, index) =>
            fetch(`${origin}/op/timeline.announce`, {
              method: "POST",
              headers,
              body: JSON.stringify({ text: `event ${at + index}` }),
            }),
          ),
        );
      await page
        .locator("main")
        .getByText(`event ${from + count - 1}`)
        .first()
        .waitFor({ timeout: 180_000 });
    };
    // Until as many are kept as ever are.
    await say(0, 5_000);
    const before = await used();
    await say(5_000, 10_000);
    const after = await used();
    return {
      value: Math.max(0, after - before) / 1e6,
      floor: 0,
      unit: "MB",
      note: `${(after / 1e6).toFixed(1)} MB in all`,
    };
  });

function quickest(times: readonly number[], unit: string, at = 0): Measured {
  const sorted = times.toSorted(ascending);
  return {
    value: percentile(sorted, at),
    floor: 0,
    unit,
    note: `median ${median(sorted).toFixed(0)} ${unit}, worst ${(sorted.at(-1) ?? 0).toFixed(0)}`,
  };
}

const assets = (): Promise<Measured> => {
  const bytes = ["app.js", "app.css"].map((name) => gzipSync(readFileSync(join(top, "web/dist", name))).length);
  return Promise.resolve({ value: bytes.reduce((sum, one) => sum + one, 0) / 1_000, floor: 0, unit: "KB" });
};

const entry = (name: string, what: string, bar: number, measure: Entry["measure"]): Entry => ({
  name,
  what,
  floorIs: "nothing; the bar is absolute",
  bar,
  better: "lower",
  lane: "full",
  measure,
});

export const windowPageEntries: readonly Entry[] = [
  entry(
    "page-first",
    "the page, from its address to the first row, with 100 agents, 2,000 tasks, 300 findings, 50,000 events",
    1_000,
    firstContent,
  ),
  entry("page-filter", "a letter in the filter of 2,000 tasks", 50, filter),
  entry("page-live", "change asked for → on the page, p95, 50 a second", 250, writeToPixel),
  entry("page-heap", "what 10,000 events leave in the page's memory", 1, heap),
  entry("page-assets", "script and style, gzipped", 200, assets),
];
