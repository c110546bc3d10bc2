// The programs constel runs: there, and new enough.

import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { toolchainPrograms } from "../../protocol/compilers.ts";
import { Outage } from "../../protocol/errors.ts";
import type { Check, CheckResult, DoctorContext } from "./check.ts";

interface Tool {
  readonly name: string;
  readonly versionFlag: string;
  readonly oldest: readonly [number, number];
  readonly why: string;
  readonly needed: boolean;
}

const tools: readonly Tool[] = [
  {
    name: "git",
    versionFlag: "--version",
    oldest: [2, 38],
    why: "merges are foreseen with `git merge-tree --write-tree`",
    needed: true,
  },
  { name: "tmux", versionFlag: "-V", oldest: [3, 2], why: "agents run in tmux sessions", needed: false },
];

export const toolChecks: readonly Check[] = [
  { code: "tool.compilers", look: async ({ env }) => [compilers(env["PATH"])] },
  ...tools.map((tool): Check => ({ code: `tool.${tool.name}`, look: (context) => lookAt(tool, context) })),
  {
    code: "tool.agent-programs",
    async look(context) {
      const found = (await context.agentPrograms()).filter((program) => program.version !== undefined);
      const saw = found.map((program) => `${program.name} ${program.version}`).join(", ");
      return [
        found.length > 0
          ? { code: "tool.agent-programs", state: "well", saw }
          : {
              code: "tool.agent-programs",
              state: "note",
              saw: "no agent program is installed",
              means: "Only `script` agents can be started; looking for collisions works without any.",
              mend: "Install one of the agent programs and log in to it.",
            },
      ];
    },
  },
];

async function lookAt(tool: Tool, context: DoctorContext): Promise<readonly CheckResult[]> {
  const code = `tool.${tool.name}`;
  const [major, minor] = tool.oldest;
  const missing = tool.needed ? "broken" : "warning";
  const mend = `Install ${tool.name} ${major}.${minor} or newer with the system's package manager.`;
  let output: string;
  try {
    const outcome = await context.processes.run([tool.name, tool.versionFlag], {
      env: plainEnv(context),
      deadlineMs: 5_000,
    });
    output = new TextDecoder().decode(outcome.stdout).trim();
  } catch (cause) {
    if (!(cause instanceof Outage)) throw cause;
    return [{ code, state: missing, saw: `${tool.name} is not installed`, means: `It is needed: ${tool.why}.`, mend }];
  }
  const version = /(\d+)\.(\d+)/.exec(output);
  const isOld =
    version === null || Number(version[1]) < major || (Number(version[1]) === major && Number(version[2]) < minor);
  if (!isOld) return [{ code, state: "well", saw: output }];
  return [
    {
      code,
      state: missing,
      saw: `${output} is older than ${major}.${minor}`,
      means: `It is needed: ${tool.why}.`,
      mend,
    },
  ];
}

/** Only looked for, not run: some of them take settings from where one stands, and run what those name. */
function compilers(path: string | undefined): CheckResult {
  const directories = (path ?? "").split(":").filter(isAbsolute);
  const isThere = (program: string): boolean => directories.some((one) => existsSync(join(one, program)));
  const all = Object.entries(toolchainPrograms);
  const told = (some: typeof all): string => some.map(([language, program]) => `${program} (${language})`).join(", ");
  const [found, missing] = [all.filter(([, one]) => isThere(one)), all.filter(([, one]) => !isThere(one))];
  const saw = [
    ...(found.length === 0 ? [] : [`asked for a second opinion: ${told(found)}`]),
    ...(missing.length === 0 ? [] : [`not on the PATH: ${told(missing)}`]),
    ...(found.length === 0 ? [] : [confined(isThere("bwrap"))]),
  ];
  return { code: "tool.compilers", state: "well", saw: saw.join("; ") };
}

const confined = (isThere: boolean): string =>
  isThere
    ? "they run inside bubblewrap where it works: no network, read-only but for their scratch place"
    : "they run without a sandbox: bubblewrap (`bwrap`) is not on the PATH";

function plainEnv(context: DoctorContext): Record<string, string> {
  return { PATH: context.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" };
}
