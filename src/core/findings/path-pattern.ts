// Whether a path matches a pattern as .gitattributes and .gitignore write them: `*` and `?` stay inside a name, `**` spans
// directories, a pattern without a slash matches a name at any depth. Time grows with the product of the lengths, whatever
// the pattern: they come from repositories we do not trust.

export type PathPattern = (path: string) => boolean;

/** `directory` is where the pattern was written ("" is the top); it matches nothing outside. */
export function pathPattern(pattern: string, directory = ""): PathPattern {
  const prefix = directory === "" ? "" : `${directory}/`;
  const rooted = pattern.replace(/^\//, "");
  const isAnywhere = !pattern.replace(/\/$/, "").includes("/");
  // A directory stands for all that is in it.
  const wanted = (rooted.endsWith("/") ? `${rooted}**` : rooted).split("/");
  const segments = isAnywhere ? ["**", ...wanted] : wanted;
  return (path) => path.startsWith(prefix) && matchSegments(segments, path.slice(prefix.length).split("/"));
}

/** Row by row: which prefixes of the path's names the pattern's first segments can cover. */
function matchSegments(pattern: readonly string[], names: readonly string[]): boolean {
  let reach = new Set([0]);
  for (const segment of pattern) {
    const next = new Set<number>();
    for (const at of reach) {
      if (segment === "**") for (let to = at; to <= names.length; to++) next.add(to);
      else if (at < names.length && matchName(segment, names[at] ?? "")) next.add(at + 1);
    }
    if (next.size === 0) return false;
    reach = next;
  }
  return reach.has(names.length);
}

/** Wildcards inside one name: on a mismatch, the last `*` takes one more character. */
function matchName(pattern: string, name: string): boolean {
  let at = 0;
  let index = 0;
  let star = -1;
  let starred = 0;
  while (index < name.length) {
    const piece = pieceAt(pattern, at);
    if (piece?.text === "*") {
      star = at;
      starred = index;
      at += 1;
    } else if (piece?.fits(name.charAt(index)) === true) {
      at += piece.text.length;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      starred += 1;
      index = starred;
    } else return false;
  }
  while (pattern.charAt(at) === "*") at += 1;
  return at === pattern.length;
}

interface Piece {
  readonly text: string;
  fits(character: string): boolean;
}

function pieceAt(pattern: string, at: number): Piece | undefined {
  const first = pattern.charAt(at);
  if (first === "") return undefined;
  if (first === "?") return { text: "?", fits: () => true };
  if (first === "\\" && at + 1 < pattern.length) {
    const escaped = pattern.charAt(at + 1);
    return { text: first + escaped, fits: (character) => character === escaped };
  }
  const end = first === "[" ? pattern.indexOf("]", at + 2) : -1;
  if (end === -1) return { text: first, fits: (character) => character === first };
  const text = pattern.slice(at, end + 1);
  const isNegated = /^\[[!^]/.test(text);
  const inside = text.slice(isNegated ? 2 : 1, -1);
  return { text, fits: (character) => isInClass(inside, character) !== isNegated };
}

function isInClass(inside: string, character: string): boolean {
  for (let at = 0; at < inside.length; at++) {
    if (inside.charAt(at + 1) === "-" && at + 2 < inside.length) {
      if (inside.charAt(at) <= character && character <= inside.charAt(at + 2)) return true;
      at += 2;
    } else if (inside.charAt(at) === character) return true;
  }
  return false;
}
