// Compares what people see with stored screens that a reviewer can read: test/screens/<name>-<columns>x<rows>.txt. The data is fixed: 100
// agents, 300 findings, 40 tasks. After a wanted change: CONSTEL_WRITE_SCREENS=1 bin/check test test/screens.test.ts

import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { knotsIn } from "../src/app/try-repository.ts";
import type { AgentNow } from "../src/doors/cli/reach/agents-now.ts";
import { makeOutput } from "../src/doors/cli/present/output.ts";
import { agentsTable } from "../src/doors/cli/present/agents-table.ts";
import { findingLines, findingsSummary, type ListedFinding } from "../src/doors/cli/present/finding-lines.ts";
import { firstLookScreen } from "../src/doors/cli/present/first-look.ts";
import { type Status, statusScreen } from "../src/doors/cli/present/status.ts";
import { frame } from "../src/doors/cli/present/redraw.ts";
import type { ListedAgent } from "../src/floor/agents/list-agents.ts";
import type { FindingDraft, FindingKind, Severity } from "../src/protocol/findings.ts";
import type { FirstLook } from "../src/protocol/try-report.ts";

const nowMs = Date.UTC(2026, 2, 14, 15, 9, 26);
const minute = 60_000;
const pick = <T>(from: readonly [T, ...T[]], index: number): T => from[index % from.length] ?? from[0];
const states = [
  "busy",
  "idle",
  "busy",
  "idle",
  "limited",
  "busy",
  "waiting-permission",
  "idle",
  "hung",
  "starting",
] as const;
const areas = ["billing", "login", "search", "export", "inventory", "reports", "mail"] as const;

const agents: AgentNow[] = Array.from({ length: 100 }, (_, index) => {
  const state = index === 37 ? "dead" : index % 7 === 0 ? pick(states, index / 7) : index % 2 === 0 ? "busy" : "idle";
  return {
    agent: `agent${index}`,
    role: index === 0 ? "root" : "clone",
    runtime: pick(["claude", "codex", "opencode", "gemini"], index),
    wanted: index > 96 ? "down" : "up",
    state,
    since_ms: nowMs - (index + 1) * 7 * minute,
    until_ms: state === "limited" ? nowMs + 90 * minute : null,
    evidence: {
      on: "hooks",
      says: state === "waiting-permission" ? "asks for permission to use Bash" : `its hooks say ${state}`,
      at_ms: nowMs,
    },
    task: state === "busy" ? `task ${index + 1}` : null,
    // The one that waits for permission has two, and its program was told of neither by number.
    tasks: state === "waiting-permission" ? [43, 143] : [],
    launched_ms: nowMs - 600 * minute,
    session_id: null,
    cwd: "/home/you/shop",
    model: null,
    account: null,
    mail_held: state === "limited" ? "its usage limit is reached" : null,
    messages: { waiting: state === "limited" ? 2 : 0, unknown: 0 },
    today: { tokens: index * 12_345, micros: index * 40_000 },
    health: [],
  };
});

const listed: ListedAgent[] = agents.map((one, index) => ({
  agent: one.agent,
  role: index === 0 ? "root" : "clone",
  wanted: one.wanted as "up",
  seen: one.state === "dead" ? "dead" : one.wanted === "down" ? "missing" : "up",
  runtime: one.runtime,
  pid: 4000 + index,
  sinceMs: one.since_ms,
  attached: index === 3,
}));

const kinds: readonly [FindingKind, ...FindingKind[]] = ["textual", "semantic", "migration-order", "duplicate-work"];
/** Short branches, branches of tasks, and one long name in seven. */
const labelOf = (index: number): string => {
  const area = pick(areas, index);
  if (index % 7 === 5) return `feature/2026-03/${area}/rounding-of-totals-${index}`;
  return index % 3 === 0 ? `constel/constel0/${index + 1}-${area}-says-what-happened` : `${area}-${index}`;
};
const titleOf = (index: number): string => {
  const [one, other] = [labelOf(index), labelOf(index + 1)];
  const file = `src/${pick(areas, index)}/handlers/${pick(areas, index + 1)}-${index}.ts`;
  return index % 4 === 1
    ? `${one} renames total${index} (${file}:12), which ${other} uses`
    : `${one} and ${other} change the same lines of ${file}`;
};
const severityOf = (index: number): Severity => (index < 120 ? "high" : index < 220 ? "medium" : "low");

const findings: ListedFinding[] = Array.from({ length: 300 }, (_, index) => ({
  id: `finding_01jv${String(index).padStart(6, "0")}`,
  kind: pick(kinds, index),
  severity: severityOf(index),
  sides: [labelOf(index), labelOf(index + 1)],
  findings: [`finding_01jv${String(index).padStart(6, "0")}`],
  title: titleOf(index),
  state: "open",
  opened_ms: nowMs - index * 11 * minute,
  dismissed_reason: null,
}));

const few = findings.slice(3, 7);

