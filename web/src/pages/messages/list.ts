// The messages as the store has them: what has not arrived first, then the newest.

import { runSql } from "../sql/run.ts";

export interface Message {
  readonly id: string;
  readonly sender: string;
  readonly receiver: string;
  readonly state: string;
  readonly because: string | null;
  readonly sentMs: number;
  readonly task: string | null;
  readonly thread: string | null;
  readonly text: string | null;
  /** Nobody knows yet that it arrived. */
  readonly isOpen: boolean;
}

const most = 1_000;
const question = `select message_id, sender, receiver, state, because, sent_ms, task, thread, text from messages order by case when state in ('sent', 'unknown', 'poisoned') then 0 else 1 end, sent_ms desc`;

export async function listMessages(signal: AbortSignal): Promise<Message[]> {
  const { columns, rows } = await runSql(question, most, signal);
  const at = (name: string): number => columns.indexOf(name);
  const text = (row: readonly unknown[], name: string): string | null => (row[at(name)] ?? null) as string | null;
  return rows.map((row, index) => ({
    id: text(row, "message_id") ?? `row ${index}`,
    sender: text(row, "sender") ?? "",
    receiver: text(row, "receiver") ?? "",
    state: text(row, "state") ?? "",
    because: text(row, "because"),
    sentMs: Number(row[at("sent_ms")] ?? 0),
    task: text(row, "task"),
    thread: text(row, "thread"),
    text: text(row, "text"),
    isOpen: ["sent", "unknown", "poisoned"].includes(text(row, "state") ?? ""),
  }));
}

export const threadOf = ({ thread }: Message): string | undefined => thread ?? undefined;
