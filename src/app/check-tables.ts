// Reads every setting that holds tables as those who use it will, so that a typing error is found before the night and not in it.

import { allPrices } from "../core/costs/owner-prices.ts";
import { pageRules } from "../core/owner/page-rules.ts";
import { parseRules } from "../core/permissions/rules-text.ts";
import { channelsFromConfig } from "../floor/escalate/channels-from-config.ts";
import { Refusal } from "../protocol/errors.ts";
import { accountsIn } from "../settings/accounts.ts";
import { capabilityRulesIn } from "../settings/capability-rules.ts";
import { inHome } from "../settings/paths.ts";
import { remotesIn } from "../settings/remotes.ts";
import { configText, type Settings } from "../settings/settings.ts";

export async function settingsComplaint({ home, config }: Settings): Promise<string | undefined> {
  const readers: readonly (() => unknown)[] = [
    () => channelsFromConfig(config["escalate.channels"]),
    () => pageRules(config["page.rules"]),
    () => accountsIn(config["agents.accounts"]),
    () => capabilityRulesIn(config["authority.capabilities"]),
    () => remotesIn(config["a2a.remotes"]),
    () => allPrices(config["usage.prices"]),
    () => parseRules(configText(home) ?? "", { path: inHome.config, trusted: true }),
  ];
  for (const read of readers) {
    try {
      read();
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      return cause.message;
    }
  }
  return undefined;
}
