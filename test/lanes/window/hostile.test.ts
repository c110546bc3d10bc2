// Texts that would be more than text, in every field that an agent, a commit or a specification can write, on every page: nothing runs,
// nothing leaves its place, nothing is asked of another machine. A page of somebody else's cannot hold the window in a frame.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { places } from "../../../web/src/words/places.ts";
import { TestHome, until } from "../../kit/home.ts";
import { dashboardLink, type Looking, openHttp, phone, sidewaysScroll, tradeLink, WindowBrowser } from "./browser.ts";

const mark = "hostile";
/** Each ends with a word to find it by. */
const texts: readonly string[] = [
  `<img src=x onerror="window.ran=1"><script>window.ran=1</script> ${mark}`,
  `" onmouseover="window.ran=1" autofocus onfocus="window.ran=1 ${mark}`,
  `javascript:window.ran=1//${mark}`,
  `\u001b]8;;http://evil.example/\u0007link\u001b]8;;\u0007\u001b]52;c;aGk=\u0007\u001b[2J ${mark}`,
  `\u009b31m\u0090payload\u009c\u0085 ${mark}`,
  `\u202egnp.exe\u2066\u2069\u200f ${mark}`,
  `{{constructor.constructor('window.ran=1')()}} \${window.ran=1} ${mark}`,
  `${"W".repeat(1_000_000)} ${mark}`,
];
// oxlint-disable-next-line no-control-regex -- finding control characters is the point
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const home = new TestHome();
let browser: WindowBrowser;
let finding = "";

const git = (cwd: string, ...words: string[]): void => {
  const ran = Bun.spawnSync(["git", "-c", "user.name=<b>x</b>", "-c", "user.email=x@example.org", ...words], {
    cwd,
    env: home.env,
  });
  if (ran.exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${ran.stderr.toString()}`);
};

beforeAll(async () => {
  await openHttp(home);
  await plantRepository();
  await plantByVerbs();
  plantInStore();
  browser = await WindowBrowser.open();
}, 240_000);
afterAll(async () => {
  await browser.close();
  await home[Symbol.asyncDispose]();
});

/** File names, a branch and a symbol: what git and a language let through. */
async function plantRepository(): Promise<void> {
  const main = join(home.top, "repo");
  const name = `<img src=x onerror=window.ran=1>\u202e${mark}.txt`;
  mkdirSync(main);
  git(main, "init", "-q", "-b", "main");
  writeFileSync(join(main, name), "one\ntwo\nthree\n");
  git(main, "add", "-A");
  git(main, "commit", "-qm", texts[0] ?? "");
  for (const side of ["<b>left</b>", 'right"onclick=']) {
    git(
      main,
      "worktree",
      "add",
      "-q",
      "-b",
      side.replaceAll(/[<>"]/g, "_") + "<x>",
      join(home.top, `side${side.length}`),
    );
    writeFileSync(
      join(home.top, `side${side.length}`, name),
      `one\n${side} <script>window.ran=1</script> \u202e${mark}\nthree\n`,
    );
  }
  await home.json(["repo", "add", main]);
  const found = await until(
    "the two collide",
    async () => JSON.parse((await home.constel(["conflicts", "--json"])).stdout) as { findings: { id: string }[] },
    ({ findings }) => findings.length > 0,
  );
  finding = found.findings[0]?.id ?? "";
}

/** What the operations take, as an agent's tools would bring it. Some is refused, which is an answer too. */
async function plantByVerbs(): Promise<void> {
  const ask = await tradeLink(home);
  const root = join(home.top, "repo");
  for (const text of texts)
    for (const [name, input] of [
      ["task.create", { title: text.slice(0, 490), directive: text.slice(0, 20_000), root }],
      ["timeline.announce", { text: text.slice(0, 9_999) }],
      ["decision.record", { title: text.slice(0, 400), text: text.slice(0, 9_000) }],
      ["memory.remember", { text: text.slice(0, 4_000) }],
      ["directive.add", { text: text.slice(0, 4_000) }],
      ["chat.send", { to: "agent1", text: text.slice(0, 99_000), thread: `t ${text.slice(0, 60)}` }],
      ["schedule.add-loop", { label: text.slice(0, 60), prompt: text.slice(0, 5_000), agent: "agent1" }],
      ["query.save", { name: text.slice(0, 60), sql: `select '${text.slice(0, 500).replaceAll("'", "''")}' as x` }],
    ] as const)
      await ask(name, input).catch(() => undefined);
}

