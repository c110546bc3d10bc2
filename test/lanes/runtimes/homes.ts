// Points each program at the scripted model in a home of its own, and keeps it from calling anybody else.

import { join } from "node:path";
import type { Home } from "./lab.ts";

export const homes: Readonly<Record<string, Home>> = {
  claude: {
    env: (lab) => ({
      ANTHROPIC_BASE_URL: lab.model.url,
      ANTHROPIC_AUTH_TOKEN: "dummy",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "0",
    }),
    files: (lab) => ({ [join(lab.home, ".claude.json")]: JSON.stringify({ hasCompletedOnboarding: true }) }),
  },
  codex: {
    env: () => ({ SCRIPTED_KEY: "dummy" }),
    files: (lab) => ({
      [join(lab.home, ".codex", "config.toml")]: [
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        "check_for_update_on_startup = false",
        "[model_providers.scripted]",
        'name = "scripted"',
        `base_url = "${lab.model.url}/v1"`,
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
        "request_max_retries = 0",
        "stream_max_retries = 0",
        "[analytics]",
        "enabled = false",
        "[features]",
        "plugins = false",
        "daemon_auto_start = false",
        "[notice.model_migrations]",
        '"gpt-5.5" = "gpt-6-sol"',
        "",
      ].join("\n"),
    }),
  },
  opencode: {
    env: () => ({
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    }),
    files: (lab) => ({
      [join(lab.home, ".config", "opencode", "opencode.json")]: JSON.stringify({
        model: "scripted/one",
        small_model: "scripted/one",
        enabled_providers: ["scripted"],
        autoupdate: false,
        share: "disabled",
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            name: "Scripted",
            options: { baseURL: `${lab.model.url}/v1`, apiKey: "dummy" },
            models: { one: { name: "One", limit: { context: 200_000, output: 8192 }, cost: { input: 1, output: 2 } } },
          },
        },
      }),
    }),
  },
  qwen: {
    env: (lab) => ({ OPENAI_API_KEY: "dummy", OPENAI_BASE_URL: `${lab.model.url}/v1`, OPENAI_MODEL: "one" }),
    files: (lab) => ({
      [join(lab.home, ".qwen", "settings.json")]: JSON.stringify({
        security: { auth: { selectedType: "openai" } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
        model: { name: "one" },
      }),
    }),
  },
  kimi: {
    env: (lab) => ({
      KIMI_MODEL_NAME: "one",
      KIMI_MODEL_API_KEY: "dummy",
      KIMI_MODEL_PROVIDER_TYPE: "openai",
      KIMI_MODEL_BASE_URL: `${lab.model.url}/v1`,
      KIMI_CODE_NO_AUTO_UPDATE: "1",
    }),
    files: () => ({}),
  },
  gemini: {
    env: (lab) => ({ GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: lab.model.url }),
    files: (lab) => ({
      [join(lab.home, ".gemini", "settings.json")]: JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, maxAttempts: 1 },
      }),
    }),
  },
};
