// Finds regular expressions that try very many ways on a text made for it. A small matcher of our own tries them in the order in which an engine
// does, and counts the steps instead of the time; texts are made from the parts of the pattern that repeat.

type Part =
  | { readonly is: "char"; readonly fits: (char: string) => boolean; readonly samples: readonly string[] }
  | { readonly is: "all"; readonly parts: readonly Part[] }
  | { readonly is: "either"; readonly parts: readonly Part[] }
  | {
      readonly is: "again";
      readonly part: Part;
      readonly least: number;
      readonly most: number;
      readonly isLazy: boolean;
    }
  | { readonly is: "look"; readonly part: Part; readonly isBehind: boolean; readonly isNot: boolean }
  | { readonly is: "at"; readonly where: "^" | "$" | "b" | "B" };

/** The characters that texts are made of. */
const alphabet = [..." ab0A_-./\\\t\"'()[]{}<>:;,=#@*+$%&|!?~`^\u001bé\nxm1\r"];
/** So often a part is repeated in a text, and twice as often. */
const many = 60;
/** What may be repeated a bounded number of times takes no more than that for each place. */
const bound = 8;
/** No text of that length takes so many where each place takes a few. */
const mostSteps = 100_000;

class Reader {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[gyd]/g, "");
  }

  read(): Part {
    const parts = [this.#sequence()];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      parts.push(this.#sequence());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { is: "either", parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] ?? ""))
      parts.push(this.#repeated(this.#one()));
    return { is: "all", parts };
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    const found = new RegExp(pattern.source, `y${pattern.flags}`);
    found.lastIndex = this.#at;
    const match = found.exec(this.#source) ?? undefined;
    if (match !== undefined) this.#at += match[0].length;
    return match;
  }

  #repeated(part: Part): Part {
    const match = this.#take(/(?:([*+?])|\{(\d+)(,?)(\d*)\})(\?)?/);
    if (match === undefined) return part;
    const [, sign, least = "0", comma = "", most = "", lazy] = match;
    const isLazy = lazy !== undefined;
    if (sign !== undefined) {
      const [low, high] = { "*": [0, Infinity], "+": [1, Infinity], "?": [0, 1] }[sign] ?? [0, 0];
      return { is: "again", part, least: low ?? 0, most: high ?? 0, isLazy };
    }
    const end = comma === "" ? Number(least) : most === "" ? Infinity : Number(most);
    return { is: "again", part, least: Number(least), most: end === Infinity ? end : Math.min(end, bound), isLazy };
  }

  #one(): Part {
    const open = this.#take(/\((?:\?(?:<([A-Za-z]\w*)>|(:|<?[=!])))?/);
    if (open !== undefined) {
      const part = this.read();
      this.#at += 1;
      const kind = open[2] ?? ":";
      return kind === ":" ? part : { is: "look", part, isBehind: kind.startsWith("<"), isNot: kind.endsWith("!") };
    }
    const edge = this.#take(/\^|\$|\\[bB]/)?.[0];
    if (edge !== undefined) return { is: "at", where: (edge.at(-1) ?? "^") as "^" };
    // A reference to a group fits what it fitted: nothing, for our purpose.
    if (this.#take(/\\(?:k<\w+>|[1-9]\d*)/) !== undefined) return { is: "all", parts: [] };
    const char =
      this.#take(
        /\[(?:\\[^]|\[[^\]]*\](?=[^[]*\])|[^\\\]])*\]|\\(?:u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[pP]\{[^}]*\}|c[A-Z]|[^])|[^]/u,
      )?.[0] ?? "";
    const one = new RegExp(`^(?:${char === "/" ? "\\/" : char})$`, this.#flags.replace("m", ""));
    const known = new Map<string, boolean>();
    const fits = (given: string): boolean => {
      const is = known.get(given) ?? one.test(given);
      known.set(given, is);
      return is;
    };
    return { is: "char", fits, samples: alphabet.filter(fits) };
  }
}

/** Counts the steps of a search for the pattern in a text, of which there may be so many. */
class Search {
  steps = 0;
  readonly #text: string;
  readonly #isMultiline: boolean;
  readonly #most: number;

  constructor(text: string, flags: string, most: number) {
    this.#text = text;
    this.#isMultiline = flags.includes("m");
    this.#most = most;
  }

