// Finds the forge of an origin and opens it. The owner's settings name forges by host; github.com, gitlab.com and codeberg.org
// need none. A repository's own files have no say in this: they could send the token anywhere.

import { Refusal } from "../../protocol/errors.ts";
import type { Forge, ForgePlace, Forges } from "../../ports/forge.ts";
import { ForgeClient } from "./client.ts";
import { commandForge } from "./command/command.ts";
import type { ForgeSetting, ForgesOptions } from "./forge-setting.ts";
import { forgeToken } from "./forge-token.ts";
import { giteaForge } from "./gitea/gitea.ts";
import { githubForge } from "./github/github.ts";
import { gitlabForge } from "./gitlab/gitlab.ts";

export const forgeKinds = ["github", "gitea", "gitlab", "command"] as const;

const wellKnown: readonly ForgeSetting[] = [
  { host: "github.com", kind: "github", api: "https://api.github.com" },
  { host: "gitlab.com", kind: "gitlab" },
  { host: "codeberg.org", kind: "gitea" },
];

export function systemForges(options: ForgesOptions): Forges {
  const settingOf = (host: string): ForgeSetting | undefined =>
    [...options.settings, ...wellKnown].find((one) => one.host.toLowerCase() === host.toLowerCase());
  return {
    placeOf(origin) {
      const { host, path, scheme } = addressOf(origin);
      const setting = settingOf(host);
      const kind = forgeKinds.find((one) => one === setting?.kind);
      if (setting === undefined || kind === undefined)
        throw new Refusal("forge.not-known", `no forge is known for ${host === "" ? origin : host}`, { origin: host });
      const repository = setting.repository ?? path;
      // Gitea and GitHub have an owner and a name; whatever else stands there must not become a path of the interface.
      if (kind !== "command" && !/^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)+$/.test(repository))
        throw new Refusal("forge.not-known", `${repository} on ${host} is no repository's name`, { origin: host });
      return { kind, host, repository, api: setting.api ?? apiOf(kind, scheme, host) };
    },
    open: (place) => openForge(options, place, settingOf(place.host)),
  };
}

function openForge(options: ForgesOptions, place: ForgePlace, setting: ForgeSetting | undefined): Forge {
  const { kind, host, api } = place;
  if (kind === "command") return commandForge({ ...options, command: setting?.command ?? "false" }, place);
  const { token: given } = options;
  const token = given === undefined ? forgeToken(options, { kind, host, setting }) : async () => given;
  const make = { github: githubForge, gitea: giteaForge, gitlab: gitlabForge }[kind];
  const { clock, deadlineMs, wholeMs } = options;
  return eachApart(() =>
    make(
      new ForgeClient({
        api,
        host,
        clock,
        ...(deadlineMs === undefined ? {} : { deadlineMs }),
        ...(wholeMs === undefined ? {} : { wholeMs }),
        headers: async () => headersOf(kind, await token()),
      }),
      place,
    ),
  );
}

/** A client of its own for each thing that is asked: its bounds are for all calls that this takes. */
function eachApart(open: () => Forge): Forge {
  return {
    find: (branch) => open().find(branch),
    open: (wish) => open().open(wish),
    update: (number, change) => open().update(number, change),
    state: (number, about) => open().state(number, about),
    remarks: (number) => open().remarks(number),
    merge: (number, wish) => open().merge(number, wish),
    close: (number) => open().close(number),
    openPulls: () => open().openPulls(),
    putComment: (on, number, comment) => open().putComment(on, number, comment),
    issues: (filter) => open().issues(filter),
    issue: (number) => open().issue(number),
    checks: (commit) => open().checks(commit),
  };
}

function headersOf(kind: ForgePlace["kind"], token: string): Record<string, string> {
  if (token === "") return {};
  if (kind === "gitlab") return { "private-token": token };
  if (kind === "gitea") return { authorization: `token ${token}` };
  return {
    authorization: `Bearer ${token}`,
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
  };
}

/** Where a forge of one's own has its interface. */
function apiOf(kind: ForgePlace["kind"], scheme: string, host: string): string {
  const tail = { github: "/api/v3", gitea: "/api/v1", gitlab: "/api/v4", command: "" }[kind];
  return kind === "command" ? "" : `${scheme}://${host}${tail}`;
}

/** Host and path of an address as git knows it: a URL, or `user@host:path`. */
export function addressOf(origin: string): { host: string; path: string; scheme: string } {
  const trim = (path: string): string => path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  const short = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/)(.+)$/.exec(origin);
  if (short !== null && !origin.includes("://"))
    return { host: short[1] ?? "", path: trim(short[2] ?? ""), scheme: "https" };
  let url: URL;
  try {
    url = new URL(origin);
  } catch {
    return { host: "", path: trim(origin), scheme: "" };
  }
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return {
    // The port of ssh says nothing of the one that the interface has.
    host: isWeb ? url.host : url.hostname,
    path: trim(url.pathname),
    scheme: url.protocol === "http:" ? "http" : "https",
  };
}
