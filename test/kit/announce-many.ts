// A child for tests: announces many lines through the client and prints the sequence number of each one that was
// acknowledged, as soon as it was.

import { writeSync } from "node:fs";
import { socketCaller } from "../../src/client/socket.ts";

const [socket = "", prefix = "", count = "0"] = process.argv.slice(2);
const caller = socketCaller(socket, "owner");
for (let index = 0; index < Number(count); index++) {
  const { seq } = await caller.call("timeline.announce", { text: `${prefix}-${index}` });
  writeSync(1, `${seq}\n`);
}
