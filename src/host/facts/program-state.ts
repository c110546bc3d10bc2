// Names the state that the readers of languages are in, so that what they said before a change is not believed after it: by the size
// and time of their files, or of the one file that holds them all where the program was built into one.

import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** undefined where it cannot be told: then nothing is to be kept. */
export function programState(): string | undefined {
  try {
    const files = import.meta.path.endsWith("/src/host/facts/program-state.ts") ? sources() : [builtFile()];
    const stamps = files.map((file) => {
      const { size, mtimeMs } = statSync(file);
      return `${file} ${size} ${mtimeMs}`;
    });
    return new Bun.CryptoHasher("sha256")
      .update([Bun.version, ...stamps].join("\n"))
      .digest("hex")
      .slice(0, 16);
  } catch {
    return undefined;
  }
}

/** In the single-file program nothing has a path of its own on the disk. */
const builtFile = (): string => (import.meta.path.startsWith("/$bunfs/") ? process.execPath : import.meta.path);

function sources(): string[] {
  const languages = join(dirname(import.meta.path), "../../languages");
  const names = readdirSync(languages, { recursive: true }).map(String);
  return names
    .filter((name) => name.endsWith(".ts") && !name.includes("/cases/") && !name.endsWith(".test.ts"))
    .sort()
    .map((name) => join(languages, name));
}