/** What an agent's program, its screen and its hooks bring, put where the daemon keeps it. */
function plantInStore(): void {
  using database = new Database(join(home.home, "meta.db"));
  database.run("pragma busy_timeout = 10000");
  for (const [at, text] of texts.entries()) {
    put(database, "agents", {
      agent: `agent${at + 1}`,
      role: "clone",
      runtime: text,
      wanted: "up",
      seen: "waiting-answer",
      evidence_on: text,
      evidence_says: text,
      cwd: text,
      model: text,
    });
    put(database, "messages", {
      name: `000${at}`,
      receiver: "agent1",
      sender: text,
      message_id: `msg_${at}`,
      text,
      text_bytes: text.length,
      state: "poisoned",
      because: text,
      thread: text,
      sent_ms: Date.now(),
    });
    put(database, "owner_needs", {
      key: `planted:${at}`,
      kind: text,
      says: text,
      next: text,
      agent: null,
      since_ms: Date.now(),
      ended_ms: null,
    });
    put(database, "token_usage", {
      agent: `agent${at + 1}`,
      model: text,
      at_ms: Date.now(),
      cost_micros: 1_000,
      input: 1,
      output: 1,
    });
    put(database, "worktrees", {});
  }
}

/** Requests that nobody's hook asks about end after a while: they are planted when they are looked at. */
function plantRequests(): void {
  using database = new Database(join(home.home, "meta.db"));
  database.run("pragma busy_timeout = 10000");
  database.run("delete from approvals");
  for (const [at, text] of texts.entries())
    put(database, "approvals", {
      id: `apr_00000000000000000000${at}aaaaa`,
      request: `planted-${at}`,
      agent: `agent${at + 1}`,
      runtime: text,
      tool: text,
      asked: text,
      part: text,
      why: text,
      cwd: text,
      state: "waiting",
      asked_ms: Date.now(),
      seen_ms: Date.now(),
      due_ms: Date.now() + 3_600_000,
    });
}

function put(database: Database, table: string, known: Record<string, string | number | null>): void {
  if (Object.keys(known).length === 0) return;
  const columns = database.query(`pragma table_info(${table})`).all() as {
    name: string;
    notnull: number;
    type: string;
    dflt_value: unknown;
  }[];
  const row = columns.map(({ name, notnull, type }) =>
    name === "constellation"
      ? "constel0"
      : name in known
        ? (known[name] ?? null)
        : notnull === 0
          ? null
          : type === "TEXT"
            ? `planted-${crypto.randomUUID()}`
            : 0,
  );
  database.run(
    `insert into ${table} (${columns.map(({ name }) => name).join(", ")}) values (${columns.map(() => "?").join(", ")})`,
    row,
  );
}

/** Nothing ran, nothing acts, nothing sticks out, nothing went wrong. */
async function isHarmless(looking: Looking): Promise<void> {
  const { page } = looking;
  expect(await page.evaluate("window.ran")).toBeUndefined();
  expect(
    await page
      .locator(
        "main script, main img, main iframe, main object, main [onerror], main [onclick], main [onmouseover], main [onfocus]",
      )
      .count(),
  ).toBe(0);
  const hrefs = await page.evaluate<string[]>(
    "[...document.querySelectorAll('main a[href], main [src], main form')].map((one) => one.getAttribute('href') ?? one.getAttribute('src') ?? 'form')",
  );
  expect(hrefs.filter((href) => !href.startsWith("#/"))).toEqual([]);
  const shown = await page.evaluate<string>(
    "document.body.innerText + document.title + [...document.querySelectorAll('[title], [aria-label]')].map((one) => (one.getAttribute('title') ?? '') + (one.getAttribute('aria-label') ?? '')).join(' ')",
  );
  expect(acting.exec(shown)?.[0]?.charCodeAt(0).toString(16)).toBeUndefined();
  expect(await sidewaysScroll(looking)).toBeLessThanOrEqual(0);
  expect(looking.problems).toEqual([]);
}

