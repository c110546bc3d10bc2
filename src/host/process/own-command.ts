// How this very program is started again, by itself.

/** How this very program was started: Bun with its guards and main.ts, or a compiled binary. */
export function ownCommand(): string[] {
  const script = Bun.main;
  const isCompiled = script.startsWith("/$bunfs/") || script.includes("~BUN");
  return isCompiled
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
