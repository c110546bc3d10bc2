// The line about long work, for the scripts of the clone: on a terminal only.

import { makeOutput } from "../src/doors/cli/present/output.ts";
import { type Progress, startProgress } from "../src/doors/cli/present/progress.ts";
import { systemStreams } from "../src/doors/cli/present/streams.ts";

export function scriptProgress(json: boolean, first: string): Progress {
  return startProgress(
    makeOutput(
      systemStreams(() => process.exit(0)),
      {},
      { json, plain: true },
    ),
    first,
  );
}
