import { expect, test } from "bun:test";
import { FakeClock } from "../ports/fake-clock.ts";
import { owner } from "../protocol/authority.ts";
import { guardTcp } from "./guard-tcp.ts";

function guarded() {
  const clock = new FakeClock();
  const fetch = guardTcp(async () => new Response("well"), {
    port: () => 80,
    holderOf: async (token) => (token === "the-secret" ? owner : undefined),
    maxBodyBytes: 10,
    requestsPerMinute: 60,
    clock,
  });
  const ask = async (authorization: string): Promise<number> =>
    (await fetch(new Request("http://127.0.0.1:80/x", { headers: { host: "127.0.0.1:80", authorization } }))).status;
  return { ask, clock };
}

test("a stranger who floods is told to wait, and the owner is answered all the same", async () => {
  const { ask } = guarded();
  const statuses = [];
  for (let times = 0; times < 20; times++) statuses.push(await ask("Bearer a-guess-of-it"));
  expect(statuses[0]).toBe(401);
  expect(statuses.at(-1)).toBe(429);
  expect(await ask("Bearer the-secret")).toBe(200);
});

test("the owner's allowance comes back with time, and a clock that jumps back takes nothing away", async () => {
  const { ask, clock } = guarded();
  while ((await ask("Bearer the-secret")) === 200);
  expect(await ask("Bearer the-secret")).toBe(429);
  clock.jumpTo(0);
  expect(await ask("Bearer the-secret")).toBe(429);
  clock.advance(1_000);
  expect(await ask("Bearer the-secret")).toBe(200);
});
