// Doctor on the command line: hands the floor's checks the real machine, and prints what they found.

import { witnessedNow } from "../../../host/clock/kept-time.ts";
import { existsSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { counted } from "../../../protocol/counted.ts";
import type { CheckState, DoctorContext } from "../../../floor/doctor/check.ts";
import { type DoctorReport, runDoctor } from "../../../floor/doctor/doctor.ts";
import { unconfinedClones } from "../../../floor/agents/unconfined.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { tryLock } from "../../../host/process/file-lock.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { refuseUnlessAllowed } from "../../../protocol/authority.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { messageOf } from "../../../protocol/errors.ts";
import { commandsIn } from "../../../settings/commands.ts";
import { inHome } from "../../../settings/paths.ts";
import { askYes, canAsk } from "../input/ask.ts";
import type { RunCommand } from "../input/command.ts";
import type { Turning } from "../machine/live-turns.ts";
import type { CliContext } from "../context.ts";
import type { Output } from "../present/output.ts";
import { oneLine } from "../present/table.ts";
import { daemonNow } from "../reach/daemon-now.ts";
import { buildMet } from "../reach/other-build.ts";
import { directCaller } from "../reach/stop-daemon.ts";
import { whoRuns } from "../who-runs.ts";

export const doctor: RunCommand = async (context, input) => {
  if (input.has("fix")) {
    const refusal = refuseUnlessAllowed(whoRuns(context.places), {
      name: "doctor --fix",
      may: "everybody",
      effect: "writes",
    });
    if (refusal !== undefined) throw refusal;
  }
  const turns = input.has("run") ? await meantTurns(context, input.has("yes")) : [];
  const looked = await runDoctor(doctorContext(context, input.has("full")), { fix: input.has("fix") });
  const report = await withTurns(looked, turns);
  return {
    json: report,
    text: () => show(report, context.output, input.has("quiet")),
    ...(report.healthy ? {} : { exit: exitCodes.negative }),
  };
};

/** A turn costs what any turn costs, on the owner's own account: it is asked for first, and no agent asks for it. */
async function meantTurns(context: CliContext, isSaid: boolean): Promise<readonly Turning[]> {
  const refusal = refuseUnlessAllowed(whoRuns(context.places), {
    name: "doctor --run",
    may: "operators",
    effect: "writes",
  });
  if (refusal !== undefined) throw refusal;
  const { liveTurns } = await import("../machine/live-turns.ts");
  const turns = await liveTurns(context);
  const names = turns.map(({ name }) => name).join(", ");
  if (turns.length === 0) return [noProgram];
  const { output } = context;
  if (isSaid || (canAsk(output) && askYes(output, `Make one turn with ${names}, each on your own account?`)))
    return turns;
  return [
    {
      name: names,
      turn: async () => ({
        code: "program.turn",
        state: "warning",
        saw: `no turn was made with ${names}`,
        means: "One turn of each costs what a turn costs, so it is asked for first.",
        mend: "Say yes on a terminal, or add --yes.",
      }),
    },
  ];
}

const noProgram: Turning = {
  name: "",
  turn: async () => ({ code: "program.turn", state: "warning", saw: "no agent program is there to make a turn with" }),
};

/** One after the other: two at once could be what fails. */
async function withTurns(report: DoctorReport, turns: readonly Turning[]): Promise<DoctorReport> {
  const results = [...report.results];
  for (const { turn } of turns) results.push({ ...(await turn()), fixed: null, fixable: false });
  return { results, healthy: results.every(({ state }) => state !== "broken") };
}

export function doctorContext(context: CliContext, full = false): DoctorContext {
  const { home } = context.places;
  return {
    home,
    full,
    env: context.env,
    clock: systemClock,
    clockJump: () => witnessedNow().jump,
    processes: systemProcesses,
    platform: process.platform,
    settingsProblem: async () => {
      try {
        return await context.backstage.settingsComplaint(await context.settings());
      } catch (cause) {
        return messageOf(cause);
      }
    },
    commands: async () => {
      try {
        return commandsIn((await context.settings()).config);
      } catch {
        return []; // the check of settings says what is wrong with them
      }
    },
    daemonNow: () => daemonNow(home),
    daemonIsForeign: async () => {
      const { pid, build, installation } = await directCaller(context).call("daemon.status", {});
      return buildMet({ pid, build, installation }) === "foreign" ? (installation ?? "an unknown place") : undefined;
    },
    daemonProblems: async () => {
      const { loops } = await directCaller(context).call("daemon.status", {});
      return loops.flatMap(({ name, problem }) => (problem === null ? [] : [{ loop: name, problem }]));
    },
    meshPeers: async () => (await directCaller(context).call("mesh.peers", {})).peers,
    daemonSensing: async () => {
      return (await directCaller(context).call("daemon.status", {})).sensing ?? undefined;
    },
    daemonOpen: async () => {
      const { open } = await directCaller(context).call("status.look", {});
      return open.map(({ why }) => oneLine(why));
    },
    daemonLockHeld() {
      const path = join(home, inHome.daemonLock);
      if (!existsSync(path)) return false;
      const lock = tryLock(home, inHome.daemonLock);
      lock?.release();
      return lock === undefined;
    },
    database: async (whole) => (await context.backstage.keepStore(await context.settings())).health({ full: whole }),
    stuck: async () => {
      try {
        return await (await context.backstage.keepStore(await context.settings())).stuck();
      } catch {
        return []; // the checks of settings and database say what is wrong with them
      }
    },
    ringProblem: async () => {
      const [{ hasKeys }, { hasRingBegun }, { readRingOf, ringFile }] = await Promise.all([
        import("../../../host/keys/seals.ts"),
        import("../../../host/keys/lost-ring.ts"),
        import("../../../host/keys/key-files.ts"),
      ]);
      const keys = hasKeys(home) ? "there are keys" : "all keys with it";
      if (!hasKeys(home) && !hasRingBegun(home)) return undefined;
      try {
        const { problem, statements } = readRingOf(home);
        if (problem !== undefined) return `${ringFile} is not what constel wrote: ${problem}`;
        return statements === 0 ? `${ringFile} is missing, and ${keys}` : undefined;
      } catch (cause) {
        return `${ringFile} cannot be read: ${messageOf(cause)}`;
      }
    },
    waitingCrons: async () => {
      try {
        return (await context.backstage.waitingCrons(home)).map(({ label }) => label);
      } catch {
        return []; // a file that cannot be read is the daemon's to tell: nothing of it fires
      }
    },
    unconfined: async () => {
      try {
        const { config } = await context.settings();
        return config["agents.confined"] ? unconfinedClones(context.places.home) : [];
      } catch {
        return []; // the check of settings says what is wrong with them
      }
    },
    startDaemon: async () => {
      await (await context.caller()).call("daemon.status", {});
    },
    freeBytes(path) {
      let existing = path;
      while (!existsSync(existing)) existing = dirname(existing);
      const { bavail, bsize } = statfsSync(existing);
      return bavail * bsize;
    },
    agentPrograms: async () => {
      const { programVersions } = await import("../machine/agent-machine.ts");
      return programVersions(context);
    },
  };
}

function show(report: DoctorReport, output: Output, quiet: boolean): string {
  const { paint } = output;
  const marks: Record<CheckState, string> = {
    well: paint.green("✓"),
    note: paint.cyan("·"),
    warning: paint.yellow("!"),
    broken: paint.red("✗"),
  };
  const lines: string[] = [];
  for (const result of report.results) {
    if (quiet && result.state === "well") continue;
    lines.push(
      `${marks[result.state]} ${result.code.padEnd(20)} ${result.saw}${result.fixed === null ? "" : ` (repaired: ${result.fixed})`}`,
    );
    if (result.state === "well") continue;
    if (result.means !== undefined) lines.push(`    ${paint.dim(result.means)}`);
    if (result.mend !== undefined) lines.push(`    ${result.mend}`);
  }
  const problems = report.results.filter((result) => result.state === "broken").length;
  if (!quiet)
    lines.push("", report.healthy ? "Nothing is broken." : `${counted(problems, "thing is", "things are")} broken.`);
  return lines.join("\n");
}
