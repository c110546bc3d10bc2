// The merged tree fails the repository's gate though both sides pass it. Running it is left to others (try-gate.ts).

import { hunk, ours, type Said, theirs } from "../pair-finding.ts";
import type { GateAnswer } from "../try-gate.ts";

export interface GateScene {
  readonly gate: GateAnswer;
}

export function reviewGate({ gate }: GateScene): Said[] {
  if (gate.says !== "breaks") return [];
  const { command, detail } = gate;
  return [
    {
      subject: command,
      title: `the gate fails on ${ours} and ${theirs} merged, and passes on each alone`,
      action: `Merge one into the other, run \`${command}\`, and fix what it reports.`,
      symbols: [],
      evidence: [
        {
          rule: "red",
          path: "constel.toml",
          symbol: null,
          ours: [],
          theirs: [],
          message: hunk("", 1, detail).text,
        },
      ],
    },
  ];
}
