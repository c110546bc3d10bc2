// The window of the demo's home: every page with data, in both themes, on a desk and on a phone; and every action, seen in the store and,
// live, in a second browser.

import { afterAll, beforeAll } from "bun:test";
import { openHttp, WindowBrowser } from "./browser.ts";
import { actionsSuite } from "./actions.suite.ts";
import { otherActsSuite } from "./other-acts.suite.ts";
import { DemoHome } from "./demo-home.ts";
import { pagesSuite } from "./pages.suite.ts";
import { plant, type Planted } from "./plant.ts";

let home: DemoHome;
let browser: WindowBrowser;
let planted: Planted;

beforeAll(async () => {
  [home, browser] = await Promise.all([DemoHome.play(), WindowBrowser.open()]);
  await openHttp(home);
  planted = await plant(home);
}, 240_000);
afterAll(async () => {
  await browser.close();
  await home[Symbol.asyncDispose]();
}, 60_000);

const at = { home: () => home, browser: () => browser, planted: () => planted };
pagesSuite(at);
actionsSuite(at);
otherActsSuite(at);
