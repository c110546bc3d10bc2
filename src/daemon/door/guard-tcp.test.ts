import { expect, test } from "bun:test";
import { FakeClock } from "../../ports/fake-clock.ts";
import { owner } from "../../protocol/authority.ts";
import { guardTcp, loopbackAddresses } from "./guard-tcp.ts";

function guarded() {
  const clock = new FakeClock();
  const fetch = guardTcp(async () => new Response("well"), {
    addresses: loopbackAddresses(() => 80),
    holderOf: async (token) => (token === "the-secret" ? owner : undefined),
    maxBodyBytes: 10,
    requestsPerMinute: 60,
    clock,
  });
  const ask = async (authorization: string): Promise<number> =>
    (await fetch(new Request("http://127.0.0.1:80/x", { headers: { host: "127.0.0.1:80", authorization } }))).status;
  const send = async (headers: Record<string, string>, body?: ReadableStream): Promise<Response> =>
    fetch(
      new Request("http://127.0.0.1:80/x", {
        method: "POST",
        headers: { host: "127.0.0.1:80", authorization: "Bearer the-secret", ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    );
  return { ask, clock, send };
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

test("the allowance comes back evenly: a tenth of the time gives a tenth, however long the daemon has run", async () => {
  const { ask, clock } = guarded();
  clock.advance(3_600_000);
  while ((await ask("Bearer the-secret")) === 200);
  clock.advance(900);
  expect(await ask("Bearer the-secret")).toBe(429);
  clock.advance(200);
  expect([await ask("Bearer the-secret"), await ask("Bearer the-secret")]).toEqual([200, 429]);
});

test("what a browser sends for another site's page is refused, whether or not it names the page", async () => {
  const { send } = guarded();
  const own = "http://127.0.0.1:80";
  const sent: [headers: Record<string, string>, status: number][] = [
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "same-site" }, 403],
    [{ "sec-fetch-site": "cross-site", origin: own }, 403],
    [{ "sec-fetch-site": "same-site", origin: own }, 403],
    [{ "sec-fetch-site": "same-origin", origin: own }, 200],
    [{ origin: "http://localhost:81" }, 403],
  ];
  for (const [headers, status] of sent) expect([headers, (await send(headers)).status]).toEqual([headers, status]);
});

test("a body that says it is too large is refused unread, and one that says nothing is read up to the limit", async () => {
  const { send } = guarded();
  let read = 0;
  const endless = (): ReadableStream =>
    new ReadableStream({
      pull(controller) {
        read += 1;
        controller.enqueue(new Uint8Array(4));
      },
    });
  expect((await send({ "content-length": "11" }, endless())).status).toBe(413);
  const before = read;
  expect((await send({}, endless())).status).toBe(413);
  expect([before <= 1, read <= before + 5]).toEqual([true, true]);
});
