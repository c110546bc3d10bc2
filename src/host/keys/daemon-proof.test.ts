import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { beAdmitted } from "../../client/admission.ts";
import { systemClock } from "../clock/system-clock.ts";
import { daemonProof, proveDaemon } from "./daemon-proof.ts";
import { signingKey } from "./key-files.ts";

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
    const { pass, unix, close } = await admitted();
    expect(pass).toBe("pass");
    // Another socket in its place is not what is reached.
    renameSync(join(home, "daemon.sock"), join(home, "moved.sock"));
    const another = Bun.serve({ unix: join(home, "daemon.sock"), fetch: () => new Response("another") });
    expect(await (await fetch("http://x/", { unix })).text()).toBe("heard");
    await another.stop(true);
    renameSync(join(home, "moved.sock"), join(home, "daemon.sock"));
    close();
  });

  const others: Record<string, Parameters<typeof place>[0]> = {
    "with no proof, as before there was one": () => "pass",
    "with a proof of its own": ({ door }) => `pass ${door} ${"x".repeat(43)}`,
    "with a proof over another word": (asked) => proven({ ...asked, nonce: "earlier" }),
    "with a proof over another pass": (asked) => proven(asked, "earlier").replace("earlier", "pass"),
  };
  for (const [how, answer] of Object.entries(others))
    test(`who answers ${how} is not the daemon`, async () => {
      await expect(at(answer).admitted()).rejects.toMatchObject({
        code: "daemon.impostor",
        facts: { pid: process.pid, why: "it does not hold the key of this constellation" },
      });
    });

  test("a socket that is not the one the daemon named is not spoken to", async () => {
    const { admitted } = at((asked) => proven({ ...asked, door: "1:1" }));
    await expect(admitted()).rejects.toMatchObject({ code: "daemon.impostor" });
  });
});
