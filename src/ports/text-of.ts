// The text that bytes are.

/** UTF-8, or UTF-16 where the first bytes say so: some editors write it, YAML allows it, and compilers read it. undefined when they are neither. */
export function textOf(bytes: Uint8Array): string | undefined {
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encoding = mark === "255 254" ? "utf-16le" : mark === "254 255" ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
