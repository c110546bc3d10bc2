// Hears what others notify over Postgres. A connection that was lost is made again until it is told to end; whoever listens is
// told each time, because what was notified in between was not heard. A notification is a hint and may be lost, as behind a pooler that
// passes none on: so whoever listens is also told every few seconds to look.

import type { Clock } from "../ports/machine.ts";
import { Outage } from "../protocol/errors.ts";
import { isPooled, PostgresClient, publicName } from "./postgres-client.ts";

export interface Listening {
  readonly url: string;
  readonly channel: string;
  readonly heard: (payload: string) => void;
  /** Also called every few seconds: something may have been missed. */
  readonly connected: () => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const lookEveryMs = 10_000;
/** Between two tries while the server cannot be reached. */
const againMs = 500;

/** Answers when it listens for the first time; fails when that cannot be had. */
export async function listenFor(listening: Listening): Promise<void> {
  if (isPooled(listening.url)) {
    // A pooler takes the word and passes nothing on.
    void keepLooking(listening);
    listening.connected();
    return;
  }
  const first = await listen(listening);
  void keepListening(first, listening);
  void keepLooking(listening);
}

async function keepLooking({ clock, signal, connected }: Listening): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(lookEveryMs, signal);
    if (!signal.aborted) connected();
  }
}

async function listen({ url, channel, heard, connected, signal }: Listening): Promise<PostgresClient> {
  const client = new PostgresClient(url, {});
  const end = (): void => client.abandon(undefined);
  signal.addEventListener("abort", end, { once: true });
  client.onLost(() => signal.removeEventListener("abort", end));
  try {
    await client.ask((sql) => sql.listen(channel, heard));
  } catch (cause) {
    client.abandon(cause);
    throw new Outage("listen to", publicName(url), cause, { mayRetry: true });
  }
  if (signal.aborted) end();
  else connected();
  return client;
}

async function keepListening(first: PostgresClient, listening: Listening): Promise<void> {
  const { clock, signal } = listening;
  for (let client: PostgresClient | undefined = first; !signal.aborted;) {
    if (client !== undefined) await new Promise<void>((resolve) => client?.onLost(resolve));
    if (signal.aborted) return;
    await clock.sleep(againMs, signal);
    client = await listen(listening).catch(() => undefined);
  }
}
