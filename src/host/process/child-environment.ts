// The environment we hand to a child: the caller's, less what would inject code into Bun or Node programs, less what
// would steer git away from the repository we name.

const dropped = /^(BUN_|NODE_OPTIONS$|NODE_PATH$|GIT_|LD_PRELOAD$|DYLD_)/;

export function childEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && !dropped.test(name)) environment[name] = value;
  }
  return { ...environment, ...extra };
}
