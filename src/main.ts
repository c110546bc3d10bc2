// Reads the command line and opens one door. The rooms behind it are loaded only when a command needs them: this file and
// what it imports statically are paid for by every call.

import packageJson from "../package.json" with { type: "json" };

let interrupted: AbortController | undefined;

// oxlint-disable-next-line no-console -- the cheapest way to print one line; everything else goes through streams.ts
if (process.argv[2] === "--version" || process.argv[2] === "-V") console.log(`constel ${packageJson.version}`);
else process.exitCode = await openCli();

async function openCli(): Promise<number> {
  process.umask(0o077);
  const { runCli } = await import("./doors/cli/cli.ts");
  const { systemStreams } = await import("./doors/cli/streams.ts");
  const { currentDirectory, readEnv } = await import("./settings/env.ts");
  return runCli({
    words: process.argv.slice(2),
    env: readEnv(),
    cwd: currentDirectory(),
    streams: systemStreams(),
    version: packageJson.version,
    signal: interruption,
    backstage: {
      runDaemon: async (settings) => (await import("./daemon/run.ts")).runDaemon(settings, packageJson.version),
      readInProcess: async (settings, operation, input) =>
        (await import("./daemon/read-in-process.ts")).readInProcess(settings, operation, input),
      openReader: async (settings) => (await import("./daemon/open-reader.ts")).openQueryReader(settings),
      keepStore: async (settings) => (await import("./daemon/keep-store.ts")).keepStore(settings),
    },
  });
}

/**
 * Asked for by commands that end in an orderly way. Nobody else has the signals caught: a handler runs between two turns of
 * the event loop, and a command in the middle of a long query or a call that is not answered could not be ended.
 */
function interruption(): AbortSignal {
  if (interrupted === undefined) {
    const controller = new AbortController();
    interrupted = controller;
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort(signal));
  }
  return interrupted.signal;
}
