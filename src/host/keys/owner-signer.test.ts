// The owner's key where another program keeps it: a real ssh-agent, and a keychain's program that is written here, because this machine may
// have none.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { systemProcesses } from "../process/run.ts";
import { keyId, makeKey } from "./ed25519.ts";
import { keyBook } from "./key-book.ts";
import { isOwnerKeyGuarded, keyFile, makeOwnerKey, rotateKey } from "./key-files.ts";
import { systemKeychain } from "./keychain.ts";
import { chooseAgentKey, type OwnerWays, signAsOwner } from "./owner-signer.ts";
import { agentKeys } from "./ssh-agent.ts";

const directory = temporaryDirectory("owner-signer");
const socket = join(directory.path, "agent.sock");
const clock = new FakeClock();
const bytes = new TextEncoder().encode("constel directive\n{}");
let agent: ReturnType<typeof Bun.spawn> | undefined;

const ran = (argv: string[], env: Record<string, string> = {}): number =>
  Bun.spawnSync(argv, { env: { PATH: "/usr/bin:/bin", SSH_AUTH_SOCK: socket, ...env }, stderr: "ignore" }).exitCode;
const added = (comment: string, kind = "ed25519"): void => {
  const file = join(directory.path, `${comment}-${kind}`);
  expect(ran(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", comment, "-f", file])).toBe(0);
  expect(ran(["ssh-add", "-q", file])).toBe(0);
};
const code = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "not refused",
    (cause: unknown) => (cause as { code?: string }).code ?? String(cause),
  );
const homeCalled = (name: string): string => {
  const home = join(directory.path, name);
  mkdirSync(home);
  return home;
};
const ways: OwnerWays = {
  passphrase: () => "",
  sshSocket: socket,
  keychain: () => {
    throw new Error("not asked");
  },
};

beforeAll(async () => {
  agent = Bun.spawn(["ssh-agent", "-D", "-a", socket], { stdout: "ignore", stderr: "ignore" });
  // 2: nobody listens there yet. 1: it answers, and has no keys.
  while (ran(["ssh-add", "-l"]) === 2) await new Promise((resolve) => setImmediate(resolve));
});
afterAll(async () => {
  agent?.kill();
  await agent?.exited;
  directory[Symbol.dispose]();
});

test("an Ed25519 key of a running ssh-agent is the owner's, and constel never has it", async () => {
  const home = homeCalled("agent");
  expect(await agentKeys(socket)).toEqual([]);
  expect(await code(chooseAgentKey(socket, undefined))).toBe("keys.no-agent");
  added("ann", "ecdsa");
  added("ann@desk");
  const { publicKey, fingerprint } = await chooseAgentKey(socket, undefined);
  const { id } = makeOwnerKey(home, clock, { kept: { by: "ssh-agent", key: { id: keyId(publicKey), publicKey } } });
  const verdict = async () => keyBook(home).verify(await signAsOwner(home, ways, bytes), bytes, clock.nowMs());
  expect(await verdict()).toMatchObject({ ok: true, holder: "owner", key: id });
  expect(keyBook(home).verify(await signAsOwner(home, ways, bytes), new Uint8Array(3), clock.nowMs())).toMatchObject({
    ok: false,
  });
  expect(readFileSync(join(home, keyFile("owner")), "utf8")).not.toMatch(/private|guarded/);
  expect(isOwnerKeyGuarded(home)).toBe(true);
  expect(() => rotateKey(home, "owner", clock)).toThrow(expect.objectContaining({ code: "keys.kept-elsewhere" }));

  added("ann@lap");
  expect(await code(chooseAgentKey(socket, undefined))).toBe("keys.no-agent");
  expect((await chooseAgentKey(socket, "ann@desk")).fingerprint).toBe(fingerprint);
  expect((await chooseAgentKey(socket, fingerprint)).publicKey).toBe(publicKey);

  // Another's agent, one that no longer has the key, and none at all.
  expect(ran(["ssh-add", "-q", "-D"])).toBe(0);
  expect(await code(verdict())).toBe("keys.no-agent");
  for (const sshSocket of [undefined, "", join(directory.path, "nobody.sock")])
    expect(await code(signAsOwner(home, { ...ways, sshSocket }, bytes))).toBe("keys.no-agent");
});

test("a key that lies in its file signs by itself", async () => {
  const home = homeCalled("file");
  makeOwnerKey(home, clock, {});
  const signature = await signAsOwner(home, ways, bytes);
  expect(keyBook(home).verify(signature, bytes, clock.nowMs())).toMatchObject({ ok: true, holder: "owner" });
});

test("an ssh-agent that hangs up, answers with nonsense or with too much signs nothing", async () => {
  const home = homeCalled("nonsense");
  const { id, publicKey } = makeKey();
  makeOwnerKey(home, clock, { kept: { by: "ssh-agent", key: { id, publicKey } } });
  const answers = [
    [],
    [0, 0, 0, 1, 5],
    [0, 0, 0, 2, 14, 0],
    [255, 255, 255, 255],
    [0, 0, 0, 9, 14, 0, 0, 0, 9, 0, 0, 0, 0],
  ];
  for (const [index, answer] of answers.entries()) {
    const path = join(directory.path, `nonsense-${index}.sock`);
    const server = Bun.listen({
      unix: path,
      socket: {
        data(connection) {
          connection.write(Uint8Array.from(answer));
          connection.end();
        },
      },
    });
    expect(await code(signAsOwner(home, { ...ways, sshSocket: path }, bytes))).toBe("keys.no-agent");
    server.stop(true);
  }
});

test("the owner's key lies in the keychain, which is never given it as an argument", async () => {
  const home = homeCalled("keychain");
  const bin = homeCalled("bin");
  const log = join(bin, "log");
  // A secret-tool that does as much as is asked of it here.
  const script = `#!/bin/sh\necho "$*" >>"${log}"\ncase $1 in store) cat >"${bin}/$7";; lookup) cat "${bin}/$5" 2>/dev/null;; esac\n`;
  writeFileSync(join(bin, "secret-tool"), script);
  chmodSync(join(bin, "secret-tool"), 0o755);
  const keychain = systemKeychain(systemProcesses, { PATH: `${bin}:/usr/bin:/bin` }, "linux");
  const { id, publicKey, privateKey } = makeKey();
  await keychain.store(id, privateKey);
  makeOwnerKey(home, clock, { kept: { by: "keychain", key: { id, publicKey } } });
  const signature = await signAsOwner(home, { ...ways, keychain: () => keychain }, bytes);
  expect(keyBook(home).verify(signature, bytes, clock.nowMs())).toMatchObject({ ok: true, holder: "owner" });
  expect(readFileSync(log, "utf8")).not.toContain(privateKey);
  expect(readFileSync(join(home, keyFile("owner")), "utf8")).not.toContain(privateKey);
  expect(await code(keychain.read("another"))).toBe("keys.no-keychain");
  const none = systemKeychain(systemProcesses, { PATH: homeCalled("empty") }, "linux");
  expect(await code(none.read(id))).toBe("keys.no-keychain");
});
