// Builds the command by which this very program starts itself again.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { childEnvironment } from "./child-environment.ts";

/** Returns the command that started this very program: Bun with its guards and main.ts, or a compiled binary. */
export function ownCommand(): string[] {
  const script = Bun.main;
  return isCompiled(script)
    ? [process.execPath]
    : [
        process.execPath,
        "--no-env-file",
        "--config=/dev/null",
        "--tsconfig-override=/dev/null",
        "--no-install",
        script,
      ];
}

/** The environment it is started with: the same as for any child, and the place where Bun keeps what it translated. */
export function ownEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return childEnvironment(from, { ...translations(), ...extra });
}

/** For those who start it with an environment of their own, such as agents with their hooks: what it needs to know stands in the command. */
export function ownWholeCommand(): string[] {
  const variables = Object.entries(translations()).map(([name, value]) => `${name}=${value}`);
  return variables.length === 0 ? ownCommand() : ["/usr/bin/env", ...variables, ...ownCommand()];
}

/**
 * As bin/constel says it. Left to itself Bun keeps them in `.bun` of the user's home, where nobody would look for something of constel's. The quick
 * program says it to the sources by itself.
 */
function translations(): Record<string, string> {
  const script = Bun.main;
  const packages = join(dirname(dirname(script)), "node_modules");
  // Under test the script is a test, somewhere among the sources.
  if (isCompiled(script) || !existsSync(packages)) return {};
  return { BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(packages, ".cache/bun") };
}

const isCompiled = (script: string): boolean => script.startsWith("/$bunfs/") || script.includes("~BUN");
