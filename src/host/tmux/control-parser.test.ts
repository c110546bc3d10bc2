import { describe, expect, test } from "bun:test";
import { type Block, ControlParser, type Notification } from "./control-parser.ts";

function read(chunks: readonly (string | Uint8Array)[]): {
  blocks: Block[];
  notifications: Notification[];
  lost: string[];
} {
  const blocks: Block[] = [];
  const notifications: Notification[] = [];
  const lost: string[] = [];
  const parser = new ControlParser({
    block: (block) => blocks.push(block),
    notification: (notification) => notifications.push(notification),
    lost: (reason) => lost.push(reason),
  });
  for (const chunk of chunks) parser.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return { blocks, notifications, lost };
}

const stream =
  "%begin 17 1 0\n%end 17 1 0\n%session-changed $0 é\n" +
  "%begin 17 2 1\nfirst é\n\nthird\n%end 17 2 1\n%begin 17 3 1\nno such thing\n%error 17 3 1\n%sessions-changed\n";

const expected = {
  blocks: [
    { ok: true, body: "", solicited: false },
    { ok: true, body: "first é\n\nthird", solicited: true },
    { ok: false, body: "no such thing", solicited: true },
  ],
  notifications: [
    { kind: "session-changed", text: "$0 é" },
    { kind: "sessions-changed", text: "" },
  ],
  lost: [],
};

describe("the control-mode stream", () => {
  test("blocks, errors and notifications are told apart", () => {
    expect(read([stream])).toEqual(expected);
  });

  test("it reads the same however the bytes are cut", () => {
    const bytes = Buffer.from(stream);
    for (let size = 1; size < bytes.length; size++) {
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      expect(read(chunks)).toEqual(expected);
    }
  });

  test("a screen that shows guards of other blocks does not end its own", () => {
    const body = "%end 17 1 1\n%error 17 3 1\n%begin 17 4 1\nx %end 17 2 1\n%end 17 2 1 ";
    expect(read([`%begin 17 2 1\n${body}\n%end 17 2 1\n`]).blocks).toEqual([{ ok: true, body, solicited: true }]);
  });

  test("a body's backslashes stay as they are; those of output are bytes", () => {
    const seen = read(["%begin 1 1 1\n\\101\n%end 1 1 1\n%output %3 a\\012\\303\\251\\134\n"]);
    expect(seen.blocks[0]?.body).toBe("\\101");
    expect(seen.notifications[0]).toEqual({ kind: "output", text: "%3 a\né\\" });
  });

  test("a line outside any block that is no notification means the step is lost, once", () => {
    const seen = read(["%begin 1 1 1\n%end 1 1 1\nstray\nmore\n%begin 1 2 1\n%end 1 2 1\n", "again\n"]);
    expect(seen.lost).toHaveLength(1);
    expect(seen.blocks).toHaveLength(1);
  });
});
