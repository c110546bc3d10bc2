// `constel mesh serve --stdio`: copies between the pipes that ssh gave us and the daemon's socket for them. It understands nothing of what passes.

import { createConnection } from "node:net";
import { join } from "node:path";
import { withShortPath } from "../../../client/short-path.ts";
import { stdioGreeting } from "../../../host/mesh/ssh/ssh-transport.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { inHome } from "../../../settings/paths.ts";
import type { RunCommand } from "../input/command.ts";

export const serveStdio: RunCommand = async (context, input) => {
  if (!input.has("stdio"))
    throw new Refusal(
      "usage.missing-argument",
      "mesh serve needs --stdio: the daemon itself listens where mesh.listen says",
    );
  const caller = await context.caller();
  await caller.call("mesh.key", {}); // starts the daemon where none runs
  const path = join(context.places.home, inHome.meshSocket);
  await withShortPath(path, (short) => copyTo(short));
  return undefined;
};

function copyTo(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once("error", () => reject(new Refusal("mesh.off", "the daemon here keeps no lines: mesh.enabled is off")));
    socket.once("connect", () => {
      process.stdout.write(stdioGreeting);
      process.stdin.pipe(socket);
      socket.pipe(process.stdout);
    });
    socket.once("close", () => {
      process.stdin.destroy();
      resolve();
    });
  });
}
