// The native TypeScript compiler that travels packed inside the single-file program. It is laid down where the system can start it and removed as soon as it
// has answered; its libraries never reach the disk.

import { join, sep } from "node:path";
import type { LayDown } from "../../language.ts";
import { builtCompiler } from "./built-compiler.ts";
import { serveCompiler } from "./compiler-child.ts";
import type { NativeProgram } from "./native-libraries.ts";

const name = "tsc";

export function serveBuiltCompiler(layDown: LayDown): void {
  serveCompiler(() => laidDown(layDown));
}

async function laidDown(layDown: LayDown): Promise<NativeProgram> {
  if (builtCompiler === undefined) throw new Error("this program carries no compiler");
  const [content, packedTexts] = await Promise.all([
    unpacked(builtCompiler.program),
    unpacked(builtCompiler.libraries),
  ]);
  const texts = JSON.parse(new TextDecoder().decode(packedTexts)) as Readonly<Record<string, string>>;
  const { directory, remove } = await layDown([
    { name, content, runs: true },
    // Without a file of this name beside it, it ends at once. Its text is answered from here, like all others.
    { name: "lib.d.ts", content: new Uint8Array(), runs: false },
  ]);
  const library = (path: string): string | null => texts[path.slice(directory.length + sep.length)] ?? null;
  return { path: join(directory, name), directory, library, answered: remove };
}

const unpacked = async (path: string): Promise<Uint8Array> => Bun.zstdDecompress(await Bun.file(path).bytes());
