// `constel login`: confirms a server, tries the token, and keeps both for `--server`.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { lookAtServer, remoteDaemon, type RemotePlace } from "../../../client/remote.ts";
import { messageOf, Refusal } from "../../../protocol/errors.ts";
import { isLoopback } from "../../../settings/listen-place.ts";
import type { CliContext } from "../context.ts";
import { askYes, canAsk } from "../input/ask.ts";
import { askPassphrase } from "../input/ask-passphrase.ts";
import type { CommandInput, CommandResult, RunCommand } from "../input/command.ts";
import { oneLine, table } from "../present/table.ts";
import { isServerName, readServer, removeServer, serverNames, writeServer } from "../reach/servers.ts";

export const login: RunCommand = async (context, input) => {
  const { home } = context.places;
  const given = input.optional("url");
  if (given === undefined) return listServers(context);
  const url = addressIn(given);
  const name = nameFor(input, url);
  const place = await confirmed(context, input, url);
  const token = askPassphrase(context, `The token for ${url} (constel token create makes one there):`, "a token");
  const { constellation, role, name: holder, version } = await remoteDaemon(place, token).whoAmI();
  writeServer(home, { name, ...place, token, constellation, role, holder });
  if (version !== context.version)
    context.output.say(`constel: ${name} runs constel ${oneLine(version)}, and this is ${context.version}`);
  return {
    json: { name, ...told(place), constellation, role, holder },
    text: [
      `You are ${oneLine(holder)} at ${oneLine(constellation)}, as ${oneLine(role)}.`,
      `Ask it with --server ${name}, or for a while: export CONSTEL_SERVER=${name}`,
    ].join("\n"),
  };
};

export const logout: RunCommand = async (context, input) => {
  const name = input.argument("name");
  if (!removeServer(context.places.home, name))
    throw new Refusal("server.unknown", `no server ${name} is known here`, { name });
  return { json: { name }, text: `${name} is forgotten. Its owner ends the token with: constel token revoke` };
};

const told = ({ url, fingerprint, ca }: RemotePlace) => ({ url, fingerprint, has_ca: ca !== null });

function listServers({ places, output }: CliContext): CommandResult {
  const known = serverNames(places.home).flatMap((name) => readServer(places.home, name) ?? []);
  const servers = known.map(({ name, constellation, role, holder, ...place }) => ({
    name,
    ...told(place),
    constellation,
    role,
    holder,
  }));
  return {
    json: { servers },
    text: () =>
      servers.length === 0
        ? "No server is known here. Log in to one with: constel login https://HOST:PORT"
        : table(
            ["server", "constellation", "as", "address", "confirmed by"],
            servers.map((one) => [one.name, one.constellation, one.holder, one.url, confirmedBy(one)]),
            { ...output, whole: new Set([0]) },
          ),
  };
}

const confirmedBy = ({ url, fingerprint, has_ca: hasCa }: ReturnType<typeof told>): string =>
  url.startsWith("http:")
    ? "being on this machine"
    : fingerprint !== null
      ? "fingerprint"
      : hasCa
        ? "an authority you named"
        : "an authority of this system";

/** Scheme, host and port alone. */
function addressIn(text: string): string {
  const bad = (why: string): Refusal =>
    new Refusal("usage.bad-value", `${JSON.stringify(text.slice(0, 200))} ${why}`, { argument: "url" });
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw bad("is no address; one looks like https://desk.example.org:7434");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw bad("is neither https nor http");
  if (url.protocol === "http:" && !isLoopback(url.hostname.replace(/^\[|\]$/g, "")))
    throw bad("would send the token in plain; use https, or a tunnel to this machine");
  if (
    url.username !== "" ||
    url.password !== "" ||
    (url.pathname !== "/" && url.pathname !== "") ||
    url.search !== "" ||
    url.hash !== ""
  )
    throw bad("has more than a host and a port");
  return url.origin;
}

function nameFor(input: CommandInput, url: string): string {
  const { hostname } = new URL(url);
  const usual = /^[a-z]/i.test(hostname) ? (hostname.split(".")[0] ?? "server") : "server";
  const name = input.flag("name") ?? usual;
  if (isServerName(name)) return name;
  throw new Refusal("usage.bad-value", "--name takes letters, digits, dot, dash and underscore", { flag: "name" });
}

/** Nothing is sent to a server before this. */
async function confirmed(context: CliContext, input: CommandInput, url: string): Promise<RemotePlace> {
  const ca = authorityIn(context, input);
  const fingerprint = fingerprintIn(input);
  if (url.startsWith("http:")) return { url, fingerprint: null, ca: null };
  if (fingerprint !== undefined) return { url, fingerprint, ca: null };
  const shown = await lookAtServer({ url, ca });
  if (shown.problem === undefined) return { url, fingerprint: null, ca };
  const facts = { url, fingerprint: shown.fingerprint };
  const unknown = `${url} shows a certificate that nobody known here vouches for (${oneLine(shown.problem)}): ${shown.fingerprint}`;
  if (ca !== null || !canAsk(context.output)) throw new Refusal("server.unknown-certificate", unknown, facts);
  context.output.say(`constel: ${unknown}`);
  if (!askYes(context.output, "Is this the fingerprint that its owner told you?"))
    throw new Refusal("server.unknown-certificate", `${url} was not confirmed`, facts);
  return { url, fingerprint: shown.fingerprint, ca: null };
}

function authorityIn({ cwd }: CliContext, input: CommandInput): string | null {
  const file = input.flag("ca");
  if (file === undefined) return null;
  try {
    return readFileSync(resolve(cwd, file), "utf8");
  } catch (cause) {
    throw new Refusal("usage.bad-value", `--ca cannot be read: ${messageOf(cause)}`, { flag: "ca" });
  }
}

/** As openssl prints it, or 64 digits in a row. */
function fingerprintIn(input: CommandInput): string | undefined {
  const text = input.flag("fingerprint");
  if (text === undefined) return undefined;
  const digits = text
    .replace(/^sha256(?: fingerprint)?=/i, "")
    .replaceAll(":", "")
    .toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(digits))
    throw new Refusal("usage.bad-value", "--fingerprint takes a SHA-256 fingerprint: 32 pairs of hexadecimal digits", {
      flag: "fingerprint",
    });
  return (digits.match(/../g) ?? []).join(":");
}
