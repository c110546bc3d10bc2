// The MCP server: lists the tools and calls them, over any transport and in both protocol eras. Decides nothing: tools ask
// operations (ask.ts), and who asks is known behind the caller.
//
// `stdio.ts` or `http.ts` bring a request; `ask.ts` finds in `tools.ts` which operation a tool and its action stand for, and asks it
// in the name of whoever the caller speaks for; `fit-to-page.ts` cuts the answer to a page. Each call leaves a record.

import {
  CLIENT_INFO_META_KEY,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Caller } from "../../client/caller.ts";
import type { ToolCall } from "../../protocol/tool-call.ts";
import { askTool, isTool } from "./ask.ts";
import { listedTools } from "./tools.ts";

export interface ServerParts {
  readonly version: string;
  readonly caller: Caller;
  /** The agent that asks, or `owner`. */
  readonly agent: string;
  /** The directory where the agent works, if known. */
  readonly cwd?: string | undefined;
  readonly transport: ToolCall["transport"];
  readonly record: (call: ToolCall) => void;
}

const instructions =
  "constel: who else works here, what will collide, tasks, messages, decisions. Call register when you begin and sync now and then. Errors carry a code and a hint.";

export function makeServer(parts: ServerParts): Server {
  const server = new Server({ name: "constel", version: parts.version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler("tools/list", () => ({ tools: listedTools as ListToolsResult["tools"] }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const startedMs = performance.now();
    const given = params.arguments ?? {};
    const account = (outcome: ToolCall["outcome"], code: string | null, outputBytes: number): void => {
      const { action } = given;
      const call: ToolCall = {
        agent: parts.agent === "owner" ? null : parts.agent,
        tool: params.name.slice(0, 60),
        action: typeof action === "string" ? action.slice(0, 60) : null,
        outcome,
        code,
        duration_ms: Math.round(performance.now() - startedMs),
        transport: parts.transport,
        client: clientOf(server, context),
        input_bytes: Buffer.byteLength(JSON.stringify(given)),
        output_bytes: outputBytes,
      };
      // The answer goes first: nobody waits for the books to be kept.
      setImmediate(() => parts.record(call));
    };
    if (!isTool(params.name)) {
      account("refused", "tool.unknown", 0);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name.slice(0, 60)}`);
    }
    const { caller, cwd } = parts;
    const answer = await askTool(params.name, given, { caller, cwd, signal: context.mcpReq.signal });
    account(answer.outcome, answer.code, Buffer.byteLength(answer.text));
    return { content: [{ type: "text", text: answer.text }], ...(answer.isError ? { isError: true } : {}) };
  });
  return server;
}

/** By its first word when it opened the connection, or with each request in the newer era. */
function clientOf(server: Server, { mcpReq }: ServerContext): string {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  const said = (envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion()) as
    | { readonly name?: unknown; readonly version?: unknown }
    | undefined;
  return said === undefined ? "" : `${String(said.name)} ${String(said.version)}`.slice(0, 100);
}
