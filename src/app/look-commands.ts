// `check`, `try` and `contract`, in the process that reads repositories. Each is loaded when it is asked for: the daemon's process asks for none.

import type { KnownClaims } from "../protocol/claims.ts";
import type { BudgetStart } from "../sensing/calls.ts";
import type { Answers } from "../sensing/link.ts";
import type { LookCalls } from "../sensing/look-calls.ts";

export interface CommandParts {
  readonly begin: (start: BudgetStart) => void;
  readonly claims: (repository: string) => Promise<KnownClaims>;
  readonly told: (what: string, part: { readonly done: number; readonly total: number }) => void;
}

export function answerCommands({ begin, claims, told }: CommandParts): Answers<LookCalls> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const contracts = async () => (await import("./contracts/contracts.ts")).openContracts();
  const asking = (knowsClaims: boolean) => (knowsClaims ? { claims } : {});
  return {
    budget: begin,
    check: async ({ knowsClaims, ...request }) =>
      (await import("./check-pair.ts")).checkPair({ ...request, ...asking(knowsClaims), signal }),
    look: async ({ knowsClaims, ...request }) =>
      (await import("./try-repository.ts")).lookAtRepository({ ...request, ...asking(knowsClaims), told, signal }),
    contractDiff: async (request) => (await contracts()).diff({ ...request, signal }),
    contractList: async (request) => (await contracts()).list({ ...request, signal }),
    contractHistory: async (request) => (await contracts()).history({ ...request, signal }),
    contractServices: async (request) => (await contracts()).services({ ...request, signal }),
    stop: () => stopping.abort(),
  };
}
