// The judgement of one permission request: allow, deny or ask, with the rule that decided and the part that was decisive. Nothing
// is approved blindly: a shell command is judged by all its parts, and what cannot be read is asked.

import { judgeShell } from "./judge-shell.ts";
import { judgeUnknown } from "./judge-unknown.ts";
import { leadsByProcess, unreached } from "./judge-reach.ts";
import { posix } from "node:path";
import { judgePath } from "./paths.ts";
import { readRequest } from "./read-request.ts";
import {
  byDefault,
  byRules,
  fitsTool,
  type JudgeContext,
  type Judgement,
  noRule,
  type PermissionRequest,
  strictest,
  unruled,
} from "./rule.ts";

export function judge(request: PermissionRequest, context: JudgeContext): Judgement {
  const { tool, input, cwd } = request;
  const named = byRules(context.rules, tool, (rule) => rule.tool !== undefined && fitsTool(rule.tool, tool));
  // A rule for the tool can forbid and ask. To allow, it speaks only for tools that are not judged by what they do.
  if (named !== undefined && named.decision !== "allow") return readable(named);
  if (!cwd.startsWith("/")) return unruled(tool, "where the agent stands is not known");
  const asked = readRequest(tool, input, cwd);
  switch (asked.kind) {
    case "shell":
      return readable(judgeShell(context, asked.command, asked.cwd));
    case "read":
    case "edit": {
      const { kind, paths, descends = false } = asked;
      const isRuled = context.rules.some((rule) => rule.path !== undefined && rule.decision !== "allow");
      const worst = strictest(
        paths.flatMap((path) => [
          judgePath(context, kind, path, [cwd], path, descends),
          ...(isRuled && leadsByProcess(posix.resolve(cwd, path))
            ? [unreached(context, path, `where ${path} leads is a process's to say`)]
            : []),
        ]),
      );
      // The owner may let a tool read anywhere; a rule about the path still counts.
      const open = kind === "read" && worst.rule === noRule;
      return readable(open ? (named ?? worst) : worst);
    }
    case "harmless":
      return byDefault(tool, "tools that only keep the agent's own plan");
    case "other":
      return readable(judgeUnknown(context, request, asked.why) ?? named ?? unruled(tool, asked.why));
  }
}

/** Makes the text fit for people: nothing in it moves a terminal's cursor, and it is no longer than they read. */
function readable(judgement: Judgement): Judgement {
  const shown = (text: string): string => {
    const plain = text.replace(/[\p{C}\u2028\u2029]/gu, (one) => (one === "\n" ? "⏎" : "�"));
    return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
  };
  return { ...judgement, part: shown(judgement.part), why: shown(judgement.why) };
}
const longest = 400;