const status: Status = {
  constellation: "constel0",
  needs: [
    ...agents
      .filter(({ state, wanted }) => state === "waiting-permission" && wanted === "up")
      .map((one) => ({
        key: "x",
        kind: "permission",
        agent: one.agent,
        says: one.evidence.says,
        since_ms: one.since_ms,
        next: `constel attach ${one.agent}`,
      })),
    {
      key: "x",
      kind: "dead",
      agent: "agent37",
      says: "ended with status 3",
      since_ms: nowMs,
      next: "constel agent agent37",
    },
    {
      key: "x",
      kind: "findings",
      agent: null,
      says: `300 findings open: ${titleOf(0)}`,
      since_ms: null,
      next: "constel conflicts",
    },
  ],
  agents,
  messages: { waiting: 4, unknown: 0, poisoned: 0 },
  open_findings: 300,
  notices: { waiting: 1, told: 2 },
  open_knots: 300,
  findings: findings.slice(0, 50).map(({ id, severity, kind, title, sides }) => ({
    id,
    severity,
    kind,
    title,
    sides,
    pairs: 1,
  })),
  tasks: Array.from({ length: 40 }, (_, index) => ({
    number: index + 1,
    state: index < 3 ? "needs_review" : index < 20 ? "in_progress" : "open",
    agent: index < 20 ? `agent${index * 2}` : null,
    title: `${pick(areas, index)}: make the ${pick(areas, index + 2)} page say what happened when it fails`,
    readiness: index < 20 ? 100 - index : null,
    readiness_reasons: index < 20 ? "" : null,
  })),
  unfinished_tasks: 40,
  complete: true,
  open: [],
  notes: [],
  without_gate: [],
  observed_repositories: 2,
  seen_ms: nowMs,
};

const empty: Status = {
  constellation: "constel0",
  needs: [],
  agents: [],
  messages: { waiting: 0, unknown: 0, poisoned: 0 },
  open_findings: 0,
  notices: { waiting: 1, told: 2 },
  open_knots: 0,
  findings: [],
  tasks: [],
  unfinished_tasks: 0,
  complete: true,
  open: [],
  notes: [],
  without_gate: [],
  observed_repositories: 0,
  seen_ms: null,
};

function draftOf(index: number): FindingDraft {
  const path = `src/${pick(areas, index)}/cart-${index}.ts`;
  const hunk = (sum: number) => [{ path, line: 40, text: `  const rate = ${sum};\n  return sum * rate;` }];
  return {
    kind: pick(kinds, index),
    severity: severityOf(index),
    fingerprint: String(index),
    title: titleOf(index),
    action: "Agree who changes it.",
    files: [path],
    symbols: [],
    evidence: [{ rule: "content", path, symbol: null, ours: hunk(0.19), theirs: hunk(0.07), message: "" }],
    evidenceKind: "",
  };
}

const sideOf = (index: number) => {
  const label = labelOf(index);
  return {
    label,
    worktree: `/home/you/shop-${pick(areas, index)}-${index}`,
    branch: label,
    commit: "c".repeat(40),
    tree: "t".repeat(40),
  };
};

const collidingPairs = Array.from({ length: 300 }, (_, index) => ({
  ours: sideOf(index),
  theirs: sideOf(index + 1),
  findings: index % 10 === 0 ? [draftOf(index), draftOf(index + 1000)] : [draftOf(index)],
}));

const look: FirstLook = {
  repository: "remote:example.com/shop",
  name: "shop",
  default_branch: "origin/main",
  lines: Array.from({ length: 100 }, (_, index) => ({
    label: sideOf(index).label,
    branch: sideOf(index).label,
    worktree: sideOf(index).worktree,
    ahead: index % 5,
    behind: index % 3,
    uncommitted: index % 4 === 0,
    verdict: index < 60 ? "land" : index < 95 ? "hold" : "nothing",
    score: 100 - index,
    why: [
      index < 60
        ? "collides with nothing"
        : `${sideOf(index - 60).label} lands before it, and the two collide (textual)`,
    ],
    reasons: [],
  })),
  pairs: collidingPairs,
  knots: knotsIn("remote:example.com/shop", collidingPairs),
  compared: 4950,
  complete: true,
  unasked: 0,
  open: [],
  notes: [],
  durationMs: 4321,
};

/** Ten over one file, four over another, and pairs that only the two of them are about. */
const tiedPairs = [...among(0, 10, draftOf(0)), ...collidingPairs.slice(20, 23), ...among(40, 4, draftOf(4))];
const tied: FirstLook = {
  ...look,
  lines: look.lines.slice(0, 60),
  pairs: tiedPairs,
  knots: knotsIn("remote:example.com/shop", tiedPairs),
  compared: 1770,
};

