// Connects a command to constel through the daemon's socket. When nobody listens there, a change starts the daemon (and says so), and a read
// is answered from a snapshot in this process, so that looking never starts anything. When the daemon is there and silent, reads are
// answered so as well; changes are refused.

import { join } from "node:path";
import { type Caller, callerOver, type CallOptions, type OperationName } from "../../../client/caller.ts";
import { isOutOfReach, isSilent } from "../../../client/no-daemon.ts";
import { NoDaemon, socketCaller } from "../../../client/socket.ts";
import { daemonProof } from "../../../host/keys/daemon-proof.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { inHome } from "../../../settings/paths.ts";
import type { CliContext } from "../context.ts";
import { buildMet, isOtherBuild, otherBuild } from "./other-build.ts";

export async function callerFor(
  context: CliContext,
  { allowSecret = false }: { readonly allowSecret?: boolean } = {},
): Promise<Caller> {
  let hasMet = false;
  let saidSilent = false;
  const hasSettings = mayHaveSettings(context);
  const { home, agent } = context.places;
  const socket = socketCaller(join(home, inHome.socket), agent ?? "owner", {
    proof: daemonProof(home),
    warned: (warning) => context.output.say(`constel: ${warning}`),
    // Once: whoever stays on while constel is updated goes on with the daemon that comes then.
    meet(daemon) {
      const met = hasMet || context.env.CONSTEL_CONFINED !== undefined ? "same" : buildMet(daemon);
      hasMet = true;
      if (met !== "same") throw otherBuild(daemon, met);
    },
  });
  return callerOver(async (name, given, options) => {
    // The daemon takes it from the owner alone, beside whatever the operation declares.
    const input = allowSecret ? { ...(given as object), allow_secret: true } : given;
    if (hasSettings) await refuseUnheard(name);
    try {
      return await sent(name, input, options);
    } catch (cause) {
      if (isSilent(cause) || isOutOfReach(cause)) return readBeside(cause, name, input);
      if (isOtherBuild(cause) && cause.facts["met"] === "foreign") return readBeside(cause, name, input);
      if (!(cause instanceof NoDaemon) && !isOtherBuild(cause)) throw cause;
      if (isOtherBuild(cause)) return replaced(name, input, options);
    }
    if (context.env.CONSTEL_CONFINED !== undefined)
      throw new Refusal("confined.out-of-reach", "the daemon does not answer, and cannot be started from here");
    const { operations } = await import("../../../protocol/operations/all.ts");
    if (!operations[name].needsDaemon) return context.backstage.readInProcess(await context.settings(), name, input);
    const { startDaemon } = await import("./start-daemon.ts");
    await startDaemon(context);
    hasMet = true; // it is the one that was just started
    return socket.call(name, input as never, options);
  });

  async function refuseUnheard(name: OperationName): Promise<void> {
    const { refuseUnheard: refuse } = await import("./daemons-settings.ts");
    await refuse(context, async () => {
      const { operations } = await import("../../../protocol/operations/all.ts");
      const { may, effect } = operations[name];
      return effect !== "reads" && may !== "everybody";
    });
  }

  async function replaced(name: OperationName, input: unknown, options: CallOptions): Promise<unknown> {
    const { startDaemon } = await import("./start-daemon.ts");
    try {
      await startDaemon(context);
    } catch (cause) {
      if (isOtherBuild(cause)) return readBeside(cause, name, input);
      throw cause;
    }
    return sent(name, input, options);
  }

  /** A daemon that was about to begin anew has done nothing yet, and is asked again when it is back. */
  async function sent(name: OperationName, input: unknown, options: CallOptions): Promise<unknown> {
    for (let tries = 0; ; tries++) {
      try {
        return await socket.call(name, input as never, options);
      } catch (cause) {
        const isBack = cause instanceof Refusal && cause.code === "daemon.begins-anew" && tries < 3;
        if (!isBack) throw cause;
        const { startDaemon } = await import("./start-daemon.ts");
        const { systemClock } = await import("../../../host/clock/system-clock.ts");
        await systemClock.sleep(200);
        await startDaemon(context);
      }
    }
  }

  async function readBeside(silence: unknown, name: OperationName, input: unknown): Promise<unknown> {
    const { operations } = await import("../../../protocol/operations/all.ts");
    if (operations[name].needsDaemon || context.env.CONSTEL_CONFINED !== undefined) throw silence;
    const why = whyNot(silence);
    if (!saidSilent) context.output.say(`constel: the daemon ${why}; this is what is in the database`);
    saidSilent = true;
    try {
      return await context.backstage.readInProcess(await context.settings(), name, input);
    } catch (cause) {
      // The other build's database is brought up to date by the daemon of this one, which cannot start before the other has ended.
      if (isOtherBuild(silence) && cause instanceof Refusal && /^store\.(?:older|newer)-schema$/.test(cause.code))
        throw new Refusal(cause.code, cause.message, cause.facts, silence.hint);
      throw cause;
    }
  }
}

function whyNot(cause: unknown): string {
  if (isOtherBuild(cause)) return `is another build (\`constel daemon stop\` lets this one take over)`;
  return isSilent(cause) ? "does not answer" : "cannot be reached from here";
}

/** The sections with settings that only the daemon reads: known by heart, because most commands should not load all declarations. */
const daemonsSections =
  /^CONSTEL_(A2A|AGENTS|AUDIT|AUTHORITY|BUDGET|DELIVERY|FINDINGS|FORGE|GATE|HARVEST|HEALTH|HTTP|LIMITS|LOGS|MESH|NOTICES|OBSERVE|REPLIES|RETENTION|SERVE|TASKS|WORKERS|WORKSPACES)_/;

/** Tells whether settings of the daemon's may have been given for this run, by flag or by variable. */
export const mayHaveSettings = ({ flags, env }: Pick<CliContext, "flags" | "env">): boolean =>
  (flags.set ?? []).length > 0 || Object.keys(env).some((name) => daemonsSections.test(name));
