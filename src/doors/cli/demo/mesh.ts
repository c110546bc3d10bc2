// The part of the demo in which two constellations meet: a code that is good once, a fingerprint that both compare, and a message across. Both
// stand on this machine, each with a home of its own.

import { join } from "node:path";
import type { Narrator } from "./narrator.ts";
import type { Ran, Stage } from "./stage.ts";

interface Peer {
  readonly name: string;
  readonly state: string;
  readonly fingerprint: string | null;
}

export async function mesh(stage: Stage, narrator: Narrator): Promise<void> {
  const desk = join(stage.top, "desk", ".constel");
  const show = async (words: readonly string[], home?: string): Promise<Ran> => {
    await narrator.command(words);
    const ran = await stage.run(words, home);
    await narrator.printed(ran.stdout === "" ? ran.stderr : ran.stdout);
    return ran;
  };
  const set = (name: string, value: string, home?: string): Promise<Ran> =>
    show(["constel", "config", "set", name, value], home);
  const peers = async (home?: string): Promise<readonly Peer[]> => {
    const { code, stdout } = await stage.run(["constel", "mesh", "peers", "--json"], home);
    return code === 0 ? (JSON.parse(stdout) as { readonly peers: readonly Peer[] }).peers : [];
  };

  await narrator.tell("Two machines, each with a constellation. This one may be called:");
  await set("mesh.enabled", "true");
  await set("mesh.listen", "127.0.0.1:0");
  const { stdout: invited } = await show(["constel", "mesh", "invite"]);
  const code = /\bCM1\S+/.exec(invited)?.[0] ?? "";
  narrator.seen("a code that is good once", code !== "");

  await narrator.tell("On the other one, called desk (here a home of its own):");
  await set("constellation.name", "desk", desk);
  await set("mesh.enabled", "true", desk);
  await show(["constel", "mesh", "join", code], desk);
  const both = await stage.until(
    async () => ({ here: (await peers())[0], there: (await peers(desk))[0] }),
    ({ here, there }) => here !== undefined && there !== undefined,
  );
  const { here, there } = both ?? {};
  narrator.seen("both show the same twelve digits", here !== undefined && here.fingerprint === there?.fingerprint);
  await narrator.tell("The two owners compare them, by telephone if need be. Then here, and there:");
  await show(["constel", "mesh", "confirm", here?.name ?? "", here?.fingerprint ?? ""]);
  await show(["constel", "mesh", "confirm", there?.name ?? "", there?.fingerprint ?? ""], desk);
  const stands = await stage.until(
    async () => [...(await peers()), ...(await peers(desk))],
    (all) => all.length === 2 && all.every(({ state }) => state === "connected"),
  );
  await show(["constel", "mesh", "peers"]);
  narrator.seen("a line stands, over TLS with both keys proved", stands !== undefined);

  await narrator.tell("A message to an agent of the other machine, and there it is:");
  await show(["constel", "channel", "send", "agent1@desk", "the parser moved to src/parse"]);
  const drain = ["constel", "channel", "drain", "agent1"];
  const heard = await stage.until(
    () => stage.run(drain, desk),
    ({ stdout }) => stdout.includes("the parser moved"),
  );
  await narrator.command(drain);
  await narrator.printed(heard?.stdout ?? "");
  narrator.seen(
    "agent1 of desk has it, with the name of this machine",
    heard !== undefined && heard.stdout.includes("constel0"),
  );
}
