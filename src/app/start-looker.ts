// Starts the process that reads repositories (looker.ts): the same program, with the same words from wherever it runs.

import { fileURLToPath } from "node:url";
import { type ProcessEnd, type ProcessLimits, WatchedProcess } from "../host/process/budget/watched-process.ts";
import { type Answers, type Calls, type Link, makeLink } from "../sensing/link.ts";

export interface Looker<Asked extends Calls<Asked>> {
  readonly process: WatchedProcess;
  readonly link: Link<Asked>;
  /** The way it ended, unless it was asked to end. */
  readonly end: ProcessEnd | undefined;
}

export interface LookerParts<Answered extends Calls<Answered>> {
  readonly budget: ProcessLimits;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly extra?: Readonly<Record<string, string>>;
  readonly answers: Answers<Answered>;
  /** `end`: undefined when it was asked to. */
  readonly ended?: (end: ProcessEnd | undefined) => void;
}

/** The first word of the compiled program's command line. Nobody types it: without the process that starts it, it ends at once. */
export const lookerWord = "looker-run";

export function startLooker<Asked extends Calls<Asked>, Answered extends Calls<Answered>>({
  budget,
  environment,
  extra = {},
  answers,
  ended,
}: LookerParts<Answered>): Looker<Asked> {
  let hear: (event: MessageEvent) => void = () => undefined;
  const looker = {
    end: undefined as ProcessEnd | undefined,
    process: new WatchedProcess({
      command: lookerCommand(),
      environment,
      extra,
      limits: budget,
      heard: (data) => hear({ data } as MessageEvent),
      ended: (end) => {
        looker.end = end;
        looker.link.cut(end?.why ?? "it was closed");
        ended?.(end);
      },
    }),
    link: undefined as unknown as Link<Asked>,
  };
  looker.link = makeLink<Asked, Answered>(
    {
      postMessage: (message) => looker.process.send(message),
      addEventListener: (_, listener) => void (hear = listener),
    },
    answers,
  );
  return looker;
}

function lookerCommand(): string[] {
  if (import.meta.url.includes("/$bunfs/")) return [process.execPath, lookerWord];
  const guards = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
  return [process.execPath, ...guards, fileURLToPath(new URL("./looker.ts", import.meta.url))];
}
