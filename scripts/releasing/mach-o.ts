// The code signature of a program for macOS. A program that was compiled for it here no longer holds what its linker signed, and the system ends a
// program whose pages are not what its signature says. So it is signed anew, ad hoc: no identity, a digest of each page. `pagesAtFault` reads
// a signature and compares every page, as the system does when it loads one.

const pageBytes = 4096;
const digestBytes = 32;
const codeSignatureCommand = 0x1d;
const segmentCommand = 0x19;
const superBlobMagic = 0xfade0cc0;
const codeDirectoryMagic = 0xfade0c02;
const requirementsMagic = 0xfade0c01;
const codeDirectorySlot = 0;
const requirementsSlot = 2;
const directoryHeadBytes = 88;
/** Signed by no identity. */
const adHocFlag = 0x2;
/** The main program, not a library. */
const mainBinaryFlag = 0x1;

interface Layout {
  /** Where the load command of the signature stands. */
  readonly signatureCommand: number;
  readonly signatureAt: number;
  readonly linkEdit: { readonly command: number; readonly fileOffset: number };
  readonly text: { readonly fileOffset: number; readonly fileBytes: number };
}

export const isMachO = (bytes: Buffer): boolean => bytes.length > 32 && bytes.readUInt32LE(0) === 0xfeedfacf;

export function signed(program: Buffer, identifier: string): Buffer {
  const { signatureCommand, signatureAt, linkEdit, text } = layoutOf(program);
  const signatureBytes = sizeOfSignature(signatureAt, identifier);
  const bytes = Buffer.alloc(signatureAt + signatureBytes);
  program.copy(bytes, 0, 0, signatureAt);
  bytes.writeUInt32LE(signatureAt, signatureCommand + 8);
  bytes.writeUInt32LE(signatureBytes, signatureCommand + 12);
  const linkEditBytes = bytes.length - linkEdit.fileOffset;
  bytes.writeBigUInt64LE(BigInt(Math.ceil(linkEditBytes / 16384) * 16384), linkEdit.command + 32); // in memory, whole pages
  bytes.writeBigUInt64LE(BigInt(linkEditBytes), linkEdit.command + 48);
  writeSignature(bytes, signatureAt, { identifier, text });
  return bytes;
}

/** The numbers of the pages whose digest is not the signed one; an error where there is no signature to read. */
export function pagesAtFault(program: Buffer): { readonly pages: number; readonly atFault: readonly number[] } {
  const { signatureAt } = layoutOf(program);
  if (program.readUInt32BE(signatureAt) !== superBlobMagic) throw new Error("the program is not signed");
  const directory = signatureAt + blobOf(program, signatureAt, codeDirectorySlot);
  if (program.readUInt32BE(directory) !== codeDirectoryMagic) throw new Error("the signature has no code directory");
  const hashesAt = directory + program.readUInt32BE(directory + 16);
  const pages = program.readUInt32BE(directory + 28);
  const limit = program.readUInt32BE(directory + 32);
  const page = 2 ** program.readUInt8(directory + 39);
  if (limit !== signatureAt) throw new Error(`the signature covers ${limit} of ${signatureAt} bytes`);
  if (program.readUInt8(directory + 36) !== digestBytes || pages !== Math.ceil(limit / page))
    throw new Error("the signature has a digest of another kind, or not one for each page");
  const atFault: number[] = [];
  for (let index = 0; index < pages; index++) {
    const found = sha256(program.subarray(index * page, Math.min((index + 1) * page, limit)));
    const at = hashesAt + index * digestBytes;
    if (!found.equals(program.subarray(at, at + digestBytes))) atFault.push(index);
  }
  return { pages, atFault };
}

function blobOf(program: Buffer, signatureAt: number, slot: number): number {
  const count = program.readUInt32BE(signatureAt + 8);
  for (let index = 0; index < count; index++) {
    const at = signatureAt + 12 + index * 8;
    if (program.readUInt32BE(at) === slot) return program.readUInt32BE(at + 4);
  }
  throw new Error(`the signature has no part ${slot}`);
}