const subpages = (): string[] => [
  ...places.map(({ page }) => page),
  ...texts.map((_, at) => `agents/agent${at + 1}`),
  ...texts.map((_, at) => `tasks/${at + 1}`),
  "tasks?view=board&all=yes",
  "tasks?q=hostile",
  `collisions/${finding}`,
  "collisions?view=matrix",
  "approvals?all=yes",
  "decisions?view=memory",
  "decisions?all=yes",
  "schedules",
  "cost?by=model",
  `messages/${encodeURIComponent(texts[0] ?? "")}`,
  `sql?q=${encodeURIComponent(`select sender, text, because from messages`)}`,
  // The address is written by others too.
  `${encodeURIComponent(texts[0] ?? "")}/${encodeURIComponent(texts[2] ?? "")}?q=${encodeURIComponent(texts[1] ?? "")}`,
  `agents?q=${encodeURIComponent(texts[0] ?? "")}`,
];

describe.each([
  ["light", { width: 1280, height: 800 }],
  ["dark", phone],
] as const)("hostile texts, %s", (theme, size) => {
  let looking: Looking;
  beforeAll(async () => (looking = await browser.look(home, { theme, size })));
  afterAll(() => looking.close());

  beforeEach(plantRequests);

  test("stay texts on every page", async () => {
    for (const place of subpages()) {
      await looking.go(place);
      try {
        await isHarmless(looking);
      } catch (cause) {
        throw new Error(`on ${place.slice(0, 80)}`, { cause });
      }
    }
  }, 120_000);

  test("are there to be read", async () => {
    for (const [place, most] of [
      ["now", texts.length],
      ["approvals", texts.length],
      ["timeline", 3],
      ["messages", 3],
    ] as const) {
      await looking.go(place);
      await until(
        `${place} shows them`,
        () => looking.page.locator("main").getByText(mark).count(),
        (count) => count >= Math.min(most, 3),
      );
    }
  });

  test("stay texts in the palette", async () => {
    await looking.page.keyboard.press("/");
    await looking.page.getByRole("combobox", { name: /^Find/ }).fill(mark);
    await looking.page.getByRole("option").first().waitFor();
    await isHarmless(looking);
    await looking.page.keyboard.press("Escape");
  });
});

test("a burst of events and a line of a megabyte leave the page quick and whole", async () => {
  const looking = await browser.look(home);
  await looking.go("timeline");
  const ask = await tradeLink(home);
  for (let round = 0; round < 10; round++)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        ask("timeline.announce", { text: `burst ${round * 50 + at} ${"z".repeat(2_000)}` }),
      ),
    );
  await looking.page
    .locator("main")
    .getByText(/burst 499/)
    .first()
    .waitFor();
  // Only what can be seen is drawn.
  expect(await looking.page.locator("main [data-key]").count()).toBeLessThan(120);
  await isHarmless(looking);
  await looking.close();
}, 120_000);

test("no page of somebody else's holds the window in a frame, or gets in with it", async () => {
  const link = await dashboardLink(home);
  const own = new URL(link);
  using other = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response(
        `<!doctype html><title>other</title><iframe id=framed src="${own.origin}/"></iframe><iframe id=linked src="${link}"></iframe><script>fetch("${own.origin}/op/status.look", { method: "POST", body: "{}" }).then(() => document.title = "let in", () => document.title = "kept out")</script>`,
        { headers: { "content-type": "text/html" } },
      ),
  });
  const looking = await browser.look(home);
  const page = await looking.page.context().newPage();
  await page.goto(`http://127.0.0.1:${other.port}/`);
  await until(
    "its own request ended",
    () => page.title(),
    (title) => title !== "other",
  );
  expect(await page.title()).toBe("kept out");
  for (const frame of page.frames().slice(1)) expect(await frame.locator("#window").count()).toBe(0);
  // The code of the framed link was not used up.
  await page.goto(link);
  await page.locator("header .live").filter({ hasText: "live" }).waitFor();
  await looking.close();
}, 60_000);
