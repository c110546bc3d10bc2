import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";

test("a program that was answered ends by itself: nothing goes on waiting for the daemon to fall silent", async () => {
  using directory = temporaryDirectory("client");
  const unix = join(directory.path, "daemon.sock");
  // As the daemon: it never closes a connection by itself, so that one which is kept would keep the program.
  const options = { unix, idleTimeout: 0, fetch: () => Response.json({ seq: 1, id: "evt_1" }) };
  const server = Bun.serve(options as unknown as Bun.Serve.Options<undefined>);
  try {
    const script = `const { socketCaller } = await import(${JSON.stringify(join(import.meta.dir, "socket.ts"))});
      const caller = socketCaller(${JSON.stringify(unix)}, "owner", { silenceMs: 3_600_000 });
      console.log((await caller.call("timeline.announce", { text: "hello" })).seq);`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
    expect(await new Response(child.stdout).text()).toBe("1\n");
    expect(await child.exited).toBe(0);
  } finally {
    await server.stop(true);
  }
}, 30_000);
