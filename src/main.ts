// Reads the command line and opens one door. The rooms behind it are loaded only when a command needs them: this file and
// what it imports statically are paid for by every call.

// A hook is paid for at every tool call of an agent, so its door opens first and with nothing else loaded.
if (process.argv[2] === "hook") {
  const { hook } = await import("./doors/hook/hook.ts");
  await hook(process.argv.slice(3), async (question) =>
    (await import("./app/judge-for-hook.ts")).judgeForHook(question),
  );
} else if (process.argv[2] === "looker-run" && process.send !== undefined) {
  await import("./app/looker.ts");
} else if (process.argv[2] === "compiler-run" && process.send !== undefined) {
  await import("./app/compiler-run.ts");
} else if (process.argv[2] === "--version" || process.argv[2] === "-V") {
  // oxlint-disable-next-line no-console -- the cheapest way to print one line; everything else goes through streams.ts
  console.log(`constel ${await version()}`);
} else {
  // A command has answered, all of it is written: nothing that was left open may keep whoever waits for it.
  process.exit(await openCli(await version()));
}

async function version(): Promise<string> {
  return (await import("../package.json", { with: { type: "json" } })).default.version;
}

async function openCli(version: string): Promise<number> {
  const umask = process.umask(0o077);
  const { beginCli } = await import("./doors/cli/begin-cli.ts");
  return beginCli({
    umask,
    version,
    backstage: {
      runDaemon: async (load) => (await import("./daemon/run.ts")).runDaemon(load, version),
      exportAudit: async (settings, write) => (await import("./app/audit-bundle.ts")).exportAudit(settings, write),
      verifyBundle: async (lines, heads) => (await import("./app/audit-bundle.ts")).verifyBundle(lines, heads),
      readInProcess: async (settings, operation, input) =>
        (await import("./app/read-in-process.ts")).readInProcess(settings, operation, input),
      openReader: async (settings) => (await import("./app/open-reader.ts")).openQueryReader(settings),
      checkPair: async (request) => (await import("./app/look-apart.ts")).checkPair(request),
      checkOpenPulls: async (request) => (await import("./app/check-open-pulls.ts")).checkOpenPulls(request),
      lookAtRepository: async (request) => (await import("./app/look-apart.ts")).lookAtRepository(request),
      settingsComplaint: async (settings) => (await import("./app/check-tables.ts")).settingsComplaint(settings),
      fireDueSchedules: async (settings) => (await import("./app/due-without-daemon.ts")).fireDueSchedules(settings),
      waitingCrons: async (home) => (await import("./app/waiting-crons.ts")).waitingCrons(home),
      tellLifted: async (settings) => (await import("./app/due-without-daemon.ts")).tellLifted(settings),
      judgePermission: async (settings, request) =>
        (await import("./app/judge-permission.ts")).judgePermission(settings, request),
      contracts: async () => (await import("./app/look-apart.ts")).openContracts(),
      serveMcp: async (parts) => (await import("./doors/mcp/stdio.ts")).serveMcp(parts),
      watchScreen: async (parts) => (await import("./doors/tui/watch.ts")).watch(parts),
      keepStore: async (settings) => (await import("./app/keep-store.ts")).keepStore(settings, version),
    },
  });
}
