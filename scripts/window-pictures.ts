// Makes the pictures of the window, docs/window/*.webp, from a real run: `constel demo --keep` is played, a real Chromium looks at its
// dashboard, one of the demo's agents asks for permission, and everything is taken down.  Run: bun scripts/window-pictures.ts

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium, type Page } from "playwright-core";

const top = join(import.meta.dir, "..");
const pictures = join(top, "docs/window");
const mostBytes = 300_000;

interface Kept {
  readonly home: string;
  readonly root: string;
  readonly directory: string;
}

const place = realpathSync(mkdtempSync(join(tmpdir(), "constel-pictures-")));
const clean = { PATH: process.env["PATH"] ?? "", HOME: place, TMPDIR: place, LC_ALL: "C.UTF-8", TZ: "UTC" };

const run = (words: readonly string[], env: Record<string, string>, cwd: string): string => {
  const { stdout, stderr, exitCode } = Bun.spawnSync([join(top, "bin/constel"), ...words], { cwd, env });
  if (exitCode > 1) throw new Error(`constel ${words.join(" ")} ended with ${exitCode}: ${stderr.toString()}`);
  return stdout.toString();
};

const { kept } = JSON.parse(run(["demo", "--keep", "--fast", "--json"], clean, place)) as { kept: Kept };
const env = { ...clean, HOME: dirname(kept.home), CONSTEL_HOME: kept.home, TMUX_TMPDIR: kept.directory };
const constel = (...words: string[]): string => run(words, env, kept.root);
const found = Bun.spawnSync(["bash", join(top, "scripts/chromium.sh")], { stderr: "inherit" });
const browser = await chromium.launch({ executablePath: found.stdout.toString().trim(), args: ["--no-sandbox"] });
try {
  constel("config", "set", "http.enabled", "true");
  constel("daemon", "start");
  mkdirSync(pictures, { recursive: true });
  const { findings } = JSON.parse(constel("conflicts", "--json")) as { findings: { id: string; title: string }[] };
  const renamed = findings.find(({ title }) => title.includes(" renames "))?.id ?? "";
  await askForPermission();
  for (const [name, theme, size, where] of [
    ["now-light", "light", { width: 1280, height: 720 }, "now"],
    ["now-dark", "dark", { width: 1280, height: 720 }, "now"],
    ["collision-light", "light", { width: 1280, height: 500 }, `collisions/${renamed}`],
    ["collision-dark", "dark", { width: 1280, height: 500 }, `collisions/${renamed}`],
    ["phone-dark", "dark", { width: 390, height: 800 }, "now"],
  ] as const) {
    const context = await browser.newContext({
      viewport: size,
      colorScheme: theme,
      reducedMotion: "reduce",
      timezoneId: "UTC",
    });
    const page = await context.newPage();
    await page.goto(constel("dashboard", "--no-open").trim());
    await page.locator("header .live").filter({ hasText: "live" }).waitFor();
    await page.evaluate(`void (location.hash = ${JSON.stringify(`#/${where}`)})`);
    await page.locator("main").getByText("renames").first().waitFor();
    while ((await page.locator('[aria-busy="true"]').count()) > 0) await Bun.sleep(50);
    await keep(name, page);
    await context.close();
  }
} finally {
  await browser.close();
  constel("down", "--all");
  constel("daemon", "stop");
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}

async function keep(name: string, page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 88 });
  const bytes = Buffer.from(data, "base64");
  if (bytes.length > mostBytes) throw new Error(`${name} has ${bytes.length} bytes; ${mostBytes} are allowed`);
  writeFileSync(join(pictures, `${name}.webp`), bytes);
  console.log(`docs/window/${name}.webp: ${bytes.length} bytes`);
}

/** As the hook of an agent's program asks. */
async function askForPermission(): Promise<void> {
  const { origin, hash } = new URL(constel("dashboard", "--no-open").trim());
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> =>
    (
      await fetch(`${origin}${path}`, {
        method: "POST",
        headers: { origin, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      })
    ).json();
  const { token } = (await post("/api/session", { code: hash.replace("#code=", "") })) as { token: string };
  const input = { command: "npm publish --dry-run" };
  const cwd = join(kept.root, "workspaces/2/repo");
  const asked = { request: "request-of-the-picture", agent: "agent2", runtime: "script", tool: "Bash", input, cwd };
  await post("/op/permission.ask", asked, { authorization: `Bearer ${token}` });
}
