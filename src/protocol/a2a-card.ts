// Our agent card, as A2A 1.0 has it. Nothing in it is empty, false or a default: some canonical forms leave such values out and others do
// not, and a signature must hold in all of them.

import { type A2aSkill, a2aVersion } from "./a2a.ts";

export const cardPath = "/.well-known/agent-card.json";
export const rpcPath = "/a2a/rpc";
export const restPath = "/a2a/v1";

export type CardJson = Readonly<Record<string, unknown>>;

export interface CardFacts {
  readonly constellation: string;
  /** Without a slash at its end. */
  readonly address: string;
  readonly version: string;
  readonly skills: readonly A2aSkill[];
}

export function cardOf({ constellation, address, version, skills }: CardFacts): CardJson {
  return {
    name: constellation,
    description: `Coding agents of ${constellation}. What is asked for becomes a task when its owner agrees.`,
    version,
    supportedInterfaces: [
      { url: `${address}${rpcPath}`, protocolBinding: "JSONRPC", protocolVersion: a2aVersion },
      { url: `${address}${restPath}`, protocolBinding: "HTTP+JSON", protocolVersion: a2aVersion },
    ],
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    securitySchemes: {
      token: { httpAuthSecurityScheme: { scheme: "Bearer", description: "A token that the owner made for you" } },
    },
    securityRequirements: [{ schemes: { token: { list: ["outside"] } } }],
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain", "text/x-diff", "application/json"],
    skills: skills.map(({ id, name, description, tags }) => ({ id, name, description, tags })),
  };
}
