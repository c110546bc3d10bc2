// Starts a client of the agents' tmux server. A server may tell its clients to become another program, and whoever reaches tmux can have it do so, or sit
// in its place: what our client then is must not pass for ours. So it carries the mark of an agent's processes before it has connected.

import { Outage } from "../../protocol/errors.ts";
import { markedFromTheStart } from "../process/limit-mark.ts";
import { markDescendants, prepareToMark } from "../process/mark-descendants.ts";

type Client<In extends "pipe" | "ignore"> = Bun.Subprocess<In, "pipe", "pipe">;

/** `starts`: the server it starts hands its mark down to everybody in it, the ticker too, which is the owner's; so it is the server's. */
export function spawnClient<In extends "pipe" | "ignore">(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  { stdin, starts }: { readonly stdin: In; readonly starts: boolean },
): Client<In> {
  const mark = starts ? "server" : "agent";
  const path = env["PATH"] ?? "";
  // A program that is not there is for the runtime to complain of.
  const isThere = Bun.which(command[0] ?? "", { PATH: path }) !== null;
  prepareToMark();
  try {
    const client = Bun.spawn([...(isThere ? markedFromTheStart(mark, path) : []), ...command], {
      // The server, when this client starts it, keeps this directory for ever.
      cwd: "/",
      env: { ...env },
      stdin,
      stdout: "pipe",
      stderr: "pipe",
      // A key pressed in the terminal we run in must not end it, nor the hangup of an agent's terminal that ends itself.
      detached: true,
    });
    markDescendants(client.pid, mark);
    return client as Client<In>;
  } catch (cause) {
    throw new Outage("start", command[0] ?? "tmux", cause);
  }
}
