// The places where a text of somebody's may hold a secret, and the way each is held: refused, let pass with a warning, or not looked at.

export const secretSurfaces = ["messages", "records", "outside"] as const;
export type SecretSurface = (typeof secretSurfaces)[number];

export const secretModes = ["refuse", "warn", "off"] as const;
export type SecretMode = (typeof secretModes)[number];

export type SecretModeOf = (surface: SecretSurface) => SecretMode;

/** Everything that an operation is given is kept (tasks, events, decisions…), unless it goes to an agent or off the machine. */
export function surfaceOf(operation: string): SecretSurface {
  const subject = operation.slice(0, operation.indexOf("."));
  if (["a2a", "mesh"].includes(subject)) return "outside";
  return ["chat", "approval", "directive", "schedule"].includes(subject) ? "messages" : "records";
}
