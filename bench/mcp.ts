// A call over MCP on standard input and output, through the daemon and back, against the SDK's own echo tool: the same client,
// the same transport, compiled alike. The ratio is of what the client waits; the CPU that all processes
// on the way spend is in the note.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Block, block, warmBlocks } from "./daemon.ts";
import { ascending, cpuOf, type Entry, type Measured, median, percentile } from "./harness.ts";
import { compileFloor, constel, ownCommand } from "./program.ts";

const sdk = join(import.meta.dir, "../node_modules/@modelcontextprotocol/server/dist");
const zod = join(import.meta.dir, "../node_modules/zod/index.js");

const echo = `
import { McpServer } from ${JSON.stringify(`${sdk}/index.mjs`)};
import { serveStdio } from ${JSON.stringify(`${sdk}/stdio.mjs`)};
import { z } from ${JSON.stringify(zod)};
serveStdio(() => {
  const server = new McpServer({ name: "echo", version: "1" }, { capabilities: { tools: {} } });
  server.registerTool("echo", { description: "Echo", inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
});`;

async function measure(rounds: number): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, CONSTEL_HOME: join(directory, "home") };
  const clients: Client[] = [];
  const open = async ([command = "", ...args]: readonly string[]): Promise<{ client: Client; pid: number }> => {
    const client = new Client({ name: "bench", version: "1" });
    const transport = new StdioClientTransport({ command, args, env, cwd: directory, stderr: "ignore" });
    await client.connect(transport);
    clients.push(client);
    return { client, pid: transport.pid ?? 0 };
  };
  try {
    cpuOf([constel, "daemon", "start"], env);
    const { pid: daemon } = JSON.parse(readFileSync(join(env.CONSTEL_HOME, "state/daemon.json"), "utf8")) as {
      pid: number;
    };
    const ours = await open([...ownCommand(), "mcp"]);
    const echoing = await open([await compileFloor(directory, "echo", echo, { jitPolicy: 1 })]);
    const call = async (): Promise<void> => {
      const { isError } = await ours.client.callTool({ name: "sync", arguments: {} });
      if (isError === true) throw new Error("the call was refused");
    };
    const bare = (): Promise<unknown> => echoing.client.callTool({ name: "echo", arguments: { text: "nothing" } });
    const blocks: { ours: Block; floor: Block }[] = [];
    for (let round = -warmBlocks; round < rounds; round++) {
      const both = { ours: await block(call, ours.pid, daemon), floor: await block(bare, echoing.pid) };
      if (round >= 0) blocks.push(both);
    }
    const cpu = (side: "ours" | "floor"): string =>
      median(blocks.map((one) => one[side].cpuMs).sort(ascending)).toFixed(2);
    const waited = (side: "ours" | "floor"): number =>
      percentile(blocks.flatMap((one) => one[side].wallMs).sort(ascending), 0.5);
    const note = `${cpu("ours")} ms CPU, the echo ${cpu("floor")}`;
    return { value: waited("ours"), floor: waited("floor"), unit: "ms", note };
  } finally {
    for (const client of clients) await client.close();
    cpuOf([constel, "daemon", "stop"], env);
    rmSync(directory, { recursive: true, force: true });
  }
}

export const mcpEntries: readonly Entry[] = [
  {
    name: "mcp-stdio",
    what: "a call over MCP, stdio, answered by the daemon (sync)",
    floorIs: "the SDK's echo tool",
    bar: 2,
    better: "lower",
    lane: "quick",
    measure,
  },
];
