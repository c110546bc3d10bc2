// `mesh add ssh HOST`: has our key put on the list there, and learns the key that is there. ssh proves both sides to each other; it may ask its
// questions, since somebody is at the terminal.

import { spawn } from "node:child_process";
import { placeIn } from "../../../host/mesh/ssh/ssh-transport.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { InputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { CliContext } from "../context.ts";
import type { CommandInput } from "../input/command.ts";

type Added = Partial<InputOf<(typeof operations)["mesh.add"]>>;

const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const mostAnswerBytes = 65_536;

export async function askBySsh(context: CliContext, input: CommandInput): Promise<Added> {
  const host = input.argument("at");
  const given = input.flag("program");
  const at = given === undefined ? host : `${host} ${given}`;
  const place = placeIn(at);
  const own = await (await context.caller()).call("mesh.key", {});
  const { config } = await context.settings();
  const [file = "ssh", ...options] = config["mesh.ssh"];
  const theirRole = input.flag("role") === "root" ? "sibling" : "root";
  const knownAs = input.flag("known-as") ?? own.constellation;
  // A shell reads it over there.
  if (!plainName.test(knownAs))
    throw new Refusal("usage.bad-value", `--known-as takes a plain name, not ${JSON.stringify(knownAs.slice(0, 80))}`);
  // A key may begin with a dash.
  const words = ["mesh", "accept", "--role", theirRole, "--json", "--", knownAs, own.key];
  const answer = await textOf(file, [...options, "-T", "--", place.host, [place.program, ...words].join(" ")], host);
  const { key, constellation } = readAnswer(answer, host);
  return { key, name: input.flag("name") ?? constellation, at };
}

async function textOf(file: string, words: readonly string[], host: string): Promise<string> {
  const child = spawn(file, [...words], { stdio: ["inherit", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
    if (text.length > mostAnswerBytes) child.kill("SIGTERM");
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", (cause) => reject(unreachable(host, `${file}: ${cause.message}`)));
    child.once("close", resolve);
  });
  if (code !== 0) throw unreachable(host, `ssh ended with ${code}; it says why above`);
  return text;
}

/** A login shell may print before it: the answer is the last object. */
function readAnswer(text: string, host: string): { readonly key: string; readonly constellation: string } {
  try {
    const { own } = JSON.parse(text.slice(text.search(/^\{/m))) as { own: { key: unknown; constellation: unknown } };
    const { key, constellation } = own;
    if (typeof key === "string" && typeof constellation === "string") return { key, constellation };
  } catch {
    // told below
  }
  throw unreachable(host, "the constel there is older, or something else answered");
}

const unreachable = (host: string, why: string): Refusal =>
  new Refusal("mesh.unreachable", `${host} could not be asked: ${why}`, { at: host });
