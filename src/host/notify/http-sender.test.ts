import { expect, test } from "bun:test";
import { createServer, type AddressInfo } from "node:net";
import { messageOf } from "../../protocol/errors.ts";
import { systemHttp } from "./http-sender.ts";

test("what went wrong is told without the path and the query, which hold the secrets of hooks", async () => {
  const headers = `HTTP/1.1 200 OK\r\nX: ${"y".repeat(4_000_000)}\r\n\r\n`;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", () => socket.end(headers));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = { url: `http://${host}/bot77:s3cret/send?key=hidden`, headers: {}, body: "{}", deadlineMs: 5_000 };
  const said = await systemHttp.post(request).then(String, messageOf);
  server.close();
  expect(said).toStartWith(`post to ${host}: ResponseHeadersTooLarge`);
  expect(said).not.toMatch(/s3cret|hidden|For more information/);
});
