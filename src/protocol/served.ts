// What a daemon tells whoever holds a token for it, over TCP: who they are there, and whose constellation it is.

export const whoAmIPath = "/api/whoami";

export interface WhoAmI {
  readonly constellation: string;
  /** Of the daemon's constel. */
  readonly version: string;
  readonly role: string;
  readonly name: string;
  /** Null where the token covers everything that its role may do. */
  readonly scope: readonly string[] | null;
  /** The daemon's root directory, for tasks that name none. */
  readonly root: string;
}

/** Undefined where it is something else. */
export function readWhoAmI(answer: unknown): WhoAmI | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { constellation, version, role, name, scope, root } = answer as Record<string, unknown>;
  for (const text of [constellation, version, role, name, root])
    if (typeof text !== "string" || text.length > 4_096) return undefined;
  if (scope !== null && !(Array.isArray(scope) && scope.every((one) => typeof one === "string"))) return undefined;
  return answer as WhoAmI;
}