function among(from: number, many: number, draft: FindingDraft): FirstLook["pairs"] {
  const sides = Array.from({ length: many }, (_, index) => sideOf(from + index));
  return sides.flatMap((ours, at) =>
    sides.slice(at + 1).map((theirs) => {
      const title = `${ours.label} and ${theirs.label} change the same lines of ${draft.files.join()}`;
      return { ours, theirs, findings: [{ ...draft, title, fingerprint: `${ours.label} ${theirs.label}` }] };
    }),
  );
}

const noted = [
  { why: "Python types were not checked: pyright is not on the PATH", pairs: 12 },
  { why: "not compared: the two have no commit in common", pairs: 2 },
];

type Screen = Parameters<typeof statusScreen>[2];
const screens: Readonly<Record<string, { readonly fits: boolean; readonly draw: (screen: Screen) => string }>> = {
  status: { fits: true, draw: (screen) => statusScreen(status, "answers", screen, nowMs) },
  "status-empty": { fits: true, draw: (screen) => statusScreen(empty, "absent", screen, nowMs) },
  "status-noted": {
    fits: true,
    draw: (screen) => statusScreen({ ...status, notes: noted }, "answers", screen, nowMs),
  },
  try: {
    fits: true,
    draw: (screen) =>
      firstLookScreen(look, screen, { all: false, branches: false, cwd: "/home/you/shop", program: "constel" }),
  },
  "try-knots": {
    fits: true,
    draw: (screen) =>
      firstLookScreen(tied, screen, { all: false, branches: false, cwd: "/home/you/shop", program: "constel" }),
  },
  conflicts: {
    fits: false,
    draw: (screen) =>
      [...findingLines(findings, 50, screen, nowMs), ...findingsSummary(findings, 300, screen)].join("\n"),
  },
  "conflicts-few": {
    fits: true,
    draw: (screen) => [...findingLines(few, 50, screen, nowMs), ...findingsSummary(few, few.length, screen)].join("\n"),
  },
  agents: {
    fits: false,
    draw: (screen) => agentsTable(listed, new Map(agents.map((one) => [one.agent, one])), screen, nowMs),
  },
};
const sizes = [
  [80, 24],
  [200, 60],
] as const;

const { paint } = makeOutput(
  { out: () => {}, err: () => {}, terminal: undefined, hasReader: true },
  {},
  { json: false, plain: true },
);

for (const [name, { fits, draw }] of Object.entries(screens)) {
  for (const [columns, rows] of sizes) {
    test(`${name} at ${columns}×${rows} is as stored${fits ? ", and fits" : ""}`, () => {
      const drawn = `${draw({ columns, rows, paint })}\n`;
      const lines = drawn.trimEnd().split("\n");
      for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
      // The prompt that follows has the last line.
      if (fits) expect(lines.length).toBeLessThan(rows);
      const path = join(import.meta.dir, "screens", `${name}-${columns}x${rows}.txt`);
      if ((process.env["CONSTEL_WRITE_SCREENS"] ?? "") !== "") writeFileSync(path, drawn);
      expect(drawn).toBe(readFileSync(path, "utf8"));
    });
  }
}

/** What stands on the lines, as one sentence. */
const said = (drawn: string): string => drawn.replaceAll(/\s+/g, " ");

test("who collides over what, and what was not looked at, is folded at 80 columns and never cut", () => {
  const why =
    "src/billing/handlers/totals-and-rounding.ts of task 12 was not checked: it does not parse at line 3, column 14";
  const screen = { columns: 80, rows: 40, paint };
  const calm = {
    ...status,
    agents: agents.slice(0, 3),
    needs: [],
    tasks: [],
    findings: status.findings.slice(1, 3),
    open_knots: 2,
  };
  const seen = said(
    statusScreen(
      { ...calm, open: [{ what: "path", why, pairs: 3, coming: false, paths: [] }] },
      "answers",
      screen,
      nowMs,
    ),
  );
  const list = said(findingLines(findings.slice(0, 100), 50, { ...screen, rows: 24 }, nowMs).join("\n"));
  const options = { all: false, branches: false, cwd: "/home/you/shop", program: "constel" };
  const look1 = { ...look, complete: false, open: [{ why, isComing: false, pairs: 3 }] } as unknown as FirstLook;
  const tried = said(firstLookScreen(look1, screen, options));
  for (const text of [seen, list, tried]) expect(text).toContain("(src/login/handlers/search-1.ts:12)");
  for (const text of [seen, tried]) expect(text).toContain(why);
  expect(`${seen}${list}`).not.toContain("…ndlers");
  expect(seen).not.toContain("…");
  expect(said(statusScreen({ ...calm, seen_ms: nowMs }, "out of reach", screen, nowMs + 90_000))).toContain(
    "is not known.",
  );
});

test("a screen drawn again goes over the old one, and never clears it first", () => {
  const drawn = frame("one\ntwo");
  expect(drawn).toBe("\u001b[Hone\u001b[K\r\ntwo\u001b[K\u001b[J");
  expect(drawn).not.toContain("\u001b[2J");
});
