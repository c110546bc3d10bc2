// `check`, `try` and `contract` as a command asks for them: another process reads the repository (looker.ts), and this one stays free to hear Ctrl-C. When that
// process is ended for a question that ran over its budget, the next one is asked the same with that question set aside: the answer comes, and says what it lacks.

import { systemClock } from "../host/clock/system-clock.ts";
import { sweepTemporary } from "../host/process/temporary-directory.ts";
import type { Budgeted, BudgetWish, CheckReport, CheckRequest } from "../protocol/check.ts";
import type { KnownClaims } from "../protocol/claims.ts";
import type { ContractRequest, Contracts } from "../protocol/contract-report.ts";
import { Outage, Refusal } from "../protocol/errors.ts";
import type { FirstLook, LookRequest } from "../protocol/try-report.ts";
import type { BudgetStart } from "../sensing/calls.ts";
import type { Link } from "../sensing/link.ts";
import type { CommandCalls, LookCalls } from "../sensing/look-calls.ts";
import { type Ended, SetAsides } from "../sensing/set-aside.ts";
import { type Looker, startLooker } from "./start-looker.ts";

interface Asked {
  readonly signal: AbortSignal;
  readonly budget: BudgetWish;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly claims?: ((repository: string) => Promise<KnownClaims>) | undefined;
  readonly told?: LookRequest["told"];
}

type Ask<Answer> = (link: Link<LookCalls>) => Promise<Answer>;

/** So many questions may run over before the whole is given up. */
const mostEnded = 20;
/** The time that an interrupted look has to leave nothing behind. */
const graceMs = 500;

export async function checkPair({ signal, claims, budget, ...request }: CheckRequest & Budgeted): Promise<CheckReport> {
  const { environment } = request;
  return await lookApart({ signal, claims, budget, environment }, (link) =>
    link.ask("check", { ...request, knowsClaims: claims !== undefined }),
  );
}

export async function lookAtRepository(asked: LookRequest & Budgeted): Promise<FirstLook> {
  const { signal, claims, told, budget, ...request } = asked;
  return await lookApart({ signal, claims, told, budget, environment: request.environment }, (link) =>
    link.ask("look", { ...request, knowsClaims: claims !== undefined }),
  );
}

/** A function, because the quick program hands over to the sources here (scripts/build-quick.ts). */
export const openContracts = (): Contracts<Budgeted> => contracts;

const contracts: Contracts<Budgeted> = {
  diff: (request) => apart(request, (link, sent) => link.ask("contractDiff", sent)),
  list: (request) => apart(request, (link, sent) => link.ask("contractList", sent)),
  history: (request) => apart(request, (link, sent) => link.ask("contractHistory", sent)),
  services: (request) => apart(request, (link, sent) => link.ask("contractServices", sent)),
};

function apart<Request extends ContractRequest & Budgeted, Answer>(
  { signal, budget, ...request }: Request,
  ask: (link: Link<LookCalls>, sent: Omit<Request, "signal" | "budget">) => Promise<Answer>,
): Promise<Answer> {
  return lookApart({ signal, budget, environment: request.environment }, (link) => ask(link, request));
}

async function lookApart<Answer>(asked: Asked, ask: Ask<Answer>): Promise<Answer> {
  const setAside = new SetAsides();
  let isOneByOne = false;
  let why = "";
  for (let ended = 0; ended < mostEnded; ended += 1) {
    const outcome = await askOnce(asked, ask, { setAside: setAside.all, isOneByOne });
    if ("answer" in outcome) return outcome.answer;
    ({ why } = outcome.end);
    // Of several that waited it is not known which one ran over: they are asked one by one the next time.
    if (setAside.learn(outcome.end, systemClock.nowMs()).subject !== undefined) continue;
    if (isOneByOne) break;
    isOneByOne = true;
  }
  throw new Outage("look at", "the repository", `${why}. What takes so long could not be left out`);
}

async function askOnce<Answer>(
  { signal, budget, environment, claims, told }: Asked,
  ask: Ask<Answer>,
  start: Pick<BudgetStart, "setAside" | "isOneByOne">,
): Promise<{ readonly answer: Answer } | { readonly end: Ended }> {
  const looker = startLooker<LookCalls, CommandCalls>({
    budget,
    environment,
    answers: {
      claimsIn: async ({ repository }) => (await claims?.(repository)) ?? { held: [] },
      told: ({ what, ...part }) => told?.(what, part),
      unchecked: () => undefined, // the answer itself says it
    },
  });
  const interrupted = (): void => void stop(looker);
  signal.addEventListener("abort", interrupted, { once: true });
  try {
    if (signal.aborted) interrupted();
    await looker.link.ask("budget", { holdMs: budget.holdMs, ...start });
    return { answer: await ask(looker.link) };
  } catch (cause) {
    if (signal.aborted) throw new Refusal("command.interrupted", "interrupted; nothing is left behind");
    if (looker.end === undefined) throw cause;
    return { end: looker.end };
  } finally {
    signal.removeEventListener("abort", interrupted);
    await looker.process.kill();
    sweepTemporary(["check", "try", "contract"]);
  }
}

/** Lets it take down what it began. */
async function stop(looker: Looker<LookCalls>): Promise<void> {
  looker.link.ask("stop", {}).catch(() => undefined);
  await systemClock.sleep(graceMs);
  await looker.process.kill();
}
