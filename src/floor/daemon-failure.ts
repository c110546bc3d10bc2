// Why the last daemon could not start or go on, as it left it. One that serves takes it away.

import { readTail } from "../files/trusted-files.ts";
import { messageOf, Refusal } from "../protocol/errors.ts";
import { fromWire } from "../protocol/wire.ts";
import { inHome } from "../settings/paths.ts";

export interface DaemonFailure {
  readonly why: string;
  readonly hint: string;
}

export function lastDaemonFailure(home: string): DaemonFailure | undefined {
  try {
    const { text } = readTail(home, inHome.daemonFailure, 64 * 1024);
    if (text === "") return undefined;
    const failure = fromWire(JSON.parse(text));
    const hint = failure instanceof Refusal ? failure.hint : "Mend what it names, then `constel daemon start`.";
    return { why: messageOf(failure), hint };
  } catch {
    return { why: `${inHome.daemonFailure} is no longer what it left`, hint: "`constel daemon start` says why." };
  }
}
