// The MCP door over Streamable HTTP, behind the daemon's TCP surface: who may come this far was checked there (token, Host,
// Origin, size, rate). One server for each request, as the current protocol revision has it; the previous one is served
// without sessions.

import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Caller } from "../../client/caller.ts";
import type { ToolCall } from "../../protocol/tool-call.ts";
import { makeServer } from "./server.ts";

export interface HttpParts {
  readonly version: string;
  readonly record: (call: ToolCall) => void;
  readonly onError: (cause: Error) => void;
  /** Returns the agent that sends this request, and the caller to ask on its behalf. */
  readonly callerFor: (request: Request) => { readonly agent: string; readonly caller: Caller };
}

export function openHttpDoor(parts: HttpParts): (request: Request) => Promise<Response> {
  const { version, record } = parts;
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      if (requestInfo === undefined) throw new Error("an MCP request came without its HTTP request");
      return makeServer({ ...parts.callerFor(requestInfo), version, record, transport: "http" });
    },
    { onerror: parts.onError },
  );
  return (request) => handler.fetch(request);
}
