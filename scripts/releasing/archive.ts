// Tar and ar archives, the same bytes for the same content: no times, no owners, names in the order they are given.

import { readFileSync } from "node:fs";

export interface Entry {
  /** Relative, without `./`; one that ends with `/` is a directory. */
  readonly name: string;
  readonly content: Uint8Array | string;
  readonly runs?: boolean;
}

export const file = (name: string, path: string, runs = false): Entry => ({ name, content: readFileSync(path), runs });

/** Directories on the way are entries too: dpkg wants them. */
export function withDirectories(entries: readonly Entry[]): Entry[] {
  const known = new Set<string>();
  return entries.flatMap((entry) => {
    const parts = entry.name.split("/").slice(0, -1);
    const directories = parts.map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
    const fresh = directories.filter((name) => !known.has(name) && known.add(name));
    return [...fresh.map((name): Entry => ({ name, content: "" })), entry];
  });
}

export function tar(entries: readonly Entry[], prefix = ""): Buffer {
  const blocks = entries.flatMap(({ name, content, runs = false }) => {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const isDirectory = name.endsWith("/");
    const head = tarHead(`${prefix}${name}`, {
      size: bytes.length,
      mode: runs || isDirectory ? 0o755 : 0o644,
      isDirectory,
    });
    return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

interface TarHead {
  readonly size: number;
  readonly mode: number;
  readonly isDirectory: boolean;
}

function tarHead(name: string, { size, mode, isDirectory }: TarHead): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for a tar archive`);
  const head = Buffer.alloc(512);
  const octal = (value: number, at: number, digits: number): void =>
    void head.write(`${value.toString(8).padStart(digits, "0")}\0`, at, "latin1");
  head.write(name, 0, "utf8");
  octal(mode, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(0, 136, 11);
  head.write("        ", 148, "latin1");
  head.write(isDirectory ? "5" : "0", 156, "latin1");
  head.write("ustar\u000000", 257, "latin1");
  head.write("root", 265, "latin1");
  head.write("root", 297, "latin1");
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return head;
}

/** As Debian packages are. */
export function ar(entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap(({ name, content }) => {
    const bytes = Buffer.from(content);
    const size = String(bytes.length).padEnd(10);
    const head = `${name.padEnd(16)}${"0".padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"100644".padEnd(8)}${size}\`\n`;
    return [Buffer.from(head, "latin1"), bytes, Buffer.from(bytes.length % 2 === 1 ? "\n" : "")];
  });
  return Buffer.concat([Buffer.from("!<arch>\n", "latin1"), ...parts]);
}

/** Without a time in its head, so that two runs make the same. */
export const gzipped = (bytes: Uint8Array): Buffer => {
  const packed = Buffer.from(Bun.gzipSync(Buffer.from(bytes), { level: 4 }));
  packed.writeUInt32LE(0, 4);
  return packed;
};

export const digestOf = (bytes: Uint8Array | string): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
