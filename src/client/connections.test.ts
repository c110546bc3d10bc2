// Requests over connections that are kept, from the caller's side: a real socket, and servers that say and do what a test asks for.

import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";
import { Outage } from "../protocol/errors.ts";
import { NoDaemon } from "./no-daemon.ts";
import { socketCaller } from "./socket.ts";
import { throwing } from "../../test/kit/rejection.ts";

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function place(): string {
  const directory = temporaryDirectory("connections");
  endings.push(() => directory[Symbol.dispose]());
  return join(directory.path, "daemon.sock");
}

const announce = (caller: ReturnType<typeof socketCaller>, text = "hello"): Promise<unknown> =>
  caller.call("timeline.announce", { text });

const receipt = JSON.stringify({ seq: 1, id: "evt_1" });
const whole = `HTTP/1.1 200 OK\r\nContent-Length: ${receipt.length}\r\n\r\n${receipt}`;

/** A server of plain sockets: `answer` is given each piece that comes, with how many connections there have been. */
function serve(unix: string, answer: (socket: Bun.Socket<undefined>, piece: string, connection: number) => void) {
  let connections = 0;
  const numbers = new Map<Bun.Socket<undefined>, number>();
  const server = Bun.listen<undefined>({
    unix,
    socket: {
      open: (socket) => void numbers.set(socket, ++connections),
      data: (socket, piece) => answer(socket, piece.toString("utf8"), numbers.get(socket) ?? 0),
    },
  });
  endings.push(() => server.stop(true));
  return { count: () => connections, stop: () => server.stop(true) };
}

describe("a caller's connections", () => {
  test("one is used again for the next request", async () => {
    const unix = place();
    const server = serve(unix, (socket) => void socket.write(whole));
    const caller = socketCaller(unix, "owner");
    for (let time = 0; time < 5; time++) await announce(caller);
    expect(server.count()).toBe(1);
  });

  test("one that the daemon closed meanwhile is not used: the request is asked once, over another", async () => {
    const unix = place();
    let asked = 0;
    const server = serve(unix, (socket, _, connection) => {
      asked += 1;
      if (connection === 1) socket.end(whole);
      else socket.write(whole);
    });
    const caller = socketCaller(unix, "owner");
    await announce(caller);
    await announce(caller);
    expect({ asked, connections: server.count() }).toEqual({ asked: 2, connections: 2 });
  });

  test("a request that was heard and not answered is not asked again: it may be done already", async () => {
    for (const beginning of ["", whole.slice(0, 30), whole.slice(0, -1)]) {
      const unix = place();
      let asked = 0;
      serve(unix, (socket) => {
        asked += 1;
        if (asked === 1) socket.write(whole);
        else socket.end(beginning);
      });
      const caller = socketCaller(unix, "owner");
      await announce(caller);
      const failed: unknown = await announce(caller).catch((cause: unknown) => cause);
      expect(failed).toBeInstanceOf(Outage);
      expect(failed).not.toBeInstanceOf(NoDaemon);
      expect(String(failed)).toContain("the connection ended before the answer");
      expect(asked).toBe(2);
    }
  });

  test("one over which something comes that nobody asked for is closed", async () => {
    const unix = place();
    const { promise: isClosed, resolve: close } = Promise.withResolvers<void>();
    let asked: Bun.Socket<undefined> | undefined;
    const server = Bun.listen<undefined>({
      unix,
      socket: {
        data: (socket) => {
          asked = socket;
          socket.write(whole);
        },
        close: () => close(),
      },
    });
    endings.push(() => server.stop(true));
    await announce(socketCaller(unix, "owner"));
    asked?.write(whole);
    await isClosed;
  });

  test("a long request is sent whole", async () => {
    const unix = place();
    const server = Bun.serve({
      unix,
      fetch: async (request) => Response.json({ length: (await request.text()).length }),
    });
    endings.push(() => server.stop(true));
    const text = "ü".repeat(3_000_000);
    expect(await announce(socketCaller(unix, "owner"), text)).toEqual({ length: JSON.stringify({ text }).length });
  });

  test("a thousand at once are answered, each with its own", async () => {
    const unix = place();
    const server = Bun.serve({ unix, fetch: async (request) => Response.json(await request.json()) });
    endings.push(() => server.stop(true));
    const caller = socketCaller(unix, "owner");
    const texts = Array.from({ length: 1000 }, (_, at) => `text ${at}`);
    const answers = await Promise.all(texts.map((text) => announce(caller, text)));
    expect(answers).toEqual(texts.map((text) => ({ text })));
  });

  test("who no longer waits has its connection closed, and the next request has its own answer", async () => {
    const unix = place();
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    const server = serve(unix, (socket, _, connection) => {
      ask();
      if (connection > 3) socket.write(whole);
    });
    const caller = socketCaller(unix, "owner");
    const leaving = new AbortController();
    const left = caller.call("timeline.announce", { text: "hello" }, { signal: leaving.signal });
    await isAsked;
    leaving.abort(new Error("called off"));
    expect(await throwing(left)).toThrow("called off");
    // Before there was a connection: over the next that there is, and over the first of a caller.
    for (const who of [caller, socketCaller(unix, "owner")]) {
      const early = new AbortController();
      const neverBegan = who.call("timeline.announce", { text: "x" }, { signal: early.signal });
      early.abort(new Error("changed my mind"));
      expect(await throwing(neverBegan)).toThrow("changed my mind");
    }
    expect(await throwing(caller.call("timeline.announce", { text: "x" }, { signal: leaving.signal }))).toThrow(
      "called off",
    );
    expect(await announce(caller)).toEqual(JSON.parse(receipt));
    expect(server.count()).toBe(4);
  });
});