function layoutOf(bytes: Buffer): Layout {
  if (!isMachO(bytes)) throw new Error("this is not a 64-bit Mach-O program");
  const commands = bytes.readUInt32LE(16);
  let signatureCommand: number | undefined;
  let linkEdit: Layout["linkEdit"] | undefined;
  let text: Layout["text"] | undefined;
  for (let index = 0, at = 32; index < commands; index++, at += bytes.readUInt32LE(at + 4)) {
    const command = bytes.readUInt32LE(at);
    if (command === codeSignatureCommand) signatureCommand = at;
    if (command !== segmentCommand) continue;
    const name = bytes.toString("latin1", at + 8, at + 24).replaceAll("\0", "");
    const fileOffset = Number(bytes.readBigUInt64LE(at + 40));
    if (name === "__LINKEDIT") linkEdit = { command: at, fileOffset };
    if (name === "__TEXT") text = { fileOffset, fileBytes: Number(bytes.readBigUInt64LE(at + 48)) };
  }
  if (signatureCommand === undefined || linkEdit === undefined || text === undefined)
    throw new Error("the program has no room for a signature");
  return { signatureCommand, signatureAt: bytes.readUInt32LE(signatureCommand + 8), linkEdit, text };
}

/** The parts before the code directory: head, index of two parts. */
const indexBytes = 12 + 2 * 8;
const requirementsBytes = 12;
/** One digest for each special part up to the requirements. */
const specialSlots = 2;

function directoryBytes(covered: number, identifier: string): number {
  const slots = Math.ceil(covered / pageBytes) + specialSlots;
  return directoryHeadBytes + identifier.length + 1 + slots * digestBytes;
}

const sizeOfSignature = (covered: number, identifier: string): number =>
  indexBytes + directoryBytes(covered, identifier) + requirementsBytes;

function writeSignature(
  bytes: Buffer,
  at: number,
  { identifier, text }: { readonly identifier: string; readonly text: Layout["text"] },
): void {
  const directory = at + indexBytes;
  const size = directoryBytes(at, identifier);
  const requirements = directory + size;
  const put = (from: number, ...numbers: readonly number[]): void => {
    numbers.forEach((number, index) => bytes.writeUInt32BE(number, from + index * 4));
  };
  put(at, superBlobMagic, bytes.length - at, 2);
  put(at + 12, codeDirectorySlot, indexBytes, requirementsSlot, indexBytes + size);
  put(requirements, requirementsMagic, requirementsBytes, 0);
  const pages = Math.ceil(at / pageBytes);
  const hashes = directory + directoryHeadBytes + identifier.length + 1 + specialSlots * digestBytes;
  // Version 2.4.0 has the range of the main program's code.
  put(
    directory,
    codeDirectoryMagic,
    size,
    0x20400,
    adHocFlag,
    hashes - directory,
    directoryHeadBytes,
    specialSlots,
    pages,
    at,
  );
  bytes.writeUInt8(digestBytes, directory + 36);
  bytes.writeUInt8(2, directory + 37); // SHA-256
  bytes.writeUInt8(Math.log2(pageBytes), directory + 39);
  bytes.writeBigUInt64BE(BigInt(text.fileOffset), directory + 64);
  bytes.writeBigUInt64BE(BigInt(text.fileBytes), directory + 72);
  bytes.writeBigUInt64BE(BigInt(mainBinaryFlag), directory + 80);
  bytes.write(`${identifier}\0`, directory + directoryHeadBytes, "latin1");
  sha256(bytes.subarray(requirements, requirements + requirementsBytes)).copy(
    bytes,
    hashes - requirementsSlot * digestBytes,
  );
  for (let index = 0; index < pages; index++) {
    const page = bytes.subarray(index * pageBytes, Math.min((index + 1) * pageBytes, at));
    sha256(page).copy(bytes, hashes + index * digestBytes);
  }
}

const sha256 = (bytes: Uint8Array): Buffer => new Bun.CryptoHasher("sha256").update(bytes).digest() as Buffer;
