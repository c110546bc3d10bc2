// `constel serve`: sets what the daemon serves to other machines, and shows it.

import { resolve } from "node:path";
import { readIdentity } from "../../../host/tls/identity.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { SettingKey } from "../../../settings/declarations.ts";
import { isListenPlace, isLoopback, listenPlace } from "../../../settings/listen-place.ts";
import type { CliContext } from "../context.ts";
import type { CommandInput, CommandResult, RunCommand } from "../input/command.ts";
import { folded } from "../present/fold.ts";
import { oneLine } from "../present/table.ts";
import { utc } from "../present/time.ts";
import { startDaemon } from "../reach/start-daemon.ts";
import { directCaller } from "../reach/stop-daemon.ts";

type Status = OutputOf<(typeof operations)["daemon.status"]>;

export const serve: RunCommand = async (context, input) => {
  const { changeSettings } = await import("./config.ts");
  if (input.has("off")) {
    await changeSettings(context, [["serve.listen", ""]]);
    return { json: { serves: null, serves_problem: null }, text: "Nobody is served any more." };
  }
  const wish = wishOf(context, input);
  if (wish.length > 0) {
    await refuseUnusable(context, wish);
    await changeSettings(context, wish);
  }
  await startDaemon(context);
  return shown(context, await directCaller(context).call("daemon.status", {}));
};

type Wish = readonly (readonly [key: SettingKey, value: string])[];

function wishOf({ cwd }: CliContext, input: CommandInput): Wish {
  const file = (flag: string): string | undefined => {
    const named = input.flag(flag);
    return named === undefined ? undefined : resolve(cwd, named);
  };
  const [listen, certificate, key] = [input.flag("listen"), file("certificate"), file("key")];
  const names = input.flags("name");
  if ((certificate === undefined) !== (key === undefined))
    throw new Refusal("usage.missing-argument", "--certificate and --key go together");
  if (listen !== undefined && !isListenPlace(listen))
    throw new Refusal("usage.bad-value", "--listen takes an address and a port, such as 0.0.0.0:7434");
  const given: [SettingKey, string | undefined][] = [
    ["serve.certificate", certificate],
    ["serve.key", key],
    ["serve.names", names.length === 0 ? undefined : JSON.stringify(names)],
    // Last: with it the door opens.
    ["serve.listen", listen],
  ];
  return given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

/** Before anything is written: what could not be served is better known now. */
async function refuseUnusable(context: CliContext, wish: Wish): Promise<void> {
  const { config } = await context.settings();
  const wanted = new Map<string, string>(wish);
  const valueOf = (key: "serve.listen" | "serve.certificate" | "serve.key"): string => wanted.get(key) ?? config[key];
  const listen = valueOf("serve.listen");
  if (listen === "") throw new Refusal("usage.missing-argument", "constel serve needs --listen, such as 0.0.0.0:7434");
  const certificate = valueOf("serve.certificate");
  const identity = certificate === "" ? undefined : readIdentity(certificate, valueOf("serve.key"));
  const { host } = listenPlace(listen);
  if (identity === undefined && !isLoopback(host))
    throw new Refusal("serve.needs-certificate", `${host} is reached by other machines, and there is no certificate`);
  if (!wanted.has("serve.names") && config["serve.names"].length === 0 && (identity?.names ?? []).length === 0)
    throw new Refusal("serve.no-names", "nothing says by which names others reach this daemon");
}

function shown({ output }: CliContext, { serves, serves_problem: problem }: Status): CommandResult {
  const json = { serves, serves_problem: problem };
  if (problem !== null) return { json, text: `Not served: ${oneLine(problem)}`, exit: exitCodes.negative };
  if (serves === null)
    return { json, text: "Nobody is served. `constel serve --help` shows how.", exit: exitCodes.negative };
  const login = [
    `constel login ${serves.address}`,
    ...(serves.fingerprint === null ? [] : [`--fingerprint ${serves.fingerprint}`]),
  ];
  const rows = [
    `Served at    ${serves.address}`,
    `Names        ${serves.names.join(", ")}`,
    ...(serves.fingerprint === null
      ? ["Certificate  none: a proxy in front adds TLS"]
      : [
          `Certificate  until ${utc(serves.until_ms ?? 0)}, SHA-256 fingerprint:`,
          `             ${serves.fingerprint}`,
        ]),
    "",
    "A token for somebody: constel token create ann --role human",
    ...folded(`They run: ${login.join(" ")}`, output.columns, "  "),
  ];
  return { json, text: rows.join("\n") };
}
