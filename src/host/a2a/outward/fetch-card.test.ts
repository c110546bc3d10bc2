// Another agent's card, from a real server: judged by pinned keys alone, and read in bounds, whatever the server does.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateAgentCardSignature, verifyAgentCardSignature } from "@a2a-js/sdk";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rejection } from "../../../../test/kit/rejection.ts";
import { FakeClock } from "../../../ports/fake-clock.ts";
import { cardOf } from "../../../protocol/a2a-card.ts";
import { cardKeys } from "../card-keys.ts";
import { type CardKey, publicJwk, signPayload } from "../jws.ts";
import { signCard, signersOf } from "../signed-card.ts";
import { askAddress, readAddress } from "./ask-address.ts";
import { cardAddress } from "./card-address.ts";
import { keyOfWord, keysFrom, keyWord } from "./card-key.ts";
import { fetchCard } from "./fetch-card.ts";

const directory = mkdtempSync(join(tmpdir(), "constel-cards-"));
const asked: string[] = [];
let server: Server;
let origin = "";
let answer: (response: ServerResponse) => void = () => {};
let keys: CardKey[] = [];

beforeAll(async () => {
  keys = cardKeys(directory, new FakeClock());
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

const skills = [{ id: "task", name: "Work", description: "It is done.", tags: ["code"] }];
const card = () => cardOf({ constellation: "constel0", address: origin, version: "1.0.0", skills });
const serve = (body: unknown, status = 200, headers: Record<string, string> = {}): void => {
  answer = (response) =>
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
};
const jwks = () => keys.map(({ key }) => publicJwk(key));
const rules = () => ({ named: [origin], allowed: [] });
const codeOf = async (work: Promise<unknown>): Promise<string> => ((await rejection(work)) as { code: string }).code;

describe("a card is genuine by a pinned key alone", () => {
  test("each of its signatures is seen; a changed card has none", async () => {
    serve(signCard(card(), keys));
    const theirs = await fetchCard(origin, jwks(), rules());
    expect(theirs.signedBy).toEqual(keys.map(({ id }) => id));
    expect(asked.at(-1)).toBe("/.well-known/agent-card.json");
    serve({ ...signCard(card(), keys), name: "another" });
    expect((await fetchCard(origin, jwks(), rules())).signedBy).toEqual([]);
  });

  test("a key that the card or a header of its signature names is neither believed nor fetched", async () => {
    const { privateKey: own } = generateKeyPairSync("ed25519");
    const jwk = publicJwk(own);
    const head = { alg: "EdDSA", typ: "JOSE", kid: "mine", jku: `${origin}/keys.json`, jwk, x5u: `${origin}/x5u` };
    const forger = { id: "mine", algorithm: "EdDSA" as const, key: own };
    const made = signPayload(forger, Buffer.from(JSON.stringify(card())));
    const named = { protected: Buffer.from(JSON.stringify(head)).toString("base64url"), signature: made.signature };
    serve({ ...signCard(card(), [forger]), jwks: { keys: [jwk] }, jku: `${origin}/keys.json` });
    const before = asked.length;
    expect((await fetchCard(origin, jwks(), rules())).signedBy).toEqual([]);
    serve({ ...card(), signatures: [{ ...named, header: { jku: `${origin}/keys.json`, jwk } }] });
    expect((await fetchCard(origin, jwks(), rules())).signedBy).toEqual([]);
    expect(asked.slice(before)).toEqual(["/.well-known/agent-card.json", "/.well-known/agent-card.json"]);
  });

  test("no algorithm is taken from a header", () => {
    const none = { protected: Buffer.from('{"alg":"none"}').toString("base64url"), signature: "" };
    const hmac = { protected: Buffer.from('{"alg":"HS256"}').toString("base64url"), signature: "AAAA" };
    const critical = { protected: Buffer.from('{"alg":"EdDSA","crit":["x"]}').toString("base64url"), signature: "AA" };
    expect(signersOf({ ...card(), signatures: [none, hmac, critical] }, jwks())).toEqual([]);
  });
});

describe("the canonical forms agree", () => {
  test("the official SDK takes our signatures, both of them", async () => {
    const signed = signCard(card(), keys);
    for (const [at, { key }] of keys.entries()) {
      const one = { ...signed, signatures: [(signed["signatures"] as unknown[])[at]] };
      const jwk = publicJwk(key) as never;
      // The SDK reads the card as it is served; one that it has read already it canonicalises without its security schemes.
      const verify = verifyAgentCardSignature(() => Promise.resolve(jwk));
      await verify(one as never);
      await rejection(verify({ ...one, name: "another" } as never));
    }
  });

  test("we take the SDK's, with empty values, false and defaults in the card that is served", async () => {
    for (const { key, algorithm, id } of keys) {
      const head = { alg: algorithm, kid: id, typ: "JOSE" };
      const own = { ...card(), documentationUrl: "", provider: {}, capabilities: { streaming: false } };
      const served: Record<string, unknown> = (await generateAgentCardSignature(
        key as never,
        head,
      )(own as never)) as never;
      expect(signersOf({ ...served, iconUrl: "" }, jwks())).toEqual([id]);
      expect(signersOf({ ...served, iconUrl: "https://evil.example" }, jwks())).toEqual([]);
      // What the specification signs: without any default.
      const spec = { ...card(), signatures: signCard(card(), keys)["signatures"] };
      expect(signersOf({ ...spec, iconUrl: "", provider: {}, extra: false }, jwks())).toHaveLength(2);
    }
  });
});

test("what is no card is refused, in bounds", async () => {
  serve("<html>");
  expect(await codeOf(fetchCard(origin, [], rules()))).toBe("a2a.their-answer");
  serve({ skills: 7 });
  expect(await codeOf(fetchCard(origin, [], rules()))).toBe("a2a.their-answer");
  serve("no", 404);
  expect(await codeOf(fetchCard(origin, [], rules()))).toBe("a2a.their-answer");
  serve(signCard(card(), keys), 302, { location: `${origin}/elsewhere` });
  const before = asked.length;
  expect(await codeOf(fetchCard(origin, [], rules()))).toBe("a2a.their-answer");
  expect(asked).toHaveLength(before + 1);
  serve({ ...card(), name: "x".repeat(2_000_000) });
  expect(String(await rejection(fetchCard(origin, [], rules())))).toContain("more than 1048576 bytes");
  // One that never ends is given up.
  answer = (response) => void response.writeHead(200).write("{");
  const slow = askAddress(origin, { method: "GET", mostBytes: 100, deadlineMs: 300 }, rules());
  expect(String(await rejection(slow))).toContain(origin.slice("http://".length));
});

test("only what the owner named may be within reach of this machine alone", async () => {
  serve("hello");
  const get = { method: "GET" as const, mostBytes: 100 };
  const strange = { named: [], allowed: [] };
  const before = asked.length;
  for (const address of [
    origin,
    origin.replace("http:", "https:"),
    "https://localhost/",
    "https://169.254.169.254/latest",
    "https://[::1]/",
    "https://me:secret@example.org/",
    "https://example.org/\r\nX-Evil: 1",
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
  ])
    expect({ address, code: await codeOf(askAddress(address, get, strange)) }).toEqual({
      address,
      code: "a2a.address",
    });
  // A name that leads inside, and one of whose addresses does.
  for (const inside of [["127.0.0.1"], ["93.184.215.14", "10.0.0.1"]])
    expect(
      await codeOf(askAddress("https://rebinding.example", get, { ...strange, look: () => Promise.resolve(inside) })),
    ).toBe("a2a.address");
  // In clear nothing goes over the internet, whoever named it.
  const named = { named: ["http://agents.example"], allowed: [], look: () => Promise.resolve(["93.184.215.14"]) };
  expect(await codeOf(askAddress("http://agents.example", get, named))).toBe("a2a.address");
  expect(asked).toHaveLength(before);
  expect((await askAddress(origin, get, rules())).text).toBe("hello");
});

test("the address that was looked up is connected to, whatever the name means a moment later", async () => {
  serve("hello");
  const { port } = new URL(origin);
  let looked = 0;
  const look = (): Promise<string[]> => Promise.resolve(looked++ === 0 ? ["127.0.0.1"] : ["192.0.2.1"]);
  const name = `http://changing.example:${port}`;
  const said = await askAddress(name, { method: "GET", mostBytes: 100 }, { named: [name], allowed: [], look });
  expect([said.text, looked]).toEqual(["hello", 1]);
});

test("a card is at the well-known place below the address, or where a file of JSON is named", () => {
  const check = (given: string, expected: string): void => expect(cardAddress(readAddress(given))).toBe(expected);
  check("https://a.example", "https://a.example/.well-known/agent-card.json");
  check("https://a.example/one/?x#y", "https://a.example/one/.well-known/agent-card.json");
  check("https://a.example/my/card.json?v=2", "https://a.example/my/card.json?v=2");
});

test("a key is a word, or a file with a JWK, a set of them, or PEM", () => {
  const [ed, ec] = jwks() as [Record<string, string>, Record<string, string>];
  for (const jwk of [ed, ec]) expect(keyOfWord(keyWord(jwk))).toEqual(jwk);
  const path = join(directory, "given");
  const fromFile = (text: string) => (writeFileSync(path, text), keysFrom(path));
  expect(fromFile(JSON.stringify(ec))).toEqual([ec]);
  expect(fromFile(JSON.stringify({ keys: [ed, { kty: "oct", k: "x" }, ec, null] }))).toEqual([ed, ec]);
  const pem = keys.map(({ key }) => createPublicKey(key).export({ type: "spki", format: "pem" }));
  expect(fromFile(pem.join("\n"))).toEqual([ed, ec]);
  for (const bad of ["EdDSA:short", `ES256:${"A".repeat(43)}.${"A".repeat(43)}`, join(directory, "none"), directory])
    expect(() => keysFrom(bad)).toThrow();
  for (const text of ["{}", "no", '{"kty":"OKP","crv":"Ed25519","x":7}']) expect(() => fromFile(text)).toThrow();
});
