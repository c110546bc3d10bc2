// Writes what somebody asks permission for, as the owner reads it: the exact command and where it is to run, or the tool with what it is
// given. Nothing in it can move a terminal's cursor or pass for something else. If a part is left out, the text tells how much, and its
// hash: an answer is for what was asked and nothing else, also in the part that nobody was shown.

import { readRequest } from "../permissions/read-request.ts";
import { withLookAlikesShown } from "./look-alikes.ts";

const longest = 16_000;
/** Of what is too long, so much of the end is kept: it is where somebody would hide something. */
const endKept = 4_000;

export function askedText(tool: string, input: unknown, cwd: string): string {
  const asked = readRequest(tool, input, cwd);
  if (asked.kind === "shell") return shown(asked.cwd === cwd ? asked.command : `(in ${asked.cwd}) ${asked.command}`);
  if (asked.kind === "read") return shown(`${tool} ${asked.paths.join(" ")}`);
  if (asked.kind === "edit") return shown(`${tool} ${asked.paths.join(" ")}${writtenBy(input)}`);
  return shown(`${tool} ${JSON.stringify(input) ?? ""}`.trim());
}

/** Returns what an edit is to write, beside the paths. */
function writtenBy(input: unknown): string {
  const rest = Object.entries(input as object).filter(([key]) => !/path/i.test(key));
  return rest.length === 0 ? "" : ` ${JSON.stringify(Object.fromEntries(rest))}`;
}

function shown(text: string): string {
  const whole = withLookAlikesShown(text.toWellFormed());
  if (whole.length <= longest) return whole;
  const leftOut = whole.slice(longest - endKept, -endKept);
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 16);
  const told = ` … (${leftOut.length} characters left out; SHA-256 of the whole: ${hash}) … `;
  return `${whole.slice(0, longest - endKept)}${told}${whole.slice(-endKept)}`;
}
