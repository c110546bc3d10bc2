// One call of a tool over MCP, as it is kept: who asked for what and how it went, never what was said.

export interface ToolCall {
  /** The agent that asked; null for the owner. */
  readonly agent: string | null;
  readonly tool: string;
  readonly action: string | null;
  readonly outcome: "ok" | "refused" | "outage" | "bug";
  readonly code: string | null;
  readonly duration_ms: number;
  readonly transport: "stdio" | "http";
  /** The client's own name and version, as it says. */
  readonly client: string;
  readonly input_bytes: number;
  readonly output_bytes: number;
}
