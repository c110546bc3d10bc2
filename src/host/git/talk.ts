// git talking to another repository, in a git directory whose configuration we wrote ourselves. The guards that silence ssh and
// credential helpers are not given, so that what the user set for their own git holds; hooks and other programs stay off.

import type { Processes, RunOutcome } from "../../ports/machine.ts";
import type { Git, GitCall } from "./git.ts";
import { withUmask } from "./repository/open-as.ts";

export interface TalkOptions {
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const minutes = 60_000;

// Set back to git's own defaults for talking to the origin, so that the user's settings count again.
const transport = [
  "protocol.allow=user",
  "protocol.ext.allow=never",
  "protocol.file.allow=always",
  "protocol.ssh.allow=always",
  "protocol.https.allow=always",
  "protocol.http.allow=always",
  "protocol.git.allow=always",
];

const guards = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0", "maintenance.auto=false"];

/** The variables that steer ssh and credentials, which the user set for their own git. */
export const transportVariables = [
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_ASKPASS",
  "SSL_CERT_FILE",
] as const;

/** `isUnasked`: nobody sits there who asked for it, so nothing may ask for a password, in whatever window. */
export async function talk(
  git: Git,
  { processes, environment }: TalkOptions,
  call: GitCall & { readonly isUnasked?: boolean },
): Promise<RunOutcome> {
  const variables = git.variables({ ...call, withUserConfig: true });
  delete variables["GIT_ALLOW_PROTOCOL"];
  for (const name of transportVariables) {
    const value = environment[name];
    if (value !== undefined) variables[name] = value;
  }
  const options = [...guards, ...transport, ...(call.isUnasked === true ? ["credential.interactive=false"] : [])];
  const signal = call.signal ?? git.signal;
  const command = ["git", "--no-pager", ...options.flatMap((option) => ["-c", option]), ...call.args] as const;
  return await processes.run(withUmask(command, call.umask), {
    ...(call.cwd === undefined ? {} : { cwd: call.cwd }),
    ...(signal === undefined ? {} : { signal }),
    env: {
      ...variables,
      GIT_SSH_COMMAND: variables["GIT_SSH_COMMAND"] ?? "ssh -o BatchMode=yes",
      ...(call.isUnasked === true ? silenced : {}),
    },
    deadlineMs: call.deadlineMs ?? 2 * minutes,
  });
}

/** An empty word for git's own, and what the usual helper for credentials listens to. */
const silenced = { GIT_ASKPASS: "", SSH_ASKPASS: "", SSH_ASKPASS_REQUIRE: "never", GCM_INTERACTIVE: "never" };
