// A text without the bodies of its functions, which no other file can see in Go, Java and Rust. It goes by lines and indentation, as
// formatters write them: a body runs from a line that ends in `{` to the first line that closes it at the same depth. Where the
// text is laid out otherwise, the whole of it counts.

export function withoutBodies(text: string, begins: RegExp): string {
  const kept: string[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    // A directive (`//go:build`) is written as a comment and is none.
    const isComment = /^\s*(\/\/(?!go:| \+build)|$)/.test(line);
    if (!isComment) kept.push(line.trimEnd());
    if (!begins.test(line) || !/\{\s*$/.test(line)) continue;
    const end = endOfBody(lines, at, begins);
    if (end === undefined) return text;
    at = end;
  }
  return kept.join("\n");
}

function endOfBody(lines: readonly string[], start: number, begins: RegExp): number | undefined {
  const depth = /^\s*/.exec(lines[start] ?? "")?.[0] ?? "";
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    const own = /^\s*/.exec(line)?.[0] ?? "";
    if (own === depth && line.trim() === "}") return at;
    // Something of the same depth, or outside, that is no end: this is not how bodies are written here.
    if (!own.startsWith(depth) || (own === depth && begins.test(line))) return undefined;
  }
  return undefined;
}
