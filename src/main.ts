// Reads the command line and opens one door. The rooms behind it are loaded only when a command needs them.

import packageJson from "../package.json" with { type: "json" };
import { runCli } from "./doors/cli/cli.ts";
import { readEnv } from "./settings/env.ts";

process.umask(0o077);
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort(signal));

process.exitCode = await runCli({
  words: process.argv.slice(2),
  env: readEnv(),
  cwd: process.cwd(),
  streams: process,
  version: packageJson.version,
  signal: interrupted.signal,
  backstage: {
    runDaemon: async (settings) => (await import("./daemon/run.ts")).runDaemon(settings, packageJson.version),
    readInProcess: async (settings, operation, input) =>
      (await import("./daemon/read-in-process.ts")).readInProcess(settings, operation, input),
    openReader: async (settings) => (await import("./daemon/open-reader.ts")).openQueryReader(settings),
    keepStore: async (settings) => (await import("./daemon/keep-store.ts")).keepStore(settings),
  },
});
