import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { LineTransport, longestLine } from "./line-transport.ts";

const ask = (id: unknown, params?: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params });

/** Returns what the server was handed and what was written back, for bytes that come in these pieces. */
async function takes(...pieces: readonly (string | Buffer)[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new LineTransport(input, output);
  const taken: unknown[] = [];
  const closed = Promise.withResolvers<void>();
  Object.assign(transport, {
    onmessage: ({ id }: { id?: unknown }) => void taken.push(id),
    onclose: closed.resolve,
  });
  await transport.start();
  for (const piece of pieces) input.write(piece);
  input.end();
  await closed.promise;
  const text = String(output.read() ?? "");
  const answered = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id: unknown; error: { code: number } })
    .map(({ id, error }) => [id, error.code]);
  return { taken, answered };
}

test("messages are taken however their bytes are cut", async () => {
  const bytes = Buffer.from(`${ask("ä1")}\r\n${ask(2)}\n\n  \n${ask(3)}\n`);
  const each = [...bytes].map((byte) => Buffer.from([byte]));
  expect(await takes(bytes)).toEqual({ taken: ["ä1", 2, 3], answered: [] });
  expect(await takes(...each)).toEqual({ taken: ["ä1", 2, 3], answered: [] });
});

test.each([
  ["a list for params", ask(7, [1, 2]), 7, -32600],
  ["a text for params", ask("seven", "x"), "seven", -32600],
  ["no method", `{"jsonrpc":"2.0","id":7}`, 7, -32600],
  ["a method that is no text", `{"jsonrpc":"2.0","id":7,"method":5}`, 7, -32600],
  ["another version of JSON-RPC", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, 7, -32600],
  ["an id that is no id", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, null, -32600],
  ["an id of null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, null, -32600],
  ["a batch", `[${ask(7)}]`, null, -32600],
  ["null", "null", null, -32600],
  ["a number", "17", null, -32600],
  ["no JSON", "hello", null, -32700],
  ["half a message", ask(7).slice(0, -1), null, -32700],
])("%s is answered, and the next message is taken", async (_what, line, id, code) => {
  expect(await takes(`${line}\n${ask(8)}\n`)).toEqual({ taken: [8], answered: [[id, code]] });
});

test.each([
  ["a notification with wrong params", `{"jsonrpc":"2.0","method":"notifications/initialized","params":[1]}`],
  ["a wrong answer", `{"jsonrpc":"2.0","id":[],"result":1}`],
])("%s is passed over: nobody waits", async (_what, line) => {
  expect(await takes(`${line}\n${ask(8)}\n`)).toEqual({ taken: [8], answered: [] });
});

test("a line that is too long is refused and the next one taken; what comes of it is not kept", async () => {
  const piece = Buffer.alloc(1024 * 1024, 0x61);
  const long = Array.from({ length: 20 }, () => piece);
  expect(await takes(...long, `\n${ask(8)}\n`)).toEqual({ taken: [8], answered: [[null, -32600]] });
  const just = `${" ".repeat(longestLine - ask(9).length)}${ask(9)}\n`;
  expect(await takes(just)).toEqual({ taken: [9], answered: [] });
  expect(await takes(` ${just}`)).toEqual({ taken: [], answered: [[null, -32600]] });
});
