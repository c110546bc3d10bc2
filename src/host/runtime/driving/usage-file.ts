// Where the holder keeps what turns used, for programs whose own record constel does not read.

import { join } from "node:path";

export const usageFile = (home: string, agent: string): string => join(home, "state", "runtime", agent, "usage.jsonl");
