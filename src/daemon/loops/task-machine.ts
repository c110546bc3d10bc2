// The machine behind the subject of tasks: workspaces, grounds to land on, briefs, and who this process is.

import { BackOffs } from "../../ports/back-off.ts";
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { encloseCommands } from "../../app/enclose-commands.ts";
import type { TaskMachine } from "../../core/tasks/task-context.ts";
import { ownWorkspaces } from "../../floor/agents/confine-agent.ts";
import { readLaunch } from "../../floor/agents/launch-files.ts";
import { send } from "../../floor/bus/send.ts";
import { systemClock, systemRandom } from "../../host/clock/system-clock.ts";
import { identityAt } from "../../host/git/observer.ts";
import type { ForgeSetting } from "../../host/forge/forge-setting.ts";
import { systemForges } from "../../host/forge/forges.ts";
import { childEnvironment } from "../../host/process/child-environment.ts";
import { systemGrounds } from "../../host/harvest/landing-repository.ts";
import { busTrust } from "../../host/keys/bus-trust.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { shapesIn } from "../../host/secrets/shapes.ts";
import { systemWorkspaces } from "../../host/workspace/workspaces.ts";
import { placePath, refuseLinksInside, type TrustedPlace } from "../../files/trusted-place.ts";
import type { Grounds } from "../../ports/harvest.ts";
import { constellationHolder } from "../../ports/keys.ts";
import { readHooks } from "../../host/runtime/hook-records.ts";
import { briefSender, type Deliver } from "../../ports/deliver.ts";
import { complaintAbout } from "../../protocol/envelope.ts";
import { Refusal } from "../../protocol/errors.ts";
import { secretRefusal } from "../../protocol/secret-refusal.ts";
import type { SecretMode } from "../../protocol/secret-surfaces.ts";
import { secretModeIn } from "../../settings/secret-mode.ts";
import { readEnv } from "../../settings/env.ts";
import { enclosureWish } from "../../settings/enclosure.ts";
import { killPoint } from "../../settings/kill-at.ts";
import { inHome } from "../../settings/paths.ts";
import { budgetIn } from "../../settings/agents-budget.ts";
import type { Settings } from "../../settings/settings.ts";
import { readTrusted, writeTrusted } from "../../files/trusted-files.ts";

const largestBrief = 1024 * 1024;

export function makeTaskMachine(settings: Settings): TaskMachine {
  const enclose = encloseCommands(enclosureWish(settings));
  const options = { processes: systemProcesses, environment: readEnv(), enclose };
  const constellation = settings.config["constellation.name"];
  const { pid, token } = systemLiveness.self();
  return {
    workspaces: systemWorkspaces({ ...options, home: settings.home }),
    grounds: withoutLinks(
      { root: settings.home, relative: inHome.harvest },
      systemGrounds({ ...options, directory: join(settings.home, inHome.harvest) }),
    ),
    forges: systemForges({
      settings: forgeSettings(settings),
      processes: systemProcesses,
      environment: childEnvironment(readEnv()),
      clock: systemClock,
    }),
    hasSecrets: (text) => shapesIn(text).length > 0,
    deliver: letters(settings),
    onLimit: settings.config["limits.on_limit"] === "handover" ? "handover" : "wait",
    transcriptOf: (agent) =>
      readHooks(settings.home, agent, 0).findLast(({ transcript }) => transcript !== undefined)?.transcript,
    identityOf: (path) => identityAt(path, options),
    readBrief: (root, path) => readBrief(root, path, secretModeIn(settings.config)("records")),
    writeFile: (root, path, text) => writeTrusted(root, path, text),
    requireGate: settings.config["harvest.require_gate"],
    requireReview: settings.config["harvest.require_review"],
    bundles: join(settings.home, inHome.rescues),
    holder: `${constellation}:${pid}:${token}`,
    isGone(holder) {
      // Process numbers mean something only on this machine, and a constellation is one machine.
      const [whose, number, mark = ""] = holder.split(":");
      return whose === constellation && systemLiveness.isProvenDead({ pid: Number(number), token: mark });
    },
    inHand: new Set(),
    unended: new BackOffs(),
    step: killPoint,
    ownWorkspaces: (agent) => (readLaunch(settings.home, agent)?.confined === true ? ownWorkspaces(agent) : undefined),
  };
}

const forgeSettings = ({ config }: Settings): readonly ForgeSetting[] =>
  config["forge.hosts"] as unknown as readonly ForgeSetting[];

/** git and we ourselves write into these clones by name: no link may stand for one of their directories. */
function withoutLinks(place: TrustedPlace, grounds: Grounds): Grounds {
  const look = (): void => {
    placePath(place, { create: true });
    refuseLinksInside(place, 4);
  };
  return {
    async open(wish) {
      look();
      return await grounds.open(wish);
    },
    async read(wish) {
      look();
      return await grounds.read(wish);
    },
    async tidy(wish) {
      look();
      return await grounds.tidy(wish);
    },
  };
}

/** Briefs go by the bus, from nobody's agent: replies are for the owner's. */
function letters(settings: Settings): Deliver {
  const { home } = settings;
  const bus = {
    home,
    clock: systemClock,
    random: systemRandom,
    liveness: systemLiveness,
    ...busTrust(home, systemClock, () => constellationHolder),
  };
  const { config } = settings;
  return {
    put({ id, to, kind, task, text }) {
      const about = task === null ? {} : { task: String(task) };
      send(bus, { id, from: briefSender, to, kind, text, ...about, idempotency_key: id });
    },
    program: join(settings.home, inHome.programs, "constel"),
    hasOnlyTools: (agent) => readLaunch(home, agent)?.launch.mcp?.["constel"] !== undefined,
    carries: (text) => complaintAbout({ from: briefSender, text, ts: "" }) === undefined,
    budget: budgetIn(config),
  };
}

function readBrief(root: string, path: string, secrets: SecretMode): { path: string; text: string } {
  const real = existsSync(root) ? realpathSync(root) : root;
  const full = isAbsolute(path) ? path : resolve(real, path);
  const below = [root, real]
    .map((base) => relative(base, full))
    .find((one) => !one.startsWith("..") && !isAbsolute(one));
  if (below === undefined || below === "")
    throw new Refusal("path.outside-root", `the brief ${full} is outside the root directory ${root}`, {
      path: full,
      root,
    });
  const bytes = readTrusted(root, below);
  if (bytes === undefined) throw new Refusal("brief.missing", `there is no brief at ${full}`, { path: full });
  if (bytes.length > largestBrief)
    throw new Refusal("path.too-large", `the brief ${full} is over 1 MiB`, { path: full });
  const text = new TextDecoder().decode(bytes);
  const found = secrets === "refuse" ? shapesIn(text) : [];
  if (found.length > 0) throw secretRefusal(`the brief ${below}`, text, found);
  return { path: below, text };
}
