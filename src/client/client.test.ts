// Tests what a caller does when the daemon goes away, comes back as another, answers late, or says nothing. Anyone who answers here is
// believed: host/keys/daemon-proof.test.ts tests who the daemon is.

import { afterEach, describe, expect, test } from "bun:test";
import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";
import { Outage, Refusal } from "../protocol/errors.ts";
import { actorHeader, passHeader, slowHeader, toWire } from "../protocol/wire.ts";
import { followEvents } from "./follow-events.ts";
import { isOutOfReach, isSilent, NoDaemon, outageAt } from "./no-daemon.ts";
import { socketCaller } from "./socket.ts";
import { rejection, throwing } from "../../test/kit/rejection.ts";

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A place where a daemon may listen. Each that does gives out passes of its own. */
function place() {
  const directory = temporaryDirectory("client");
  endings.push(() => directory[Symbol.dispose]());
  const unix = join(directory.path, "daemon.sock");
  const admitted: string[] = [];
  const listen = (pass: string, answer: (request: Request) => Response | Promise<Response>) => {
    let file = "";
    const who = Bun.listen({
      unix: join(directory.path, "who.sock"),
      socket: {
        data(caller) {
          admitted.push(pass);
          caller.write(`${pass} ${file} proof\n`);
        },
      },
    });
    const stranger = (): Response =>
      Response.json(toWire(new Refusal("identity.no-pass", "who are you?")), { status: 403 });
    const requests = Bun.serve({
      unix,
      fetch: (request) => (request.headers.get(passHeader) === pass ? answer(request) : stranger()),
    });
    const { dev, ino } = statSync(unix);
    file = `${dev}:${ino}`;
    let isOpen = true;
    const end = async (): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      who.stop(true);
      await requests.stop(true);
    };
    endings.push(end);
    return end;
  };
  return { unix, admitted, listen, path: directory.path };
}

const receipt = { seq: 1, id: "evt_1" };
const announce = (caller: ReturnType<typeof socketCaller>): Promise<unknown> =>
  caller.call("timeline.announce", { text: "hello" });

describe("a caller", () => {
  test("is let in once, and says who asks and what it was given with every request", async () => {
    const { unix, admitted, listen } = place();
    const heard: (string | null)[][] = [];
    listen("pass-1", (request) => {
      heard.push([passHeader, actorHeader].map((name) => request.headers.get(name)));
      return Response.json(receipt);
    });
    const caller = socketCaller(unix, "агент0");
    await announce(caller);
    await announce(caller);
    expect(admitted).toEqual(["pass-1"]);
    const said = ["pass-1", `${encodeURIComponent("агент")}0`];
    expect(heard).toEqual([said, said]);
  });

  test("asks to be let in anew by a daemon that does not know it, once", async () => {
    const { unix, admitted, listen } = place();
    let asked = 0;
    listen("pass-1", () => {
      asked += 1;
      return Response.json(toWire(new Refusal("identity.no-pass", "who are you?")), { status: 403 });
    });
    expect(await rejection(announce(socketCaller(unix, "owner")))).toMatchObject({ code: "identity.no-pass" });
    expect({ asked, admitted }).toEqual({ asked: 2, admitted: ["pass-1", "pass-1"] });
  });

  test("asks nothing twice that was refused, or that reached a daemon which then failed: it may be done already", async () => {
    const answers: Readonly<Record<string, () => Response>> = {
      "authority.clone": () => Response.json(toWire(new Refusal("authority.clone", "no")), { status: 403 }),
      "no JSON": () => new Response('{"seq"'),
    };
    for (const [word, answer] of Object.entries(answers)) {
      const { unix, listen } = place();
      let asked = 0;
      listen("pass-1", () => ((asked += 1) === 1 ? Response.json(receipt) : answer()));
      const caller = socketCaller(unix, "owner");
      await announce(caller);
      const failed: unknown = await announce(caller).catch((cause: unknown) => cause);
      expect(failed instanceof Refusal ? failed.code : String(failed)).toContain(word);
      expect(asked).toBe(2);
    }
  });

  test("goes on with the next daemon when the one it knew is gone, and says so when there is none", async () => {
    const { unix, admitted, listen } = place();
    const end = listen("pass-1", () => Response.json(receipt));
    const proof = { nonce: () => "n", prepare() {}, whyKept: async () => undefined, judge: async () => ({ pid: 1 }) };
    const caller = socketCaller(unix, "owner", { proof });
    await announce(caller);
    await end();
    expect(await rejection(announce(caller))).toBeInstanceOf(NoDaemon);
    listen("pass-2", () => Response.json(receipt));
    await announce(caller);
    expect(admitted).toEqual(["pass-1", "pass-2"]);
  });

  test("is told of a failure in an answer that had begun before it was known; an early answer may hold that word", async () => {
    const { unix, listen } = place();
    let headers: Record<string, string> = { [slowHeader]: "1" };
    listen("pass-1", () => Response.json(toWire(new Refusal("task.unknown", "no")), { headers }));
    expect(await rejection(announce(socketCaller(unix, "owner")))).toMatchObject({ code: "task.unknown" });
    headers = {};
    expect(await announce(socketCaller(unix, "owner"))).toHaveProperty("error");
  });

  test("waits for as long as a slow answer shows life, and no longer than it may be silent", async () => {
    const { unix, listen } = place();
    const beats = [..."     "];
    const alive = (): Response => {
      const body = new ReadableStream({
        async pull(stream) {
          await Bun.sleep(60);
          const beat = beats.shift();
          stream.enqueue(new TextEncoder().encode(beat ?? JSON.stringify(receipt)));
          if (beat === undefined) stream.close();
        },
      });
      return new Response(body, { headers: { [slowHeader]: "1" } });
    };
    const end = listen("pass-1", alive);
    expect(await announce(socketCaller(unix, "owner", { silenceMs: 200 }))).toEqual(receipt);
    await end();
    listen("pass-2", () => new Promise<Response>(() => {}));
    expect(await throwing(announce(socketCaller(unix, "owner", { silenceMs: 50 })))).toThrow("said nothing for 50 ms");
  });

  test("takes what is no JSON for the machine's failure", async () => {
    const { unix, listen } = place();
    listen("pass-1", () => new Response("<html>", { status: 502 }));
    expect(await throwing(announce(socketCaller(unix, "owner")))).toThrow("it answered 502 and no JSON");
  });

  test("asks nothing of a daemon that whoever calls does not want to meet", async () => {
    const { unix, listen } = place();
    let asked = 0;
    listen("pass-1", () => {
      asked++;
      return Response.json(receipt);
    });
    const met: unknown[] = [];
    const meet = (daemon: unknown): void => {
      met.push(daemon);
      throw new Refusal("daemon.other-build", "another one");
    };
    expect(await throwing(announce(socketCaller(unix, "owner", { meet })))).toThrow("another one");
    expect([asked, met]).toEqual([0, [{ build: undefined, installation: undefined, pid: undefined }]]);
  });

  test("reaches a socket whose path is longer than the kernel takes", async () => {
    const { listen, path, unix } = place();
    listen("pass-1", () => Response.json(receipt));
    const deep = join(path, "d".repeat(110));
    Bun.spawnSync(["mkdir", deep]);
    for (const name of ["who.sock", "daemon.sock"]) renameSync(join(path, name), join(deep, name));
    expect(unix.length).toBeLessThan(deep.length);
    expect(await announce(socketCaller(join(deep, "daemon.sock"), "owner"))).toEqual(receipt);
  });
});

