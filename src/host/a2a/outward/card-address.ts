// Returns where an agent's card is: the address itself if it names a file of JSON, and else the well-known place below it.

import { cardPath } from "../../../protocol/a2a-card.ts";

export function cardAddress(given: URL): string {
  const { origin, pathname } = given;
  return pathname.endsWith(".json") ? given.href : `${origin}${pathname.replace(/(?<!\/)\/+$/, "")}${cardPath}`;
}
