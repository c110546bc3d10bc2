// A control client whose program was killed. It leaves by itself unless tmux still has output for it, which nobody will ever take: then
// it stays attached as long as the server runs. Its hidden session is called after the program that made it (control-client.ts).

import { readFileSync } from "node:fs";
import { type ProcessRow, systemProcessTable } from "../process/process-table.ts";
import { kill } from "./server-process.ts";

export const hiddenPrefix = "constel-control-";

export interface ListedClient {
  readonly pid: number;
  readonly session: string;
  /** The program of ours that it works for. */
  readonly owner: number;
}

/** From `#{client_pid} #{session_name}`; undefined for a client that is not ours. */
export function readClient(line: string): ListedClient | undefined {
  const [, pid, session, owner] = new RegExp(`^(\\d+) (${hiddenPrefix}(\\d+)-\\S+)$`).exec(line) ?? [];
  return session === undefined ? undefined : { pid: Number(pid), session, owner: Number(owner) };
}

/** A process that started after the client has only been given the number of its program. */
export function isOrphan({ pid, owner }: ListedClient): boolean {
  const above = systemProcessTable.row(owner);
  if (above === undefined || above.zombie) return true;
  const client = systemProcessTable.row(pid);
  return client !== undefined && Number(above.started) > Number(client.started);
}

/** Ends it, if that number is the client's still: what it was started with names its session. */
export function endOrphan(client: ListedClient): boolean {
  const row = systemProcessTable.row(client.pid);
  return row !== undefined && isOrphan(client) && commandOf(row).includes(client.session) && kill(row);
}

function commandOf({ pid }: ProcessRow): string {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return Bun.spawnSync(["ps", "-o", "command=", "-p", String(pid)]).stdout.toString();
  } catch {
    return ""; // it has ended
  }
}
