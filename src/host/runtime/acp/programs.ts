// The programs that constel drives over ACP alone: the command that makes each speak it, and what was seen of it. A program that is not tried
// says so; everything constel shows of it comes from the protocol.

import type { AcpTraits } from "./drive.ts";

export interface AcpProgram {
  readonly name: string;
  /** As it is found on the PATH. */
  readonly command: string;
  readonly words: readonly string[];
  /** The versions it was run with; none: by its documents alone. */
  readonly checkedVersions: readonly string[];
  readonly modes?: AcpTraits["modes"];
  readonly tellsContextAfter?: true;
  /** It copies a conversation, as it said when it was asked. */
  readonly copies?: true;
  /** The words that open a conversation in its own terminal. */
  readonly resume: (session: string) => readonly string[];
}

export const acpPrograms: readonly AcpProgram[] = [
  {
    name: "qwen",
    command: "qwen",
    words: ["--acp"],
    checkedVersions: ["0.24.4"],
    modes: { ask: "default", readOnly: "plan" },
    resume: (session) => ["--resume", session],
  },
  {
    name: "kimi",
    command: "kimi",
    words: ["acp"],
    checkedVersions: ["2.1.0"],
    modes: { ask: "default", readOnly: "plan" },
    tellsContextAfter: true,
    copies: true,
    resume: (session) => ["--session", session],
  },
  { name: "copilot", command: "copilot", words: ["--acp"], checkedVersions: [], resume: (id) => [`--resume=${id}`] },
  {
    name: "droid",
    command: "droid",
    words: ["exec", "--output-format", "acp"],
    checkedVersions: [],
    resume: (id) => ["--resume", id],
  },
  { name: "cursor", command: "cursor-agent", words: ["acp"], checkedVersions: [], resume: (id) => [`--resume=${id}`] },
];
