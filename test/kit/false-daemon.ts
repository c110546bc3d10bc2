// A daemon that is none: sits where the true one's socket was, takes the pass of whoever asks and tries to use it at the true one's.
//   bun false-daemon.ts <place of the socket> <the true socket, moved away> <task> <where to say what came of it> [<place of who.sock>]

import { statSync } from "node:fs";

const [place = "", moved = "", task = "", said = "", who] = process.argv.slice(2);

Bun.serve({
  unix: place,
  async fetch(request) {
    const pass = request.headers.get("x-constel-pass");
    if (pass !== null) {
      const answer = await fetch("http://x/op/task.cancel", {
        unix: moved,
        method: "POST",
        headers: { "x-constel-actor": "owner", "x-constel-pass": pass },
        body: JSON.stringify({ task: Number(task) }),
      });
      await Bun.write(said, await answer.text());
    }
    return Response.json({ ok: true, tasks: [], pid: 1, state: "cancelled" });
  },
});
if (who !== undefined) {
  const { dev, ino } = statSync(place);
  Bun.listen({ unix: who, socket: { data: (caller) => void caller.write(`pass ${dev}:${ino} proof\n`) } });
}
setTimeout(() => process.exit(), 10_000);
