// Lays the native TypeScript compiler down where the system can start it. It travels packed inside the single-file program; its file is removed as soon as it has
// answered, and the helper of a later run removes what a killed one left. Its libraries never reach the disk.

import { join, sep } from "node:path";
import { TrustedDirectory } from "../files/trusted-directory.ts";
import { withTemporaryDirectory } from "../host/process/temporary-directory.ts";
import { builtCompiler } from "../languages/typescript/compiler/built-compiler.ts";
import type { NativeProgram } from "../languages/typescript/compiler/native-libraries.ts";

const name = "tsc";

export async function unpackedProgram(): Promise<NativeProgram> {
  if (builtCompiler === undefined) throw new Error("this program carries no compiler");
  const [program, packedTexts] = await Promise.all([
    unpacked(builtCompiler.program),
    unpacked(builtCompiler.libraries),
  ]);
  const texts = JSON.parse(new TextDecoder().decode(packedTexts)) as Readonly<Record<string, string>>;
  const laid = Promise.withResolvers<NativeProgram>();
  const answered = Promise.withResolvers<void>();
  withTemporaryDirectory("compiler", async (directory) => {
    using place = TrustedDirectory.open(directory);
    place.writeNew(name, program, { mode: 0o700, sync: false });
    // Without a file of this name beside it, it ends at once. Its text is answered from here, like all others.
    place.writeNew("lib.d.ts", "", { sync: false });
    const library = (path: string): string | null => texts[path.slice(directory.length + sep.length)] ?? null;
    laid.resolve({ path: join(directory, name), directory, library, answered: answered.resolve });
    await answered.promise;
  }).catch(laid.reject);
  return laid.promise;
}

const unpacked = async (path: string): Promise<Uint8Array> => Bun.zstdDecompress(await Bun.file(path).bytes());
