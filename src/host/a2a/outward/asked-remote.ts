// Tells where an agent of somebody else's is, by its name in the settings or by its address, with the keys and the token that go with it.

import { Refusal } from "../../../protocol/errors.ts";
import { keysFrom } from "./card-key.ts";
import type { RemotePlace } from "./remote-agent.ts";
import { tokenIn } from "./token-file.ts";

/** As settings/remotes.ts reads it. */
interface KnownRemote {
  readonly name: string;
  readonly url: string;
  readonly tokenFile?: string;
  readonly keys: readonly string[];
}

export interface RemoteWish {
  readonly remotes: readonly KnownRemote[];
  /** Besides those of the settings. */
  readonly keys?: readonly string[];
  /** Instead of that of the settings. */
  readonly tokenFile?: string | undefined;
}

export function askedRemote(wanted: string, { remotes, keys = [], tokenFile }: RemoteWish): RemotePlace {
  const known = remotes.find(({ name, url }) => name === wanted || url === wanted);
  if (known === undefined && !wanted.includes("://")) {
    const names = remotes.map(({ name }) => name);
    const known = names.length === 0 ? "none is set" : `known are ${names.join(", ")}`;
    throw new Refusal(
      "a2a.remote-unknown",
      `there is no ${JSON.stringify(wanted.slice(0, 100))} in a2a.remotes; ${known}`,
      {
        names,
      },
    );
  }
  const file = tokenFile ?? known?.tokenFile;
  return {
    url: known?.url ?? wanted,
    keys: [...(known?.keys ?? []), ...keys].flatMap(keysFrom),
    ...(file === undefined ? {} : { token: tokenIn(file) }),
  };
}
