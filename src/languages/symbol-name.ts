// Tells a name that somebody gave from a literal or a word of the language. Only a name may stand as the symbol of a conflict: "uses 1" and
// "uses string" say nothing to the two authors.

const words = new Set(
  `true false null undefined nil None True False NaN void never any unknown object string number boolean bigint symbol this self super
  Literal`.split(/\s+/),
);

export function isSymbolName(text: string): boolean {
  return !words.has(text) && !/^[-+.]?\d|^["'`]/.test(text);
}
