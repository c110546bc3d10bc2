// What could be meant by the word before the cursor: keywords, tables and views, and their columns.

export interface Relation {
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly string[];
}

export interface Offer {
  readonly word: string;
  readonly what: string;
}

const keywords = [
  "select",
  "from",
  "where",
  "group by",
  "order by",
  "limit",
  "join",
  "left join",
  "on",
  "as",
  "and",
  "or",
  "not",
  "null",
  "is",
  "in",
  "like",
  "between",
  "case",
  "when",
  "then",
  "else",
  "end",
  "count(*)",
  "sum(",
  "avg(",
  "min(",
  "max(",
  "coalesce(",
  "distinct",
  "having",
  "union all",
  "with",
  "desc",
];

const most = 12;

/** Where the word before the cursor begins. */
export function wordBefore(text: string, cursor: number): { from: number; word: string } {
  const word = /[\w.]*$/.exec(text.slice(0, cursor))?.[0] ?? "";
  const own = word.slice(word.lastIndexOf(".") + 1);
  return { from: cursor - own.length, word };
}

export function offersFor(text: string, cursor: number, relations: readonly Relation[]): Offer[] {
  const { word } = wordBefore(text, cursor);
  const [before, own] = word.includes(".")
    ? [word.slice(0, word.lastIndexOf(".")), word.slice(word.lastIndexOf(".") + 1)]
    : ["", word];
  if (before !== "") return fitting(columnsOf(aliased(text, before), relations), own);
  if (own === "") return [];
  const isAfterFrom = /\b(?:from|join)\s+[\w]*$/i.test(text.slice(0, cursor));
  const tables = relations.map(({ name, kind }): Offer => ({ word: name, what: kind }));
  if (isAfterFrom) return fitting(tables, own);
  const named = relations.filter(({ name }) => new RegExp(`\\b${name}\\b`, "i").test(text));
  const columns = named.flatMap(({ name }) => columnsOf(name, relations));
  return fitting([...columns, ...tables, ...keywords.map((one): Offer => ({ word: one, what: "" }))], own);
}

const columnsOf = (table: string, relations: readonly Relation[]): Offer[] =>
  (relations.find(({ name }) => name === table)?.columns ?? []).map((column) => ({ word: column, what: table }));

/** `c` in `from clones_now c`. */
function aliased(text: string, alias: string): string {
  const found = new RegExp(`\\b(?:from|join)\\s+(\\w+)\\s+(?:as\\s+)?${alias}\\b`, "i").exec(text)?.[1];
  return found ?? alias;
}

function fitting(offers: readonly Offer[], own: string): Offer[] {
  const start = own.toLowerCase();
  const unique = new Map(offers.map((offer) => [offer.word, offer]));
  return [...unique.values()]
    .filter(({ word }) => word.toLowerCase().startsWith(start) && word.toLowerCase() !== start)
    .slice(0, most);
}
