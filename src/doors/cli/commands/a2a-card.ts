// `constel a2a card`: the public keys of our own card, and what another agent's card says, judged by keys that the owner was given.

import { cardKeys } from "../../../host/a2a/card-keys.ts";
import { publicJwk } from "../../../host/a2a/jws.ts";
import { keysFrom, keyWord } from "../../../host/a2a/outward/card-key.ts";
import { fetchCard, type TheirCard } from "../../../host/a2a/outward/fetch-card.ts";
import { readAddress } from "../../../host/a2a/outward/ask-address.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { listed } from "../../../protocol/listed.ts";
import { remotesIn } from "../../../settings/remotes.ts";
import type { RunCommand } from "../input/command.ts";
import { oneLine } from "../present/table.ts";

export const card: RunCommand = async (context, input) => {
  const wanted = input.flag("verify");
  const given = input.flags("key");
  if (wanted === undefined) {
    if (given.length > 0) throw new Refusal("usage.bad-value", "--key is for --verify URL", { flag: "key" });
    const keys = cardKeys(context.places.home, systemClock).map(({ algorithm, id, key }) => ({
      algorithm,
      thumbprint: id,
      key: keyWord(publicJwk(key)),
    }));
    return { json: { keys }, text: () => keys.map(({ key }) => key).join("\n") };
  }
  const { config } = await context.settings();
  const remote = remotesIn(config["a2a.remotes"]).find(({ name, url }) => name === wanted || url === wanted);
  const url = remote?.url ?? wanted;
  const keys = [...(remote?.keys ?? []), ...given].flatMap(keysFrom);
  const theirs = await fetchCard(url, keys, {
    named: [readAddress(url).origin],
    allowed: config["a2a.push_allow"],
  });
  const isVerified = theirs.signedBy.length > 0;
  const { address, name, version, supportedInterfaces, skills, signatures, signedBy } = theirs;
  return {
    json: {
      address,
      verified: isVerified,
      signed_by: signedBy,
      keys: keys.length,
      signatures: signatures.length,
      name,
      version,
      interfaces: supportedInterfaces,
      skills,
    },
    text: () => textOf(theirs, keys.length),
    ...(isVerified ? {} : { exit: exitCodes.negative }),
  };
};

function textOf(card: TheirCard, keys: number): string {
  const { name, version, description, supportedInterfaces, skills } = card;
  return [
    verdict(card, keys),
    "",
    `It calls itself ${oneLine(name)} ${oneLine(version)}: ${oneLine(description)}`,
    ...supportedInterfaces.map(
      (one) => `  ${oneLine(one.protocolBinding)} ${oneLine(one.protocolVersion)} at ${oneLine(one.url)}`,
    ),
    ...skills.map((skill) => `  skill ${oneLine(skill.id)}: ${oneLine(skill.description)}`),
  ].join("\n");
}

function verdict({ address, signatures, signedBy }: TheirCard, keys: number): string {
  if (signedBy.length > 0) return `Genuine: ${address} is signed by ${listed(signedBy)}.`;
  const has = `${address} has ${counted(signatures.length, "signature")}`;
  if (keys === 0)
    return `Not verified: ${has}, and you named no key. Ask its owner for one (\`constel a2a card\` there), and give it with --key.`;
  return `Not genuine: ${has}, and none is by ${keys === 1 ? "the key" : `any of the ${keys} keys`} you named.`;
}
