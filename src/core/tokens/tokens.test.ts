import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { systemRandom } from "../../host/clock/system-clock.ts";
import { createToken, holderOf, listTokens, revokeToken } from "./tokens.ts";
import { rejection } from "../../../test/kit/rejection.ts";

const here = withStore(sqliteScene);
const clock = new FakeClock();
const context = () => ({ store: here.store, clock, random: systemRandom, constellation: "constel0", actor: "owner" });
const wish = { name: "wall", role: "observer", scope: [], expires_ms: null } as const;

test("a token says who holds it, is nowhere in the database, and ends when it is revoked", async () => {
  const { id, token } = await createToken(context(), { ...wish, scope: [] });
  expect(await holderOf(context(), token)).toEqual({ role: "observer", name: "observer:wall", known: "token" });
  expect(await holderOf(context(), `${token}x`)).toBeUndefined();
  const rows = [
    ...(await here.scene.raw("select * from tokens")),
    ...(await here.scene.raw("select data from events")),
  ];
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(JSON.stringify(await listTokens(context()))).not.toContain(token);
  await revokeToken(context(), { id });
  expect(await holderOf(context(), token)).toBeUndefined();
  expect(await rejection(revokeToken(context(), { id: "other" }))).toMatchObject({ code: "token.unknown" });
});

test("a token is over at its end, and covers its scope alone", async () => {
  const expires_ms = clock.nowMs() + 1000;
  const { token } = await createToken(context(), { name: "ann", role: "human", scope: ["task.*"], expires_ms });
  expect(await holderOf(context(), token)).toEqual({
    role: "human",
    name: "human:ann",
    scope: ["task.*"],
    known: "token",
  });
  clock.advance(1000);
  expect(await holderOf(context(), token)).toBeUndefined();
});

test("the list says when a token was last used, to the minute, and a wrong one leaves nothing", async () => {
  const { token } = await createToken(context(), { ...wish, scope: [] });
  const used = async () => (await listTokens(context())).tokens.map(({ used_ms }) => used_ms);
  await holderOf(context(), `${token}x`);
  expect(await used()).toEqual([null]);
  const first = clock.nowMs();
  await holderOf(context(), token);
  clock.advance(59_000);
  await holderOf(context(), token);
  expect(await used()).toEqual([first]);
  clock.advance(1_000);
  expect(await holderOf(context(), token)).toBeDefined();
  expect(await used()).toEqual([first + 60_000]);
});

test("the owner's token is the owner", async () => {
  const { token } = await createToken(context(), { ...wish, role: "owner", scope: [] });
  expect(await holderOf(context(), token)).toEqual({ role: "owner", name: "owner", known: "token" });
});
