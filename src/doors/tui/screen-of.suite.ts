// What a terminal shows that is written to, for tests: it knows the sequences that the monitor writes, and fails on any other.

export class ShownScreen {
  readonly #columns: number;
  readonly #rows: string[][];
  #x = 0;
  #y = 0;
  #region: [top: number, bottom: number];
  /** All bytes since the last look. */
  written = 0;

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = Array.from({ length: rows }, () => this.#empty());
    this.#region = [0, rows - 1];
  }

  get rows(): string[] {
    return this.#rows.map((row) => row.join("").trimEnd());
  }

  write(bytes: string): void {
    this.written += Buffer.byteLength(bytes);
    // oxlint-disable-next-line no-control-regex -- a terminal's own language
    for (const [whole, command = "", letter] of bytes.matchAll(/\u001b\[([\d;?]*)([A-Za-z])|[\s\S]/gu)) {
      if (letter === undefined) this.#put(whole);
      else this.#obey(command, letter);
    }
  }

  #put(character: string): void {
    // oxlint-disable-next-line no-control-regex -- these are what must not come
    if (/[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/.test(character))
      throw new Error(`a character that acts reached the terminal: ${JSON.stringify(character)}`);
    const width = Bun.stringWidth(character);
    if (this.#x + width > this.#columns) throw new Error(`row ${this.#y} is written past its end: ${character}`);
    const row = this.#rows[this.#y];
    if (row === undefined) throw new Error(`there is no row ${this.#y}`);
    row[this.#x] = character;
    if (width > 1) row[this.#x + 1] = "";
    this.#x += width;
  }

  #obey(command: string, letter: string): void {
    const [a = 1, b = 1] = command.split(";").map((one) => (one === "" ? 1 : Number(one)));
    const [top, bottom] = this.#region;
    if (letter === "H") [this.#y, this.#x] = [a - 1, b - 1];
    else if (letter === "r") this.#region = command === "" ? [0, this.#rows.length - 1] : [a - 1, b - 1];
    else if (letter === "L") {
      this.#rows.splice(bottom, 1);
      this.#rows.splice(top, 0, this.#empty());
    } else if (letter === "M") {
      this.#rows.splice(top, 1);
      this.#rows.splice(bottom, 0, this.#empty());
    } else if (letter === "J") this.#rows.forEach((_, at) => (this.#rows[at] = this.#empty()));
    else if (letter !== "m" && !/^\?(1049|25)$/.test(command))
      throw new Error(`an unknown sequence: ${command}${letter}`);
  }

  #empty(): string[] {
    return Array.from({ length: this.#columns }, () => " ");
  }
}
