import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { beAdmitted } from "../../client/admission.ts";
import { Door } from "../../client/door.ts";
import { systemClock } from "../clock/system-clock.ts";
import { markingWords } from "../process/limit-mark.ts";
import { daemonProof, proveDaemon, wrongProcess, wrongProof } from "./daemon-proof.ts";
import { signingKey } from "./key-files.ts";
import { rejection } from "../../../test/kit/rejection.ts";

/** A listener at who.sock that answers as it is told to, and a file of a socket beside it. */
function place(answer: (asked: { nonce: string; door: string; home: string }) => string) {
  const directory = temporaryDirectory("daemon-proof");
  const home = directory.path;
  mkdirSync(join(home, "keys"), { recursive: true, mode: 0o700 });
  mkdirSync(join(home, "state"), { recursive: true, mode: 0o700 });
  signingKey(home, "constellation", systemClock);
  const requests = Bun.serve({ unix: join(home, "daemon.sock"), fetch: () => new Response("heard") });
  const { dev, ino } = statSync(join(home, "daemon.sock"));
  const who = Bun.listen({
    unix: join(home, "who.sock"),
    socket: {
      data(caller, bytes) {
        const nonce = bytes.toString().slice(1);
        caller.write(`${answer({ nonce, door: `${dev}:${ino}`, home })}\n`);
      },
    },
  });
  const admitted = () =>
    beAdmitted({ who: join(home, "who.sock"), door: join(home, "daemon.sock"), proof: daemonProof(home) });
  const end = async () => {
    who.stop(true);
    await requests.stop(true);
    directory[Symbol.dispose]();
  };
  return { home, admitted, end };
}

const proven = ({ nonce, door, home }: { nonce: string; door: string; home: string }, pass = "pass"): string =>
  `${pass} ${door} ${proveDaemon(home, { nonce, pass, door })}`;

