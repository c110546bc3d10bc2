// Finds secrets by the rules of secretlint, which knows the shapes of hundreds of keys and is kept up to date by others. It is large
// and slow to load, so it runs in the daemon; floor/mask-argv.ts is what a command can afford.

import type { FindSecrets, FoundSecret } from "../../ports/secrets.ts";

type Lint = (text: string) => Promise<FoundSecret[]>;

let loaded: Promise<Lint> | undefined;

export const findSecrets: FindSecrets = async (text) => {
  loaded ??= load();
  return await (
    await loaded
  )(text);
};

async function load(): Promise<Lint> {
  const { lintSource } = await import("@secretlint/core");
  const { creator } = await import("@secretlint/secretlint-rule-preset-recommend");
  const config = { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator, rules: [] }] };
  return async (content) => {
    const { messages } = await lintSource({
      source: { filePath: "text.txt", content, contentType: "text", ext: ".txt" },
      options: { config: config as never, noPhysicFilePath: true, locale: "en" },
    });
    return messages
      .map(({ range: [start, end], messageId, ruleId }) => ({
        start,
        end,
        kind: `${ruleId.split("-rule-").at(-1)} ${messageId}`,
      }))
      .sort((a, b) => a.start - b.start);
  };
}
