// File names between git and us. git's names are bytes; ours are strings. Valid UTF-8 is decoded, and each byte that is
// not part of valid UTF-8 becomes the lone surrogate U+DC00 + byte, which no valid text contains, so that every name
// comes back as the bytes it was.

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export function pathFromBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeOdd(bytes);
  }
}

export function pathToBytes(path: string): Uint8Array {
  if (path.isWellFormed()) return encoder.encode(path);
  const parts: Uint8Array[] = [];
  for (const character of path) {
    const code = character.charCodeAt(0);
    const isOddByte = character.length === 1 && code >= 0xdc80 && code <= 0xdcff;
    parts.push(isOddByte ? Uint8Array.of(code - 0xdc00) : encoder.encode(character));
  }
  return Buffer.concat(parts);
}

/** A name for file system calls: the string itself, or its bytes where a string would not do. */
export function fileName(directory: string, path: string): string | Buffer {
  return path.isWellFormed()
    ? `${directory}/${path}`
    : Buffer.concat([encoder.encode(`${directory}/`), pathToBytes(path)]);
}

/** The components of a path, for walking it by descriptors. */
export function partsOf(path: string): (string | Uint8Array)[] {
  return path.split("/").map((part) => (part.isWellFormed() ? part : pathToBytes(part)));
}

/** The fields of a `-z` output. What follows the last NUL, if anything, is a field too. */
export function fieldsOf(bytes: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(0, start);
    if (end === -1) {
      fields.push(bytes.subarray(start));
      break;
    }
    fields.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return fields;
}

/** Names for a `-z --stdin` input. */
export function joinPaths(paths: Iterable<string>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const path of paths) parts.push(pathToBytes(path), Uint8Array.of(0));
  return Buffer.concat(parts);
}

/** Decodes valid runs as text and everything else byte by byte. */
function decodeOdd(bytes: Uint8Array): string {
  let text = "";
  let index = 0;
  while (index < bytes.length) {
    const length = validLength(bytes, index);
    if (length === 0) {
      text += String.fromCharCode(0xdc00 + (bytes[index] ?? 0));
      index += 1;
    } else {
      text += strict.decode(bytes.subarray(index, index + length));
      index += length;
    }
  }
  return text;
}

/** The length of the one valid UTF-8 character at `index`, or 0. */
function validLength(bytes: Uint8Array, index: number): number {
  const first = bytes[index] ?? 0;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
  if (length === 0 || index + length > bytes.length) return 0;
  try {
    strict.decode(bytes.subarray(index, index + length));
    return length;
  } catch {
    return 0;
  }
}
