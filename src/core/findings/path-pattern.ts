// Tells whether a path matches a pattern as .gitattributes and .gitignore write them: `*` and `?` stay inside a name, `**` spans
// directories, a pattern without a slash matches a name at any depth. Time grows with the product of the lengths, whatever the pattern: they
// come from repositories we do not trust. A pattern is read once and then asked about thousands of paths.

export type PathPattern = (path: string) => boolean;

/** `directory` is where the pattern was written ("" is the top); it matches nothing outside. */
export function pathPattern(pattern: string, directory = ""): PathPattern {
  const prefix = directory === "" ? "" : `${directory}/`;
  const rooted = pattern.replace(/^\//, "");
  const isAnywhere = !pattern.replace(/\/$/, "").includes("/");
  // A directory stands for all that is in it.
  const wanted = (rooted.endsWith("/") ? `${rooted}**` : rooted).split("/");
  const segments = (isAnywhere ? ["**", ...wanted] : wanted).map(readSegment);
  const [first, last, ...more] = segments;
  // Nearly all are of this kind: a name at any depth.
  if (first === "**" && last !== undefined && last !== "**" && more.length === 0)
    return (path) => path.startsWith(prefix) && last(path.slice(Math.max(prefix.length, path.lastIndexOf("/") + 1)));
  return (path) => path.startsWith(prefix) && matchSegments(segments, path.slice(prefix.length).split("/"));
}

type NameMatch = (name: string) => boolean;

/** Any number of names, or one that matches. */
type Segment = "**" | NameMatch;

const readSegment = (text: string): Segment => (text === "**" ? text : nameMatch(text));

/** Segment by segment: after how many of the path's names the pattern can stand. */
function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  const reach = names.map(() => false);
  reach.unshift(true);
  for (const segment of segments) {
    let isAny = false;
    if (segment === "**") {
      for (let at = 0; at < reach.length; at++) reach[at] = isAny ||= reach[at] === true;
    } else {
      for (let at = reach.length - 1; at >= 0; at--) {
        const fits = reach[at - 1] === true && segment(names[at - 1] ?? "");
        reach[at] = fits;
        isAny ||= fits;
      }
    }
    if (!isAny) return false;
  }
  return reach.at(-1) === true;
}

const star = Symbol("*");

/** A character, what fits one, or any number of them. */
type Piece = string | ((character: string) => boolean) | typeof star;

/** Most segments are plain names, or have one star. */
function nameMatch(pattern: string): NameMatch {
  const pieces = piecesOf(pattern);
  const parts: string[] = [""];
  for (const piece of pieces) {
    if (typeof piece === "function") return (name) => matchPieces(pieces, name);
    if (piece === star) parts.push("");
    else parts.push((parts.pop() ?? "") + piece);
  }
  const [first = "", last, ...more] = parts;
  if (more.length > 0) return (name) => matchPieces(pieces, name);
  if (last === undefined) return (name) => name === first;
  return (name) => name.length >= first.length + last.length && name.startsWith(first) && name.endsWith(last);
}

/** On a mismatch, the last `*` takes one more character. */
function matchPieces(pieces: readonly Piece[], name: string): boolean {
  let at = 0;
  let index = 0;
  let starAt = -1;
  let starred = 0;
  while (index < name.length) {
    const piece = pieces[at];
    if (piece === star) {
      starAt = at;
      starred = index;
      at += 1;
    } else if (piece !== undefined && fits(piece, name.charAt(index))) {
      at += 1;
      index += 1;
    } else if (starAt >= 0) {
      at = starAt + 1;
      starred += 1;
      index = starred;
    } else return false;
  }
  while (pieces[at] === star) at += 1;
  return at === pieces.length;
}

const fits = (piece: Exclude<Piece, typeof star>, character: string): boolean =>
  typeof piece === "string" ? piece === character : piece(character);

function piecesOf(pattern: string): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const first = pattern.charAt(at);
    const end = first === "[" ? pattern.indexOf("]", at + 2) : -1;
    if (first === "*") pieces.push(star);
    else if (first === "?") pieces.push(() => true);
    else if (first === "\\" && at + 1 < pattern.length) pieces.push(pattern.charAt(++at));
    else if (end === -1) pieces.push(first);
    else {
      pieces.push(oneOf(pattern.slice(at + 1, end)));
      at = end;
    }
  }
  return pieces;
}

/** `text`: what stands between the brackets. */
function oneOf(text: string): (character: string) => boolean {
  const isNegated = /^[!^]/.test(text);
  const inside = isNegated ? text.slice(1) : text;
  return (character) => isInClass(inside, character) !== isNegated;
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
