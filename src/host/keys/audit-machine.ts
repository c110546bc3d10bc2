// The audit's side of the machine: the file of anchored heads in audit/, the ring, and the way outside that the owner set.

import type { Disk } from "../../files/disk.ts";
import { appendTrusted, readTrusted } from "../../files/trusted-files.ts";
import type { AuditEvidence, AuditMachine } from "../../ports/audit.ts";
import type { Clock, Processes } from "../../ports/machine.ts";
import { Outage } from "../../protocol/errors.ts";
import { signWith } from "./ed25519.ts";
import { keyBook } from "./key-book.ts";
import { ringFile, signingKey } from "./key-files.ts";
import { hadOwnerAt, hashOfLine } from "./ring.ts";

export const anchorsFile = "audit/heads.jsonl";
const publishDeadlineMs = 30_000;

export function auditEvidence(home: string): AuditEvidence {
  const book = keyBook(home);
  const text = (file: string): string | undefined => readTrusted(home, file)?.toString("utf8");
  return {
    anchors: () => text(anchorsFile),
    ring: () => text(ringFile),
    ringHashes: () => (text(ringFile) ?? "").split("\n").filter(Boolean).map(hashOfLine),
    hadOwner: (hash) => hadOwnerAt(text(ringFile) ?? "", hash),
    verify: book.verify,
  };
}

export function auditMachine(
  home: string,
  parts: {
    readonly clock: Clock;
    readonly processes: Processes;
    /** Given each line on its standard input; empty: nowhere. */
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    /** Lets tests see what is made to last. */
    readonly disk?: Disk;
  },
): AuditMachine {
  const { clock, processes, command, env, disk } = parts;
  return {
    ...auditEvidence(home),
    sign: (holder, bytes) => signWith(signingKey(home, holder, clock), bytes),
    append: (line) =>
      appendTrusted(home, anchorsFile, `${line}\n`, { sync: true, ...(disk === undefined ? {} : { disk }) }),
    async publish(line) {
      if (command.length === 0) return;
      const { code, stderr } = await processes.run(command, { env, stdin: `${line}\n`, deadlineMs: publishDeadlineMs });
      if (code !== 0) throw new Outage("run", command[0] ?? "", stderr.slice(0, 300) || `it ended with ${code}`);
    },
  };
}
