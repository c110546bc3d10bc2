import { expect, test } from "bun:test";
import { join } from "node:path";

const kit = join(import.meta.dir, "../../../test/kit/abstract-socket.pl");
const version = Bun.spawnSync(["perl", "-e", "print syscall(444, 0, 0, 1)"]).stdout.toString();

// Landlock knows scopes from Linux 6.12 on.
test.skipIf(process.platform !== "linux" || Number(version) < 6)(
  "a program that is kept apart reaches its own abstract sockets and nobody else's",
  async () => {
    const name = `constel-test-${crypto.randomUUID()}`;
    const listener = Bun.spawn(["perl", kit, "listen", name], { stdin: "pipe", stdout: "pipe" });
    await listener.stdout.getReader().read();
    const become = (isApart: boolean, side: string, socket: string): number => {
      const program = JSON.stringify(join(import.meta.dir, "adopt-orphans.ts"));
      const words = JSON.stringify(["perl", kit, side, socket]);
      const code = `(await import(${program})).becomeAdopting(${words}, ${isApart})`;
      return Bun.spawnSync([process.execPath, "--no-env-file", "--config=/dev/null", "-e", code]).exitCode;
    };
    try {
      expect(become(false, "reach", name)).toBe(0);
      expect(become(true, "reach", name)).toBe(1);
      expect(become(true, "own", `${name}-own`)).toBe(0);
    } finally {
      listener.stdin.end();
      await listener.exited;
    }
  },
);
