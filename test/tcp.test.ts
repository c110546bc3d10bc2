// The loopback TCP surface: off until asked for, and then closed to web pages, rebinding names, strangers and floods.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { TestHome } from "./kit/home.ts";

describe("the TCP surface", () => {
  const at = new TestHome();
  let address = "";
  let token = "";

  beforeAll(async () => {
    await at.constel(["config", "set", "http.enabled", "true"]);
    await at.constel(["config", "set", "http.max_body_bytes", "100000"]);
    await at.constel(["daemon", "start"]);
    address = (await at.json<{ http: string }>(["daemon", "status"])).http;
    ({ token } = await at.json<{ token: string }>(["token", "create", "test", "--role", "owner"]));
  });
  afterAll(() => at[Symbol.asyncDispose]());

  const ask = (headers: Record<string, string>, body = '{"limit":1}') =>
    fetch(`${address}/op/timeline.list`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  const codeOf = async (response: Response): Promise<string> =>
    ((await response.json()) as { error: { code: string } }).error.code;

  test("answers who has the token, from this machine", async () => {
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await ask({});
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ events: [{ seq: expect.any(Number) }] });
  });

  test("where outside agents are not served, nothing is at their door", async () => {
    const answer = await fetch(`${address}/a2a/rpc`, { method: "POST", headers: { authorization: `Bearer ${token}` } });
    expect(await codeOf(answer)).toBe("a2a.off");
    expect((await fetch(`${address}/.well-known/agent-card.json`)).status).toBe(401);
  });

  test("refuses without the token, and with a wrong one", async () => {
    for (const authorization of ["", "Bearer ", `Bearer ${"x".repeat(token.length)}`, token]) {
      const response = await ask({ authorization });
      expect(response.status).toBe(401);
      expect(await codeOf(response)).toBe("http.unauthorised");
    }
  });

  test("refuses a name that was rebound to this machine", async () => {
    for (const host of [
      "evil.example",
      `evil.example:${new URL(address).port}`,
      "127.0.0.1",
      `127.0.0.1.evil.example:${new URL(address).port}`,
    ]) {
      const response = await ask({ host });
      expect(response.status).toBe(403);
      expect(await codeOf(response)).toBe("http.foreign-host");
    }
  });

  test("refuses a page of another origin, even with the token", async () => {
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://127.0.0.1:1" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const response = await ask(headers);
      expect(response.status).toBe(403);
      expect(await codeOf(response)).toBe("http.foreign-origin");
    }
    expect((await ask({ origin: address })).status).toBe(200);
  });

  test("refuses a body over the limit, said or unsaid", async () => {
    const large = await ask({}, `"${"x".repeat(150_000)}"`);
    expect([large.status, await codeOf(large)]).toEqual([413, "http.too-large"]);
    expect(await rawRequest(address, token, "content-length: 104857600\r\n", "{")).toContain(" 413 ");
    const chunk = "x".repeat(60_000);
    const chunked = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(3);
    expect(await rawRequest(address, token, "transfer-encoding: chunked\r\n", chunked)).toMatch(/ 413 |^$/);
  });

  test("bad input gets a clear error, never a 500", async () => {
    for (const body of ["", "[", '{"limit":"many"}', '{"limit":0}', "null"]) {
      const response = await ask({}, body);
      if (body === "") expect(response.status).toBe(200);
      else
        expect({ body, status: response.status, code: await codeOf(response) }).toEqual({
          body,
          status: 400,
          code: "input.invalid",
        });
    }
    const unknown = await fetch(`${address}/op/no.such`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    expect([unknown.status, await codeOf(unknown)]).toEqual([404, "operation.unknown"]);
    expect((await fetch(`${address}/op/timeline.list`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      400,
    );
    expect((await fetch(`${address}/events?after=-1`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      400,
    );
  });

  test("is off until it is asked for", async () => {
    await using quiet = new TestHome();
    await quiet.constel(["daemon", "start"]);
    expect((await quiet.json<{ http: string | null }>(["daemon", "status"])).http).toBeNull();
  });
});

test("a flood is answered with 429 and a time to wait", async () => {
  await using at = new TestHome();
  await at.constel(["config", "set", "http.enabled", "true"]);
  await at.constel(["config", "set", "http.requests_per_minute", "60"]);
  await at.constel(["daemon", "start"]);
  const { http } = await at.json<{ http: string }>(["daemon", "status"]);
  const { token } = await at.json<{ token: string }>(["token", "create", "flood", "--role", "owner"]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${http}/health`, { headers: { authorization: `Bearer ${token}` } })),
  );
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(7);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const one of refused) {
    expect(one.headers.get("retry-after")).toBe("1");
    expect(await one.json()).toMatchObject({ error: { code: "http.too-many" } });
  }
});

/** Sends a POST by hand and answers the first line of what comes back. */
function rawRequest(address: string, token: string, header: string, body: string): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /op/timeline.list HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\n${header}\r\n${body}`,
      );
    });
    let answer = "";
    const done = (): void => {
      socket.destroy();
      resolve(answer.split("\r\n")[0] ?? "");
    };
    socket.on("data", (data) => {
      answer += data.toString();
      if (answer.includes("\r\n")) done();
    });
    socket.on("close", done);
    socket.on("error", done);
  });
}
