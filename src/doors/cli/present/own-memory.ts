// Says in words how much memory constel takes, and which of its processes take it.

import { counted } from "../../../protocol/counted.ts";
import type { OwnMemory } from "../../../protocol/own-memory.ts";
import { size } from "./time.ts";

type Kind = OwnMemory["parts"][number]["what"];

/** One, and several. */
const names: Readonly<Record<Kind, readonly [string, string]>> = {
  daemon: ["the daemon", "daemons"],
  reader: ["1 reader of repositories", "readers of repositories"],
  compiler: ["1 compiler", "processes of a compiler"],
  program: ["1 program it runs", "programs it runs"],
  holder: ["1 holder of an agent", "holders of agents"],
  ticker: ["the ticker", "tickers"],
  mcp: ["1 MCP door", "MCP doors"],
  other: ["1 other command", "other commands"],
};

export const memorySum = ({ bytes, parts }: OwnMemory): string =>
  `${size(bytes)} in ${counted(
    parts.reduce((sum, { processes }) => sum + processes, 0),
    "process",
    "processes",
  )}`;

export function memoryText(memory: OwnMemory): string {
  const said = memory.parts.map(({ what, processes, bytes }) => {
    const [one, several] = names[what];
    return `${processes === 1 ? one : `${processes} ${several}`} ${size(bytes)}`;
  });
  return `${memorySum(memory)}: ${said.join(", ")}`;
}
