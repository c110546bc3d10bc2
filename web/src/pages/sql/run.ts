// A question in SQL, its answer as rows, and the same as a file.

import { askByName } from "../../live/ask.ts";

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly more: boolean;
}

export async function runSql(sql: string, limit: number, signal?: AbortSignal): Promise<Rows> {
  return (await askByName("query.run", { sql, limit }, signal)) as Rows;
}

export interface View {
  readonly name: string;
  readonly summary: string;
  readonly example: string;
  readonly columns: readonly { readonly name: string; readonly meaning: string }[];
}

export async function readViews(signal?: AbortSignal): Promise<readonly View[]> {
  return ((await askByName("query.views", {}, signal)) as { views: readonly View[] }).views;
}

export const cellText = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** A cell that a spreadsheet would take for a formula is made text. */
export function asCsv({ columns, rows }: Rows): string {
  const cell = (value: unknown): string => {
    const text = cellText(value);
    const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n");
}

export function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
