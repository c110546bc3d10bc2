import { expect, test } from "bun:test";
import { readStream, streamLine, type StreamMessage, streamPath, subjectOf } from "./window.ts";

const screen = { agent: "agent1", rows: ["$ ls", "data: [] \\n"], seen_ms: 3, problem: null };
const said: StreamMessage[] = [
  { kind: "hello", seq: 4, constellation: "constel0", version: "0.1.0", role: "owner", name: "owner", now_ms: 1 },
  {
    kind: "events",
    seq: 5,
    subjects: ["task"],
    events: [
      { seq: 5, at_ms: 1, type: "task.created", subject: "task:1", actor: "owner", data: { title: "two\n\nlines" } },
    ],
  },
  { kind: "screen", seq: 5, screen },
  { kind: "resync", seq: 9, why: "4000 events have passed" },
];

async function* inPiecesOf(size: number, text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

test("what is written on the stream is read from it, however it is cut into pieces; signs of life say nothing", async () => {
  const text = `retry: 1000\n${said.map(streamLine).join(": still here\n\n")}event: news\ndata: {}\n\n`;
  for (const size of [1, 3, 1_000]) {
    let quiet = 0;
    const read: StreamMessage[] = [];
    for await (const message of readStream(inPiecesOf(size, text), () => quiet++)) read.push(message);
    expect(read).toEqual(said);
    expect(quiet).toBe(4);
  }
});

test("the address says where to go on and whose screens to show", () => {
  expect(streamPath()).toBe("/api/stream");
  expect(streamPath(0, ["agent1", "agent2"])).toBe("/api/stream?after=0&screens=agent1%2Cagent2");
  expect(["task.created", "odd"].map(subjectOf)).toEqual(["task", "odd"]);
});