  run(pattern: Part, flags: string): void {
    const starts = flags.includes("y") ? 1 : this.#text.length + 1;
    for (let at = 0; at < starts && this.steps < this.#most; at += 1) {
      let end = -1;
      if (!this.#tries(pattern, at, (found) => ((end = found), true))) continue;
      if (!flags.includes("g")) return;
      at = Math.max(at, end - 1);
    }
  }

  #tries(part: Part, at: number, then: (at: number) => boolean): boolean {
    if ((this.steps += 1) > this.#most) return true;
    switch (part.is) {
      case "char":
        return at < this.#text.length && part.fits(this.#text[at] ?? "") && then(at + 1);
      case "either":
        return part.parts.some((one) => this.#tries(one, at, then));
      case "all":
        return this.#all(part.parts, 0, at, then);
      case "at":
        return this.#isAt(part.where, at) && then(at);
      case "look":
        return this.#looks(part, at) !== part.isNot && then(at);
      case "again":
        return this.#again(part, 0, at, then);
    }
  }

  #all(parts: readonly Part[], index: number, at: number, then: (at: number) => boolean): boolean {
    const part = parts[index];
    if (part === undefined) return then(at);
    return this.#tries(part, at, (next) => this.#all(parts, index + 1, next, then));
  }

  #again(part: Part & { is: "again" }, times: number, at: number, then: (at: number) => boolean): boolean {
    const more = (): boolean =>
      times < part.most &&
      this.#tries(
        part.part,
        at,
        (next) => (next > at || times < part.least) && this.#again(part, times + 1, next, then),
      );
    if (times < part.least) return more();
    return part.isLazy ? then(at) || more() : more() || then(at);
  }

  #looks({ part, isBehind }: Part & { is: "look" }, at: number): boolean {
    if (!isBehind) return this.#tries(part, at, () => true);
    for (let start = at; start >= Math.max(0, at - 10); start -= 1)
      if (this.#tries(part, start, (end) => end === at)) return true;
    return false;
  }

  #isAt(where: string, at: number): boolean {
    const isWord = (index: number): boolean => /\w/.test(this.#text[index] ?? " ");
    if (where === "^") return at === 0 || (this.#isMultiline && this.#text[at - 1] === "\n");
    if (where === "$") return at === this.#text.length || (this.#isMultiline && this.#text[at] === "\n");
    return (isWord(at - 1) !== isWord(at)) === (where === "b");
  }
}

/** One text that the part fits; another one for another number. */
function sampleOf(part: Part, which: number): string {
  if (part.is === "char") return part.samples[which % Math.max(1, part.samples.length)] ?? "";
  if (part.is === "all") return part.parts.map((one) => sampleOf(one, which)).join("");
  if (part.is === "either") {
    const one = part.parts[which % part.parts.length];
    return one === undefined ? "" : sampleOf(one, which);
  }
  if (part.is !== "again") return "";
  return sampleOf(part.part, which).repeat(Math.max(part.least, Math.min(part.most, which % 2)));
}

interface Pumped {
  readonly before: string;
  readonly again: string;
}

/** What can be repeated in a text for this pattern, and what stands before it. */
function pumpsOf(pattern: Part): Pumped[] {
  const found = new Map<string, Pumped>();
  const add = (before: string, again: string): void => {
    if (again !== "" && again.length < 40) found.set(`${before}\0${again}`, { before, again });
  };
  const walk = (part: Part, before: string): void => {
    if (part.is === "either") for (const one of part.parts) walk(one, before);
    if (part.is === "look" && !part.isBehind) walk(part.part, before);
    if (part.is === "all") {
      let so = before;
      for (const one of part.parts) {
        walk(one, so);
        so += sampleOf(one, 0);
      }
    }
    if (part.is !== "again") return;
    if (part.most > bound)
      for (let which = 0; which < 12; which += 1) {
        const again = sampleOf(part.part, which);
        for (const start of ["", before]) add(start, again);
        if (before !== "") add("", before + again);
      }
    walk(part.part, before);
  };
  walk(pattern, "");
  for (let which = 0; which < 3; which += 1) add("", sampleOf(pattern, which));
  for (const { before } of found.values()) if (before !== "") add("", before);
  return [...found.values()];
}

export interface SlowText extends Pumped {
  readonly after: string;
}

/** A text of which twice as much takes more than twice the steps; undefined where none was found. */
export function slowTextFor(source: string, flags: string): SlowText | undefined {
  const pattern = new Reader(source, flags).read();
  const steps = (text: string, most: number): number => {
    const search = new Search(text, flags, most);
    search.run(pattern, flags);
    return search.steps;
  };
  for (const { before, again } of pumpsOf(pattern))
    for (const after of ["\u0001", "\n", "\u0001\n", ""]) {
      const times = (count: number): string => before + again.repeat(Math.ceil(count / again.length)) + after;
      const once = steps(times(many), mostSteps);
      if (once < many * 4) continue;
      if (once > mostSteps || steps(times(2 * many), 4 * mostSteps) > 3 * once) return { before, again, after };
    }
  return undefined;
}
