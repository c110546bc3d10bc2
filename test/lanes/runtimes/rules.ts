// Holds what the scripted model answers in the lane, the same for every program.

const usual = {
  default: { text: "default answer", usage: { input: 10, output: 2 } },
  rules: [
    { name: "hold", when: { prompt: "/please hold (\\w+)/" }, reply: { text: "held {{1}}", hold: "{{1}}" } },
    {
      name: "ask-codex",
      when: { prompt: "run a risky command", api: "responses" },
      steps: [
        {
          calls: [
            {
              shell: "touch {{cwd}}/../risky",
              input: { sandbox_permissions: "require_escalated", justification: "scripted" },
            },
          ],
        },
        { text: "risky done" },
      ],
    },
    {
      name: "ask",
      when: { prompt: "run a risky command" },
      steps: [{ calls: [{ shell: "touch {{cwd}}/../risky" }] }, { text: "risky done" }],
    },
    {
      name: "mcp",
      when: { prompt: "use the echo" },
      steps: [{ calls: [{ mcp: "tracker/echo", input: { words: "over MCP" } }] }, { text: "used: {{result}}" }],
    },
    {
      name: "tokens",
      when: { prompt: "count the tokens" },
      reply: { text: "counted", usage: { input: 111, output: 22, cache_read: 33, cache_write: 44 } },
    },
  ],
};

const limits = [
  {
    name: "limit-codex",
    when: { prompt: "hit the limit", api: "responses" },
    reply: { error: { status: 429, type: "usage_limit_reached", message: "The usage limit has been reached" } },
  },
  {
    name: "limit-gemini",
    when: { prompt: "hit the limit", api: "gemini", side: "any" },
    reply: {
      error: {
        status: 429,
        type: "RESOURCE_EXHAUSTED",
        message: "You exceeded your current quota, limit: 0. Please retry in 3600s.",
      },
    },
  },
  {
    name: "limit",
    when: { prompt: "hit the limit" },
    reply: {
      error: {
        status: 429,
        type: "rate_limit_error",
        message: "This request would exceed your account's rate limit. Please try again later.",
      },
    },
  },
];

/** The limit is only scripted while a test wants it: programs send a failed prompt along with the next one. */
export const rules = usual;
export const limitedRules = { ...usual, rules: [...limits, ...usual.rules] };
