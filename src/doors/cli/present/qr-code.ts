// Draws a QR code for a terminal, two rows of it in each line of text. The encoder is loaded only when there is one to draw.

/** Light on dark terminals and dark on light ones alike: the quiet zone is drawn, too. */
export async function drawCode(text: string): Promise<string> {
  const { default: encoder } = await import("qrcode-generator");
  const code = encoder(0, "M");
  code.addData(text, /^[0-9A-Z $%*+./:-]+$/.test(text) ? "Alphanumeric" : "Byte");
  code.make();
  const size = code.getModuleCount();
  const quiet = 2;
  const isDark = (row: number, column: number): boolean =>
    row >= 0 && column >= 0 && row < size && column < size && code.isDark(row, column);
  const lines: string[] = [];
  for (let row = -quiet; row < size + quiet; row += 2) {
    let line = "";
    for (let column = -quiet; column < size + quiet; column += 1) {
      const [upper, lower] = [isDark(row, column), isDark(row + 1, column)];
      line += upper ? (lower ? " " : "▄") : lower ? "▀" : "█";
    }
    lines.push(line);
  }
  return lines.join("\n");
}
