import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../../test/kit/databases.ts";
import { holderOf, listTokens } from "../../../core/tokens/tokens.ts";
import { systemRandom } from "../../../host/clock/system-clock.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { openDashboard } from "./open-dashboard.ts";
import { WindowSessions } from "./sessions.ts";

const here = withStore(sqliteScene);
const context = () => ({
  store: here.store,
  clock: here.clock,
  random: systemRandom,
  constellation: "constel0",
  actor: "browser",
});
const sessions = () => new WindowSessions({ clock: here.clock, random: systemRandom });

/** The code of the refusal, or `opened`. */
async function tried(open: () => Promise<unknown>): Promise<string> {
  try {
    await open();
    return "opened";
  } catch (cause) {
    return cause instanceof Refusal ? cause.code : String(cause);
  }
}

const codeIn = (fragment: string): string => fragment.replace("code=", "");

test("a code opens one session, within two minutes", async () => {
  const all = sessions();
  const open = (code: string) => tried(() => all.open(context(), code));
  const { fragment } = all.makeCode("owner");
  expect([await open(codeIn(fragment)), await open(codeIn(fragment))]).toEqual(["opened", "http.no-code"]);
  const late = all.makeCode("owner");
  here.clock.advance(120_000);
  expect(await open(codeIn(late.fragment))).toBe("http.no-code");
  expect(await open("a-code-that-nobody-made-at-all")).toBe("http.no-code");
  const forgotten = all.makeCode("owner");
  for (let more = 0; more < 20; more++) all.makeCode("owner");
  expect(await open(codeIn(forgotten.fragment))).toBe("http.no-code");
  // A daemon that began anew knows no code.
  expect(await tried(() => sessions().open(context(), codeIn(all.makeCode("owner").fragment)))).toBe("http.no-code");
});

test("what it opens is a token with the role of the link, listed as a browser session, that ends by itself", async () => {
  const all = sessions();
  const { token, expires_ms } = await all.open(context(), codeIn(all.makeCode("observer").fragment));
  expect(await holderOf(context(), token)).toMatchObject({ role: "observer", known: "browser session" });
  const { tokens } = await listTokens(context());
  expect(tokens).toMatchObject([{ kind: "browser", role: "observer", expires_ms }]);
  here.clock.advance(expires_ms - here.clock.nowMs());
  expect(await holderOf(context(), token)).toBeUndefined();
});

test("where nothing listens, there is no link", async () => {
  const opening = { sessions: sessions(), address: () => null };
  expect(await tried(() => openDashboard(opening, "owner"))).toBe("http.off");
  const open = await openDashboard({ ...opening, address: () => "http://127.0.0.1:7433" }, "owner");
  expect(open.url).toMatch(/^http:\/\/127\.0\.0\.1:7433\/#code=[\w-]{32}$/);
});
