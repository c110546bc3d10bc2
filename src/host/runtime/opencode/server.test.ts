// opencode that does not answer, answers half, or ends in the middle of a word: nothing is claimed of it that it did not say.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "../../../../test/kit/directory.ts";
import type { LiveSession, RuntimeMachine } from "../../../ports/runtime.ts";
import { systemClock } from "../../clock/system-clock.ts";
import { systemProcesses } from "../../process/run.ts";
import { secretFile } from "./launch.ts";
import { opencode } from "./opencode.ts";

const machine: RuntimeMachine = { processes: systemProcesses, clock: systemClock, env: {} };
const whole = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
const half = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n${body}`;
const wrong = "HTTP/1.1 500 Oops\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/** The server's answers by path; after each it hangs up. An empty answer is none. */
let answers: Record<string, string> = {};
let server: Server;
let session: LiveSession;
const directory = temporaryDirectory("opencode");
afterAll(() => directory[Symbol.dispose]());

beforeAll(async () => {
  server = createServer((socket: Socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes) => {
      const path = / (\S+) /.exec(bytes.toString("latin1"))?.[1] ?? "";
      socket.end(answers[path] ?? wrong);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const launch = { agent: "agent1", home: directory.path, cwd: "/w", port, resume: "ses_1" } as LiveSession["launch"];
  const file = join(directory.path, secretFile(launch));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "secret\n");
  session = { launch, sinceMs: 0, pid: process.pid };
});
afterAll(() => server.close());

const good = {
  "/session": whole("[]"),
  "/session/ses_1/message": whole("[]"),
  "/permission": whole("[]"),
  "/question": whole("[]"),
  "/session/status": whole("{}"),
};

test("it is idle only when it says so in every answer; half an answer, a failure and none say nothing", async () => {
  answers = good;
  expect((await opencode.observe(session, machine)).own?.state).toBe("idle");
  for (const path of Object.keys(good))
    for (const answer of ["", wrong, half("["), half("{}"), whole("{")]) {
      answers = { ...good, [path]: answer };
      expect([path, answer, (await opencode.observe(session, machine)).own]).toEqual([path, answer, undefined]);
    }
});

test("a message that it may have got is not called unsent, so that nobody sends it twice; one that it refused is", async () => {
  const inject = async () => {
    const message = { id: "msg_1", text: "hello", asUser: "must" as const, proofMs: 0 };
    return opencode.inject(session, message, machine);
  };
  answers = { ...good, "/session/ses_1/prompt_async": "" };
  expect(await inject()).toMatchObject({ state: "unknown", sent: true });
  answers = { ...good, "/session/ses_1/prompt_async": whole("") };
  expect(await inject()).toMatchObject({ state: "unknown", sent: true });
  answers = { ...good, "/session/ses_1/prompt_async": wrong };
  expect(await inject()).toMatchObject({ state: "unknown", sent: false });
});
