// Tokens for HTTP access on the command line.

import { parseDuration } from "../../../protocol/duration.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import type { RunCommand } from "../input/command.ts";
import { table } from "../present/table.ts";
import { utc } from "../present/time.ts";

const usualTime = "30d";

export const create: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const lasts = input.flag("expires") ?? usualTime;
  const scope = input.flag("scope");
  const filled = {
    expires_ms: lasts === "never" ? null : systemClock.nowMs() + parseDuration(lasts),
    ...(scope === undefined ? {} : { scope: scope.split(",").map((one) => one.trim()) }),
  };
  const made = await caller.call("token.create", input.asked("token.create", filled));
  const until = made.expires_ms === null ? "until it is revoked" : `until ${utc(made.expires_ms)}`;
  context.output.say(`constel: shown once, and good ${until}. End it with: constel token revoke ${made.id}`);
  return { json: made, text: made.token };
};

export const list: RunCommand = async (context) => {
  const { tokens } = await (await context.caller()).call("token.list", {});
  const nowMs = systemClock.nowMs();
  return {
    json: { tokens },
    text: () =>
      tokens.length === 0
        ? "No tokens. Make one with: constel token create wall --role observer"
        : table(
            ["id", "what", "name", "role", "scope", "state", "used"],
            tokens.map((one) => [
              one.id,
              kindWords[one.kind],
              one.name,
              one.role,
              one.scope.join(", ") || "all",
              stateOf(one, nowMs),
              one.used_ms === null ? "never" : utc(one.used_ms),
            ]),
            { ...context.output, whole: new Set([0]) },
          ),
  };
};

const kindWords = { token: "token", browser: "browser session" } as const;

export const revoke: RunCommand = async (context, input) => {
  const ended = await (await context.caller()).call("token.revoke", input.asked("token.revoke"));
  return { json: ended, text: `${ended.name} no longer opens anything.` };
};

function stateOf(
  token: { readonly expires_ms: number | null; readonly revoked_ms: number | null },
  nowMs: number,
): string {
  if (token.revoked_ms !== null) return `revoked ${utc(token.revoked_ms)}`;
  if (token.expires_ms === null) return "no end";
  return token.expires_ms <= nowMs ? `over since ${utc(token.expires_ms)}` : `until ${utc(token.expires_ms)}`;
}
