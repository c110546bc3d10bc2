// The token for a forge: the one that the forge's own client has, or one in a file or behind a command that the owner's settings
// name. It is asked for when it is needed, kept in memory for a few minutes, and written nowhere. What a client prints besides
// it, on either stream, is not repeated in any message.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { Refusal } from "../../protocol/errors.ts";
import type { ForgePlace } from "../../ports/forge.ts";
import type { ForgeSetting, ForgesOptions } from "./forge-setting.ts";

const keepMs = 300_000;
const deadlineMs = 10_000;

export function forgeToken(
  options: ForgesOptions,
  { kind, host, setting }: { kind: ForgePlace["kind"]; host: string; setting: ForgeSetting | undefined },
): () => Promise<string> {
  let kept: { readonly token: string; readonly untilMs: number } | undefined;
  return async () => {
    const nowMs = options.clock.nowMs();
    if (kept !== undefined && nowMs < kept.untilMs && nowMs >= kept.untilMs - keepMs) return kept.token;
    const token = await tokenOf(options, { kind, host, setting });
    kept = { token, untilMs: nowMs + keepMs };
    return token;
  };
}

async function tokenOf(
  options: ForgesOptions,
  { kind, host, setting }: { kind: ForgePlace["kind"]; host: string; setting: ForgeSetting | undefined },
): Promise<string> {
  if (setting?.token_file !== undefined) return fit(host, readTokenFile(host, setting.token_file), "the token file");
  const command = setting?.token_command ?? clientOf[kind]?.(host);
  if (command === undefined) throw none(host, `no way to a token for ${host} is set`);
  const outcome = await options.processes.run(["sh", "-c", command], {
    env: options.environment,
    stdin: "",
    deadlineMs,
    maxOutputBytes: 64 * 1024,
  });
  if (outcome.code !== 0) throw none(host, `${command.split(" ")[0]} has no token for ${host}`);
  return fit(host, new TextDecoder().decode(outcome.stdout), command.split(" ")[0] ?? "the command");
}

/** The clients that print the token of a host they are logged in at. */
const clientOf: Partial<Record<ForgePlace["kind"], (host: string) => string>> = {
  github: (host) => `gh auth token --hostname '${plain(host)}'`,
  gitlab: (host) => `glab config get token --host '${plain(host)}'`,
  gitea: (host) => `tea logins helper get --host '${plain(host)}' 2>/dev/null | sed -n 's/^password=//p'`,
};

const plain = (host: string): string => host.replace(/[^A-Za-z0-9.:_-]/g, "");

/** Through one descriptor, so that what was looked at is what is read; a file that others may read is no place for a token. */
function readTokenFile(host: string, path: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    throw none(host, `the token file ${path} cannot be read`);
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > 64 * 1024) throw none(host, `${path} is no file with a token`);
    if ((stat.mode & 0o077) !== 0) throw none(host, `others may read the token file ${path}; run chmod 600 on it`);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

function fit(host: string, text: string, from: string): string {
  const token = text.trim();
  if (/^[\x21-\x7e]{8,4096}$/.test(token)) return token;
  throw none(host, `${from} gives no token for ${host}`);
}

const none = (host: string, why: string): Refusal => new Refusal("forge.no-token", why, { host });
