// A forge of any other kind, through a command of the owner's: it gets the name of an operation as its argument and a JSON
// object on standard input, and answers with JSON on standard output. It brings its own way of letting itself in.
//
//   find {branch} → pull | null        open {branch, base, title, body} → pull        update {number, …}
//   state {number} → state             remarks {number} → [remark]                    merge {number, head, method} → answer
//   close {number}                     open-pulls → [pull]                            comment {on, number, marker, text}
//   issues {label, state} → [issue]    issue {number} → issue | null                  checks {commit} → checks
//
// Exit 0: it is done. Exit 3: it says no, and its last line of standard error says why. Anything else is an outage.

import { Outage, Refusal } from "../../../protocol/errors.ts";
import type {
  Checks,
  Forge,
  ForgeIssue,
  ForgePlace,
  MergeAnswer,
  OpenPull,
  PullRequest,
  PullState,
  Remark,
} from "../../../ports/forge.ts";
import { tailOf } from "../../../ports/forge.ts";
import type { Processes } from "../../../ports/machine.ts";
import { addressAt, at, commitAt, listAt, numberAt, textAt } from "../read-answer.ts";

export interface CommandForgeOptions {
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: string;
}

const deadlineMs = 60_000;
const largestAnswer = 8 * 1024 * 1024;

export function commandForge(options: CommandForgeOptions, { repository }: ForgePlace): Forge {
  const ask = async (operation: string, wish: object): Promise<unknown> => {
    const outcome = await options.processes.run(["sh", "-c", `${options.command} "$@"`, "sh", operation], {
      env: options.environment,
      stdin: JSON.stringify({ repository, ...wish }),
      deadlineMs,
      maxOutputBytes: largestAnswer,
    });
    const said = outcome.stderr.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
    if (outcome.code === 3) {
      const code = operation === "open" && /exist/i.test(said) ? "forge.exists" : "forge.refused";
      throw new Refusal(code, `the forge's command refuses ${operation}: ${said}`, { operation });
    }
    const fail = (why: string): Outage => new Outage("ask the forge's command to", operation, why, { mayRetry: true });
    if (outcome.timedOut) throw fail("it did not end in time");
    if (outcome.code !== 0) throw fail(`it ended with ${outcome.code ?? outcome.signal}: ${said}`);
    const text = new TextDecoder().decode(outcome.stdout);
    if (text.trim() === "") return undefined;
    try {
      return JSON.parse(text);
    } catch {
      throw fail("its answer is not JSON");
    }
  };
  const list = async (operation: string, wish: object): Promise<readonly unknown[]> => {
    const answer = await ask(operation, wish);
    if (!Array.isArray(answer)) throw new Outage("ask the forge's command to", operation, "its answer is not a list");
    return answer;
  };
  return {
    async find(branch) {
      const found = await ask("find", { branch });
      return found === null || found === undefined ? undefined : pullOf(found);
    },
    open: async (wish) => pullOf(await ask("open", wish)),
    update: async (number, change) => void (await ask("update", { number, ...change })),
    async state(number) {
      const answer = await ask("state", { number });
      return {
        ...pullOf(answer),
        checks: checksOf(at(answer, "checks")),
        review: oneOf(textAt(answer, "review"), ["none", "required", "approved", "changes-requested"], "required"),
        merge: oneOf(
          textAt(answer, "merge"),
          ["can", "computing", "conflicts", "behind", "blocked", "draft"],
          "computing",
        ),
        isQueued: at(answer, "queued") === true,
        endedBy: textAt(answer, "ended_by") || undefined,
      } satisfies PullState;
    },
    async remarks(number) {
      return (await list("remarks", { number })).map((one): Remark => {
        const line = at(one, "line");
        return {
          id: textAt(one, "id"),
          author: textAt(one, "author"),
          text: textAt(one, "text"),
          path: textAt(one, "path") || undefined,
          line: typeof line === "number" ? line : undefined,
          kind: oneOf(textAt(one, "kind"), ["comment", "review", "changes-requested", "approved"], "comment"),
        };
      });
    },
    async merge(number, wish): Promise<MergeAnswer> {
      const answer = await ask("merge", { number, ...wish });
      const kind = oneOf(textAt(answer, "kind"), ["merged", "queued", "moved", "not-yet"], "not-yet");
      return kind === "not-yet" ? { kind, why: textAt(answer, "why") } : { kind };
    },
    close: async (number) => void (await ask("close", { number })),
    async openPulls() {
      return (await list("open-pulls", {})).map((one): OpenPull => ({
        ...pullOf(one),
        author: textAt(one, "author"),
        ref: textAt(one, "ref"),
      }));
    },
    putComment: async (on, number, comment) => void (await ask("comment", { on, number, ...comment })),
    issues: async (filter) => (await list("issues", filter)).map(issueOf),
    async issue(number) {
      const found = await ask("issue", { number });
      return found === null || found === undefined ? undefined : issueOf(found);
    },
    checks: async (commit) => checksOf(await ask("checks", { commit })),
  };
}

function pullOf(body: unknown): PullRequest {
  return {
    number: numberAt(body, "number"),
    url: addressAt(body, "url"),
    state: oneOf(textAt(body, "state"), ["open", "closed", "merged"], "open"),
    head: commitAt(body, "head"),
    base: textAt(body, "base"),
    title: textAt(body, "title"),
    body: textAt(body, "body"),
  };
}

const issueOf = (body: unknown): ForgeIssue => ({
  number: numberAt(body, "number"),
  title: textAt(body, "title"),
  body: textAt(body, "body"),
  url: addressAt(body, "url"),
  author: textAt(body, "author"),
  // Only the word itself says that it is over.
  state: oneOf(textAt(body, "state"), ["open", "closed"], "open"),
  labels: listAt(body, "labels").filter((label): label is string => typeof label === "string"),
});

/** A word that is not known never counts as a yes. */
function checksOf(body: unknown): Checks {
  const red = listAt(body, "red")
    .slice(0, 10)
    .map((one) => ({
      name: textAt(one, "name"),
      url: addressAt(one, "url"),
      tail: tailOf(textAt(one, "tail")),
    }));
  return { state: oneOf(textAt(body, "state"), ["none", "pending", "green", "red"], "none"), red };
}

function oneOf<const T extends string>(value: string, known: readonly T[], otherwise: T): T {
  return known.find((one) => one === value) ?? otherwise;
}
