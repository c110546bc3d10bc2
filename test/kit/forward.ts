// Passes connections to an address on to a socket in the file system: a server that listens on this machine becomes reachable in a network of its own.
//   bun forward.ts ADDRESS PORT SOCKET

import { connect, createServer } from "node:net";

const [address = "", port = "", socket = ""] = process.argv.slice(2);
createServer((outer) => {
  const inner = connect(socket);
  outer.pipe(inner).pipe(outer);
  for (const [one, other] of [
    [outer, inner],
    [inner, outer],
  ] as const) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
}).listen(Number(port), address, () => process.stdout.write("listening\n"));
