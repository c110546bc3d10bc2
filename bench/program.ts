// The program that the entries measure: as users start it, that is the quick program where it can be built.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const top = join(import.meta.dir, "..");
const quick = join(top, "node_modules/.constel/quick");

const guards = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];

/** Through the shell, as a person types it. */
export const constel = join(top, "bin/constel");

/** Without the shell: what an agent's hooks run. */
export const ownCommand = (): string[] =>
  existsSync(quick) ? [quick] : [process.execPath, ...guards, join(top, "src/main.ts")];

/** Built anew when a source has changed; otherwise every start would pay for finding that out and for the sources too. */
export function bringUpToDate(): void {
  const { exitCode, stderr } = Bun.spawnSync(
    [process.execPath, ...guards, join(top, "scripts/build-quick.ts"), "--if-stale"],
    { stdout: "ignore", stderr: "pipe" },
  );
  if (exitCode !== 0) throw new Error(`the quick program was not built: ${stderr.toString()}`);
}

/**
 * A floor is built in the same way as what is measured against it: compiled into one file, with its bytecode, and as reluctant to compile
 * further while it starts (scripts/build-quick.ts) unless it is to run for long.
 */
export async function compileFloor(
  directory: string,
  name: string,
  source: string,
  { jitPolicy = 8 }: { readonly jitPolicy?: number } = {},
): Promise<string> {
  const script = join(directory, `${name}.ts`);
  const outfile = join(directory, name);
  writeFileSync(script, source);
  await Bun.build({
    entrypoints: [script],
    target: "bun",
    minify: true,
    bytecode: true,
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false, jitPolicy },
  });
  return outfile;
}