describe("a follower", () => {
  const event = (seq: number): string => `id: ${seq}\ndata: ${JSON.stringify({ seq })}\n\n`;

  test("goes on after the last event it saw when the connection breaks, and is let in anew", async () => {
    const { unix, admitted, listen } = place();
    const asked: string[] = [];
    // The place alone, an event in two pieces, and half an event that the end cuts off.
    const answers = [["id: 4\n\n", "id: 5\nda", 'ta: {"seq":5}\n\n', "id: 6\nda"], [event(6)], [event(7)]];
    listen("pass-1", (request) => {
      asked.push(new URL(request.url).search);
      const pieces = answers.shift() ?? [];
      return new Response(
        new ReadableStream({
          start(stream) {
            for (const piece of pieces) stream.enqueue(new TextEncoder().encode(piece));
            stream.close();
          },
        }),
      );
    });
    const seen: number[] = [];
    const enough = new AbortController();
    for await (const { seq } of followEvents(unix, undefined, enough.signal)) {
      seen.push(seq);
      if (seq === 7) enough.abort();
    }
    expect({ seen, asked, admissions: admitted.length }).toEqual({
      seen: [5, 6, 7],
      asked: ["?after=now", "?after=5", "?after=6"],
      admissions: 3,
    });
  });

  test("fails at once where no daemon ever was, and where it is refused", async () => {
    const { unix, listen } = place();
    const first = (after: number) => followEvents(unix, after, new AbortController().signal).next();
    expect(await rejection(first(3))).toBeInstanceOf(NoDaemon);
    listen("pass-1", () => Response.json(toWire(new Refusal("authority.nobody", "no")), { status: 403 }));
    expect(await rejection(first(3))).toMatchObject({ code: "authority.nobody" });
  });
});

describe("what keeps a caller away", () => {
  const failing = (code: string): Error => Object.assign(new Error(code), { code });

  test("is told apart: nobody there, kept away by the kernel, or anything else", () => {
    for (const code of ["ECONNREFUSED", "ENOENT", "FailedToOpenSocket", "ConnectionRefused"]) {
      expect(outageAt("/s", failing(code))).toBeInstanceOf(NoDaemon);
      // Whatever Bun calls it, the kernel knows why.
      for (const why of ["EPERM", "EACCES"]) expect(isOutOfReach(outageAt("/s", failing(code), why))).toBe(true);
    }
    expect(isOutOfReach(outageAt("/s", failing("EACCES")))).toBe(true);
    const other = outageAt("/s", failing("EIO"));
    expect([other instanceof Outage, other instanceof NoDaemon, isOutOfReach(other)]).toEqual([true, false, false]);
    // Both may be over in a moment.
    for (const outage of [other, new NoDaemon("/s", "x")]) expect(outage).toMatchObject({ mayRetry: true });
  });

  test("is not told anew when it is known already", () => {
    for (const known of [new Refusal("daemon.silent", "x"), new NoDaemon("/s", "x")])
      expect(outageAt("/other", known, "EPERM")).toBe(known);
    expect(isSilent(new Refusal("daemon.silent", "x"))).toBe(true);
    for (const isKind of [isSilent, isOutOfReach]) {
      expect(isKind(new Refusal("daemon.impostor", "x"))).toBe(false);
      expect(isKind(Object.assign(new Error("x"), { code: "daemon.silent" }))).toBe(false);
    }
  });
});
