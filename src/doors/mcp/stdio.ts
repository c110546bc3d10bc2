// The MCP door on standard input and output: `constel mcp`, started by an agent's program for itself. It ends when that
// program closes its end.

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { LineTransport } from "./line-transport.ts";
import { makeServer, type ServerParts } from "./server.ts";

export type StdioParts = Omit<ServerParts, "transport"> & {
  readonly onError: (cause: Error) => void;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
};

export async function serveMcp({ onError, signal, ...parts }: StdioParts): Promise<void> {
  // The program was built to start fast and compile little (scripts/build-quick.ts). This one stays.
  Bun.unsafe.setJITPolicy(1);
  const transport = new LineTransport(process.stdin, process.stdout);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const handle = serveStdio(() => makeServer({ ...parts, transport: "stdio" }), { transport, onerror: onError });
  await ended;
  await handle.close();
}
