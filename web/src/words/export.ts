// A result as a file: CSV as programs read it, or JSON.

type Cell = string | number | boolean | null;

const csvCell = (cell: Cell): string => {
  const text = cell === null ? "" : String(cell);
  // A spreadsheet would take these for a formula.
  const safe = typeof cell === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const asCsv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map((row) => row.map(csvCell).join(",")).join("\r\n");

export const asJson = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null]))),
    null,
    1,
  );

export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
