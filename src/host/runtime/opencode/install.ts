// opencode has no hooks but plugins: a small file of ours that runs `constel hook` at the same moments and passes on what it says.
// Start, prompt, edits, denials and the stop that is held back were seen with opencode 1.18.18; its questions for permission and the replies
// to them are as the OpenAPI page that 1.18.33 serves has them.

import { join } from "node:path";
import type { InstallTarget, InstallWish } from "../../../ports/runtime.ts";

export function opencodeInstalls({ env, project, line, instructions }: InstallWish): readonly InstallTarget[] {
  const config = configOf(env);
  const path = project === undefined ? installedPlugin(env) : join(project, ".opencode", "plugins", "constel.js");
  return [
    { kind: "file", runtime: "opencode", path, text: pluginText(line) },
    { kind: "instructions", runtime: "opencode", path: join(project ?? config, "AGENTS.md"), text: instructions },
  ];
}

/** The path where `constel install opencode` puts the plugin for every repository. */
export const installedPlugin = (env: InstallWish["env"]): string => join(configOf(env), "plugins", "constel.js");

const configOf = (env: InstallWish["env"]): string =>
  join(env["XDG_CONFIG_HOME"] ?? join(env["HOME"] ?? "/", ".config"), "opencode");

export function pluginText(line: string): string {
  return `// Written by \`constel install opencode\`; \`constel install opencode --undo\` takes it away.
// Runs constel's hook at each prompt, tool and stop, and passes on what it says. A hook that fails says nothing.

import { spawn } from "node:child_process";
import { env } from "node:process";

const line = ${JSON.stringify(line)};
const longestMs = 5000;
// Only an agent that constel started has it: there, what the program asks is asked of constel.
const url = env.CONSTEL_OPENCODE_URL;

function hook(payload, waiting) {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", line], { stdio: ["pipe", "pipe", "ignore"] });
    waiting?.(child);
    const timer = waiting ? undefined : setTimeout(() => child.kill("SIGKILL"), longestMs);
    let said = "";
    child.stdout.on("data", (chunk) => (said += chunk));
    child.stdin.on("error", () => {});
    child.on("error", () => resolve({}));
    child.on("close", () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(said));
      } catch {
        resolve({});
      }
    });
    child.stdin.end(JSON.stringify(payload));
  });
}

export const Constel = async ({ client, directory }) => {
  const begun = new Set();
  const heldBack = new Set();
  const call = (hook_event_name, session_id, more = {}) =>
    hook({ hook_event_name, session_id, cwd: directory, ...more });
  const text = (message, said) => ({
    id: \`prt_constel\${Date.now().toString(36)}\${Math.random().toString(36).slice(2, 10)}\`,
    sessionID: message.sessionID,
    messageID: message.id,
    type: "text",
    text: said,
    synthetic: true,
  });
  const calls = new Map();
  const questions = new Map();
  const allowed = new Set();
  // Its own dialog stands until constel's rules, or the owner, have answered; without an answer it stays.
  const answer = async ({ id, sessionID, permission, patterns, metadata, tool }) => {
    const asked = calls.get(tool?.callID) ?? { tool: permission, args: { ...metadata, patterns } };
    // It may ask twice about one call: about a directory outside, then about the command. The answer was about the whole call.
    const isKnown = allowed.has(tool?.callID);
    const payload = { hook_event_name: "PermissionRequest", session_id: sessionID, cwd: directory };
    const ask = async () => {
      const said = await hook({ ...payload, tool_name: asked.tool, tool_input: asked.args }, (child) =>
        questions.set(id, child),
      );
      return questions.delete(id) ? said.hookSpecificOutput?.decision : undefined;
    };
    const decision = isKnown ? { behavior: "allow" } : await ask();
    if (!decision) return;
    if (decision.behavior === "allow" && calls.has(tool?.callID)) allowed.add(tool.callID);
    const authorization = \`Basic \${btoa(\`opencode:\${env.OPENCODE_SERVER_PASSWORD}\`)}\`;
    const reply = decision.behavior === "allow" ? { reply: "once" } : { reply: "reject", message: decision.message };
    await fetch(\`\${url}/permission/\${id}/reply\`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(reply),
    }).catch(() => {});
  };
  // Somebody answered in the program itself.
  const withdraw = (id) => {
    const child = questions.get(id);
    questions.delete(id);
    child?.kill("SIGKILL");
  };
  return {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const prompt = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\\n");
      const start = begun.has(sessionID) ? {} : await call("SessionStart", sessionID, { source: "startup" });
      begun.add(sessionID);
      const said = await call("UserPromptSubmit", sessionID, { prompt });
      for (const { context } of [start, said]) if (context) parts.push(text({ ...message, sessionID }, context));
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      calls.set(callID, { tool, args });
      const { deny } = await call("PreToolUse", sessionID, { tool_name: tool, tool_input: args });
      if (deny) throw new Error(deny);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }) => {
      calls.delete(callID);
      allowed.delete(callID);
      await call("PostToolUse", sessionID, { tool_name: tool, tool_input: args });
    },
    event: async ({ event }) => {
      const sessionID = event.properties?.sessionID ?? event.properties?.info?.id;
      if (event.type === "session.deleted") await call("SessionEnd", sessionID, { reason: "other" });
      if (url && event.type === "permission.asked") void answer(event.properties);
      if (url && event.type === "permission.replied") withdraw(event.properties.requestID);
      if (event.type !== "session.idle") return;
      const { context } = await call("Stop", sessionID, { stop_hook_active: heldBack.delete(sessionID) });
      if (!context) return;
      heldBack.add(sessionID);
      await client.session.promptAsync({ path: { id: sessionID }, body: { parts: [{ type: "text", text: context }] } });
    },
  };
};
`;
}
