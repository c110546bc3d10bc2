// Fetches another agent's card, and tells which of the pinned keys signed it. What it says is a stranger's word: read in bounds, and nothing
// that it names is fetched on its account.

import { z } from "zod";
import { Refusal } from "../../../protocol/errors.ts";
import type { CardJson } from "../../../protocol/a2a-card.ts";
import type { Jwk } from "../jws.ts";
import { signersOf } from "../signed-card.ts";
import { askAddress, type OutwardRules, readAddress } from "./ask-address.ts";
import { cardAddress } from "./card-address.ts";

const mostBytes = 1024 * 1024;
const words = z.string().max(20_000);

const cardShape = z.object({
  name: words.min(1),
  description: words.default(""),
  version: words.default(""),
  supportedInterfaces: z
    .array(
      z.object({
        url: z.string().max(2_000),
        protocolBinding: z.string().max(200),
        protocolVersion: z.string().max(50),
      }),
    )
    .max(100)
    .default([]),
  skills: z
    .array(z.object({ id: words, name: words.default(""), description: words.default("") }))
    .max(1_000)
    .default([]),
  signatures: z.array(z.unknown()).max(100).default([]),
});

export interface TheirCard extends z.output<typeof cardShape> {
  /** Where it was. */
  readonly address: string;
  /** The thumbprints of the pinned keys that signed it. */
  readonly signedBy: readonly string[];
}

export async function fetchCard(given: string, keys: readonly Jwk[], rules: OutwardRules): Promise<TheirCard> {
  const address = cardAddress(readAddress(given));
  const headers = { accept: "application/json", "a2a-version": "1.0" };
  const { status, text } = await askAddress(address, { method: "GET", headers, mostBytes }, rules);
  const no = (why: string): Refusal => new Refusal("a2a.their-answer", `${address} ${why}`, { address });
  if (status !== 200) throw no(`answers ${status}: there is no agent card`);
  const card = readCard(text);
  if (card === undefined) throw no("is not JSON");
  const read = cardShape.safeParse(card);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw no(`is not an agent card of A2A 1.0: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  return { ...read.data, address, signedBy: signersOf(card, keys) };
}

function readCard(text: string): CardJson | undefined {
  try {
    return JSON.parse(text) as CardJson;
  } catch {
    return undefined;
  }
}
