// The smallest MCP server over stdio: one tool that says back what it is told.

import { createInterface } from "node:readline";

const tool = {
  name: "echo",
  description: "Says back what it is told.",
  inputSchema: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },
};

const answers = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "echo", version: "1" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": (params) => ({ content: [{ type: "text", text: `echoed: ${params.arguments.words}` }] }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const body = answer === undefined ? { error: { code: -32601, message: method } } : { result: answer(params ?? {}) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
});
