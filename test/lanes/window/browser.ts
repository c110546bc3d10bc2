// A real Chromium that looks at the window of a test's home, and keeps account of all that a user would call broken: errors on the console,
// exceptions, refusals of the content policy, requests that leave the machine.

import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, chromium, type Page } from "playwright-core";
import { join } from "node:path";
import { actorHeader } from "../../../src/protocol/wire.ts";
import { projectTop, until } from "../../kit/home.ts";
import type { WindowHome } from "./demo-home.ts";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export type Theme = "light" | "dark";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const phone: Size = { width: 390, height: 844 };

export interface Looking {
  readonly page: Page;
  /** What went wrong in the page so far. */
  readonly problems: string[];
  /** Goes to a place in the window: `tasks/3?view=diff`. */
  go(place: string): Promise<void>;
  /** The serious violations that axe finds. */
  axe(): Promise<string[]>;
  close(): Promise<void>;
}

export class WindowBrowser {
  readonly #browser: Browser;
  /** The operations that its pages asked for and that were answered. */
  readonly done = new Set<string>();

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async open(): Promise<WindowBrowser> {
    const found = Bun.spawnSync(["bash", join(projectTop, "scripts/chromium.sh")], { stderr: "inherit" });
    const executablePath = found.stdout.toString().trim();
    if (executablePath === "") throw new Error("Chromium is not there and could not be installed");
    return new WindowBrowser(await chromium.launch({ executablePath, args: flags }));
  }

  /** A browser of its own, as of another person: nothing is shared with those before. */
  async look(
    home: WindowHome,
    options: { readonly theme?: Theme; readonly size?: Size; readonly role?: string } = {},
  ): Promise<Looking> {
    const { theme = "light", size = { width: 1280, height: 800 }, role = "owner" } = options;
    const link = await dashboardLink(home, role);
    const context = await this.#browser.newContext({
      viewport: size,
      colorScheme: theme,
      // A row that fades in has no contrast yet.
      reducedMotion: "reduce",
      hasTouch: size.width < 500,
      permissions: ["clipboard-write"],
    });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        problems.push(`${message.type()}: ${message.text()}`);
    });
    page.on("dialog", (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (["http:", "https:"].includes(protocol) && host !== new URL(link).host)
        problems.push(`a request to ${request.url()}`);
    });
    page.on("response", (response) => {
      const [, name] = /\/op\/([\w.-]+)$/.exec(response.url()) ?? [];
      if (name !== undefined && response.ok()) this.done.add(name);
    });
    await page.goto(link);
    await page.locator("header .live").filter({ hasText: "live" }).waitFor();
    return {
      page,
      problems,
      async go(place) {
        // A row under the pointer stays where it is; what comes live is wanted in its place.
        await page.mouse.move(0, 0);
        await page.evaluate(`void (location.hash = ${JSON.stringify(`#/${place}`)})`);
        await settled(page);
      },
      axe: () => seriousViolations(page),
      close: () => context.close(),
    };
  }

  /** A page that is no window: of the documentation. */
  async read(url: string, { theme, size }: { readonly theme: Theme; readonly size: Size }): Promise<Page> {
    const page = await this.#browser.newPage({ viewport: size, colorScheme: theme });
    await page.goto(url);
    return page;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

export async function seriousViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ["violations"] })
    .analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** Every panel has its answer, or its reason. */
export async function settled(page: Page): Promise<void> {
  const waiting = page.locator('[aria-busy="true"]');
  await until(
    "every panel has its answer",
    () => waiting.count(),
    (count) => count === 0,
  );
}

/** The home's daemon with its page, on a port that nobody else has. */
export async function openHttp(home: WindowHome): Promise<void> {
  await home.json(["config", "set", "http.enabled", "true"]);
  await home.json(["daemon", "start"]);
}

export async function dashboardLink(home: WindowHome, role = "owner"): Promise<string> {
  const ran = await home.constel(["dashboard", "--no-open", "--role", role]);
  if (ran.code !== 0) throw new Error(`constel dashboard ended with ${ran.code}: ${ran.stderr}`);
  return ran.stdout.trim();
}

/** Asks operations as the owner's page does, or as an agent whom the owner stands for; a refusal is thrown with what it says. */
export async function tradeLink(
  home: WindowHome,
): Promise<(name: string, input: unknown, as?: string) => Promise<unknown>> {
  const { origin, hash } = new URL(await dashboardLink(home));
  const headers = { origin, "content-type": "application/json" };
  const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const traded = await post("/api/session", { code: hash.replace("#code=", "") });
  const { token } = (await traded.json()) as { token: string };
  return async (name, input, as) => {
    const acting = as === undefined ? {} : { [actorHeader]: as };
    const answer = (await (
      await post(`/op/${name}`, input, { authorization: `Bearer ${token}`, ...acting })
    ).json()) as {
      error?: { message: string };
    };
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer;
  };
}

export const sidewaysScroll = ({ page }: Pick<Looking, "page">): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
