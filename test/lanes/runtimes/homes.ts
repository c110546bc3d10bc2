// How each program is pointed at the scripted model in a home of its own, and kept from calling anybody else.

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
};
