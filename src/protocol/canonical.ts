// One text for one value: the JSON canonicalization scheme of RFC 8785. What is signed is these bytes, so whoever checks a
// signature in another language has a standard to follow. JavaScript's own way of writing numbers and strings is the one that the
// standard prescribes; what is left to do is the order of the names, and refusing what has no JSON form.

export function canonical(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return textOf(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError("a number that JSON cannot write cannot be signed");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object") {
    const fields = Object.entries(value)
      .filter(([, content]) => content !== undefined)
      // By UTF-16 code units, as the standard says and as JavaScript compares.
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, content]) => `${textOf(name)}:${canonical(content)}`);
    return `{${fields.join(",")}}`;
  }
  throw new TypeError(`a ${typeof value} cannot be signed`);
}

function textOf(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("text with half a character cannot be signed");
  return JSON.stringify(text);
}

/** Returns the bytes that a signature covers, under a name that no other signed thing of ours has. */
export function bytesToSign(what: string, value: object): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`constel ${what}\n${canonical(value)}`);
}

/** The same for one constellation alone: an owner may have one key in several homes, and what is signed for one is good in no other. */
export function bytesFor(constellation: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const name = new TextEncoder().encode(["constel of", `${constellation}\n`].join(" "));
  const whole = new Uint8Array(name.length + bytes.length);
  whole.set(name);
  whole.set(bytes, name.length);
  return whole;
}