describe("who listens at the daemon's socket", () => {
  const ends: (() => Promise<void>)[] = [];
  afterAll(() => Promise.all(ends.map((end) => end())));
  const at = (answer: Parameters<typeof place>[0]) => {
    const made = place(answer);
    ends.push(made.end);
    return made;
  };

  test("whoever holds the constellation's secret is let speak, and is connected to by the very file that it named", async () => {
    const { home, admitted } = at((asked) => proven(asked));
    const { pass, reach } = await admitted();
    expect(pass).toBe("pass");
    const asked = (): Promise<string> => reach(async (unix) => (await fetch("http://x/", { unix })).text());
    expect(await asked()).toBe("heard");
    // Another socket in its place is not spoken to, also when it is put there at the last moment.
    const away = (): void => renameSync(join(home, "daemon.sock"), join(home, "moved.sock"));
    const late = await reach(async (unix) => {
      away();
      const another = Bun.serve({ unix: join(home, "daemon.sock"), fetch: () => new Response("another") });
      const heard = await (await fetch("http://x/", { unix })).text();
      expect(await rejection(asked())).toMatchObject({ code: "daemon.impostor", facts: { daemon: process.pid } });
      await another.stop(true);
      return heard;
    });
    expect(late).toBe("heard");
    renameSync(join(home, "moved.sock"), join(home, "daemon.sock"));
    const open = (): number => readdirSync("/proc/self/fd").length;
    const before = process.platform === "linux" ? open() : 0;
    for (let times = 0; times < 20; times++) await asked();
    if (process.platform === "linux") expect(open() - before).toBeLessThan(10);
  });

  const others: Record<string, Parameters<typeof place>[0]> = {
    "with no proof, as before there was one": () => "pass",
    "with a proof of its own": ({ door }) => `pass ${door} ${"x".repeat(43)}`,
    "with a proof over another word": (asked) => proven({ ...asked, nonce: "earlier" }),
    "with a proof over another file": (asked) => proven({ ...asked, door: "1:1" }).replace("1:1", asked.door),
    "with a proof over another pass": (asked) => proven(asked, "earlier").replace("earlier", "pass"),
  };
  for (const [how, answer] of Object.entries(others))
    test(`who answers ${how} is not the daemon`, async () => {
      expect(await rejection(at(answer).admitted())).toMatchObject({
        code: "daemon.impostor",
        facts: { pid: process.pid, why: "it does not hold the key of this constellation" },
      });
    });

  test("a caller that goes on is let in anew when the daemon was started anew and has another socket", async () => {
    const fileNow = (home: string): string => {
      const { dev, ino } = statSync(join(home, "daemon.sock"));
      return `${dev}:${ino}`;
    };
    const { home } = at((asked) => proven({ ...asked, door: fileNow(asked.home) }));
    const door = new Door(join(home, "daemon.sock"), daemonProof(home));
    expect(await (await door.request("/")).text()).toBe("heard");
    renameSync(join(home, "daemon.sock"), join(home, "old.sock"));
    const next = Bun.serve({ unix: join(home, "daemon.sock"), fetch: () => new Response("the next") });
    expect(await (await door.request("/")).text()).toBe("the next");
    await next.stop(true);
  });

  test("a socket that is not the one the daemon named is not spoken to", async () => {
    const { admitted } = at((asked) => proven({ ...asked, door: "1:1" }));
    const { reach } = await admitted();
    expect(await rejection(reach(async () => "reached"))).toMatchObject({ code: "daemon.impostor" });
  });

  test("a process of another account is not the daemon; root's may be, and one that the kernel does not name", () => {
    const pid = process.pid;
    expect(wrongProcess({ pid, uid: 1001 }, 1000)).toBe("it runs under another account");
    expect(wrongProcess({ pid, uid: 1001 }, 0)).toBe("it runs under another account");
    for (const [peer, own] of [
      [{ pid, uid: 1000 }, 1000],
      [{ pid, uid: 0 }, 1000],
      [{ pid, uid: undefined }, 1000],
      [undefined, 1000],
    ] as const)
      expect(wrongProcess(peer, own)).toBeUndefined();
  });

  test.skipIf(process.platform !== "linux")(
    "what an agent started is not the daemon, nor what tmux started where no key can prove it",
    async () => {
      using at = temporaryDirectory("daemon-proof");
      const marked = Bun.spawn(["sh", "-c", `${markingWords()}echo marked; exec cat`], {
        stdin: "pipe",
        stdout: "pipe",
      });
      try {
        await marked.stdout.getReader().read();
        const [agents, own] = [marked.pid, process.pid].map((pid) => ({ pid, uid: process.getuid?.() }));
        expect(wrongProcess(agents)).toBe("an agent started it");
        expect(wrongProcess(own)).toBeUndefined();
        const answer = { nonce: "n", pass: "p", door: "1:1", proof: "x" };
        expect(wrongProof(at.path, answer, agents)).toContain("there is no key here");
        expect([own, undefined].map((peer) => wrongProof(at.path, answer, peer))).toEqual([undefined, undefined]);
      } finally {
        marked.kill();
      }
    },
  );

  test.skipIf(process.platform !== "linux")(
    "who goes on listening for a process that has ended is not the daemon",
    async () => {
      using at = temporaryDirectory("daemon-proof");
      const who = join(at.path, "who.sock");
      // Begins to listen, leaves that to a child, and ends.
      const script =
        'use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0])); listen(S, 5); exit if fork; alarm 60; select(STDOUT); $| = 1; print "left\n"; accept(C, S); sysread(C, $b, 99); syswrite(C, "pass 1:1 proof\n"); sysread(C, $b, 1)';
      const left = Bun.spawn(["perl", "-e", script, who], { stdout: "pipe" });
      await left.exited;
      await left.stdout.getReader().read();
      const asked = beAdmitted({ who, door: join(at.path, "daemon.sock"), proof: daemonProof(at.path) });
      expect(await rejection(asked)).toMatchObject({
        code: "daemon.impostor",
        message: expect.stringContaining("has ended"),
      });
    },
  );
});
