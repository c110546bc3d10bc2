// What is sent to an address, and to which: a name that changes, a redirect, and what is not public are led nowhere.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../ports/fake-clock.ts";
import { cardKeys } from "./card-keys.ts";
import { publicJwk, verifyPayload } from "./jws.ts";
import { isPublic } from "./push-address.ts";
import { makePushSender } from "./push-sender.ts";

const home = mkdtempSync(join(tmpdir(), "constel-push-"));
const taken: { headers: IncomingHttpHeaders; body: string }[] = [];
let server: Server;
let port = 0;
let status = 200;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      taken.push({ headers: request.headers, body });
      response.writeHead(status, status === 302 ? { location: `http://127.0.0.1:${port}/elsewhere` } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.close();
  rmSync(home, { recursive: true, force: true });
});

const push = (url: string) => ({ url, token: "mine", scheme: "Bearer", credentials: "word" });
const sender = (allowed: string[], look?: (host: string) => Promise<string[]>) =>
  makePushSender({ home, clock: new FakeClock(), allowed, ...(look === undefined ? {} : { look }) });

test("an allowed host is told, with the token that was asked for, and signed", async () => {
  const body = '{"statusUpdate":{}}';
  expect(await sender([`127.0.0.1:${port}`]).send(push(`http://127.0.0.1:${port}/hook`), body)).toEqual({
    kind: "taken",
  });
  const [one] = taken;
  expect(one?.body).toBe(body);
  expect(one?.headers).toMatchObject({
    "x-a2a-notification-token": "mine",
    authorization: "Bearer word",
    "a2a-version": "1.0",
  });
  const [head = "", , signature = ""] = String(one?.headers["x-constel-signature"]).split(".");
  const keys = cardKeys(home, new FakeClock()).map(({ key }) => publicJwk(key));
  expect(verifyPayload({ protected: head, signature }, Buffer.from(body), keys)).toBeString();
  expect(verifyPayload({ protected: head, signature }, Buffer.from(`${body} `), keys)).toBeUndefined();
});

test("a redirect is followed nowhere", async () => {
  const before = taken.length;
  status = 302;
  expect(await sender([`127.0.0.1:${port}`]).send(push(`http://127.0.0.1:${port}/hook`), "{}")).toMatchObject({
    kind: "refused",
  });
  expect(taken).toHaveLength(before + 1);
  status = 503;
  expect(await sender([`127.0.0.1:${port}`]).send(push(`http://127.0.0.1:${port}/hook`), "{}")).toMatchObject({
    kind: "away",
  });
  status = 200;
});

test("a name is looked up once for each send; where any of its addresses is not public, nothing is sent", async () => {
  let asked = 0;
  const changing = async (): Promise<string[]> => (asked++ === 0 ? ["93.184.215.14", "127.0.0.1"] : ["127.0.0.1"]);
  const before = taken.length;
  for (let n = 1; n <= 3; n++) {
    expect(await sender([], changing).send(push(`https://rebinding.example:${port}/`), "{}")).toMatchObject({
      kind: "refused",
      why: expect.stringContaining("not a public address"),
    });
    expect(asked).toBe(n);
  }
  expect(taken).toHaveLength(before);
});

test("only addresses of the internet at large are public", () => {
  for (const address of ["8.8.8.8", "2606:4700::1111"]) expect(isPublic(address)).toBe(true);
  for (const address of "127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 ::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: ff02::1 nothing".split(
    " ",
  ))
    expect({ address, isPublic: isPublic(address) }).toEqual({ address, isPublic: false });
});
