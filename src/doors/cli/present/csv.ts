// One line of CSV as RFC 4180 has it. A cell that a spreadsheet would take for a formula is left as it is: this is data for
// programs, and changing it would be worse.

export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
}
