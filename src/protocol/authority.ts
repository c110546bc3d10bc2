// Decides who may ask for what. Each operation says it in its declaration, and so does each command that needs no daemon; the decision is
// made here alone, behind every door: the daemon asks it for operations, the command line for the rest.

import { checkAgentId, rootAgent, watchdogAgent } from "./agent-id.ts";
import { Refusal } from "./errors.ts";

/**
 * `human`: a colleague of the owner's. `observer`: somebody who only looks. `outside`: an agent of somebody else's, which asks over A2A and
 * for nothing else. These come with a token, from outside.
 */
export type Role = "owner" | "root" | "watchdog" | "clone" | "human" | "observer" | "outside" | "nobody";

export interface Asker {
  readonly role: Role;
  /** `owner`, the agent's id, or `nobody`. */
  readonly name: string;
  /** Of nobody: why it is not known who asks. */
  readonly why?: string;
  /** The way in which it is known who asks: `ancestor`, `terminal`, `token`, … */
  readonly known?: string;
  /** Of a token that covers only these: `task.list`, `task.*`. */
  readonly scope?: readonly string[];
}

/**
 * The callers who may ask, each group wider than the one before: the owner alone; those who run the constellation (the owner, the root and
 * the watchdog); clones too; and a process that is neither the owner's nor an agent's, as far as can be told. What only reads and is for
 * everybody is for that one too. Apart from all of them: agents of others', who may ask for what is declared for them and nothing else.
 */
export type Audience = "owner" | "operators" | "everybody" | "anybody" | "outside";

const admitted: Readonly<Record<Audience, readonly Role[]>> = {
  owner: ["owner"],
  operators: ["owner", "root", "watchdog", "human"],
  everybody: ["owner", "root", "watchdog", "human", "clone"],
  anybody: ["owner", "root", "watchdog", "human", "clone", "observer", "nobody"],
  outside: ["outside"],
};

export const owner: Asker = { role: "owner", name: "owner" };

export const nobody = (why: string): Asker => ({ role: "nobody", name: "nobody", why });

/** `owner`, or an agent's id. A name that is neither is refused: nobody becomes the owner by a slip. */
export function askerNamed(name: string): Asker {
  if (name === owner.name) return owner;
  const [, outside] = /^(human|observer|outside):[\p{L}\p{N} ._-]{1,60}$/u.exec(name) ?? [];
  if (outside === "human" || outside === "observer" || outside === "outside") return { role: outside, name };
  const agent = checkAgentId(name);
  if (agent === rootAgent) return { role: "root", name: agent };
  return { role: agent === watchdogAgent ? "watchdog" : "clone", name: agent };
}

/** The one that the asking process belongs to, as the machine told. */
export type Belonging =
  | { readonly to: "owner"; readonly by?: string }
  | { readonly to: "agent"; readonly agent: string; readonly by?: string }
  | { readonly to: "nobody"; readonly why: string };

/** The owner may act as any agent. An agent is itself, whatever it calls itself; another's name is refused. */
export function askerFor(belonging: Belonging, named: string | null): Asker {
  const known = (asker: Asker): Asker =>
    belonging.to === "nobody" || belonging.by === undefined ? asker : { ...asker, known: `kernel: ${belonging.by}` };
  if (belonging.to === "owner") return known(named === null ? owner : askerNamed(named));
  if (belonging.to === "nobody") return nobody(belonging.why);
  const { agent } = belonging;
  if (named === null || named === owner.name || named === agent) return known(askerNamed(agent));
  throw anotherName(agent, named);
}

export function anotherName(agent: string, named: string): Refusal {
  const name = named.slice(0, 80);
  return new Refusal("identity.another", `this process belongs to ${agent} and cannot act as ${name}`, {
    agent,
    named: name,
  });
}

export interface Asked {
  /** As they would write it. */
  readonly name: string;
  readonly may: Audience;
  readonly effect: "reads" | "writes" | "destroys";
}

/** These give access themselves: a token for some verbs must not become one for all. */
const givesAccess: ReadonlySet<string> = new Set(["token.create", "dashboard.open"]);

const covers = (scope: string, what: string): boolean =>
  scope === what || (scope.endsWith(".*") && what.startsWith(scope.slice(0, -1)));

/** The refusal, or undefined when they may. */
export function refuseUnlessAllowed(asker: Asker, { name: what, may, effect }: Asked): Refusal | undefined {
  const facts = { agent: asker.name, verb: what };
  if (asker.scope !== undefined && (givesAccess.has(what) || !asker.scope.some((one) => covers(one, what))))
    return new Refusal("authority.scope", `the token does not cover \`${what}\``, facts);
  if ((asker.role === "outside") !== (may === "outside"))
    return new Refusal(
      "authority.outside",
      asker.role === "outside"
        ? `\`${what}\` is not for ${asker.name}, an agent from outside`
        : `\`${what}\` is for agents from outside alone, and ${asker.name} is none`,
      facts,
    );
  if (asker.role === "human" && effect === "destroys")
    return new Refusal("authority.human", `\`${what}\` is not for ${asker.name}: it destroys something`, facts);
  if (asker.role === "observer" && effect !== "reads")
    return new Refusal("authority.observer", `${asker.name} only looks and may not run \`${what}\``, facts);
  if (admitted[may].includes(asker.role)) return undefined;
  if (asker.role === "observer" && may !== "owner") return undefined;
  if (asker.role === "nobody") {
    if (may === "everybody" && effect === "reads") return undefined;
    const why = asker.why ?? "it is not known who asks";
    return new Refusal(
      "authority.nobody",
      `\`${what}\` is not for a process that is neither the owner's nor an agent's: ${why}`,
      facts,
    );
  }
  if (asker.role === "clone" && may === "operators")
    return new Refusal("authority.clone", `${asker.name} is a clone and may not run \`${what}\``, facts);
  if (asker.role === "human" || asker.role === "observer")
    return new Refusal(`authority.${asker.role}`, `\`${what}\` is the owner's alone, not for ${asker.name}`, facts);
  return new Refusal("authority.owner", `only the owner may run \`${what}\`, and ${asker.name} is an agent`, facts);
}
