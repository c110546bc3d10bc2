// Decides what every agent should know now: the open findings that concern it, and the claims that keep it out. It goes by facts alone, so
// that a round after a crash wants exactly what the one before it wanted.

import { join } from "node:path";
import { listed } from "../../protocol/listed.ts";
import { isElsewhere } from "../../protocol/elsewhere.ts";
import type { Evidence, Severity } from "../../protocol/findings.ts";
import { onlyPath } from "../claims/claim-paths.ts";
import { kindOf } from "../findings/kinds.ts";
import { address } from "./address.ts";
import { cutText } from "./cut.ts";
import type { ToldFinding } from "./notices.sql.ts";
import type { Wanted } from "./rules.ts";
import type { Scene, SceneClaim } from "./scene.ts";

/** Longer words say nothing more, and everything here is stored with each notice. */
const longest = 1_000;
const mostFiles = 100;
const mostKinds = 200;

/** `evidence`: of findings that concern one side alone. */
export function wantedFor(
  scene: Scene,
  findings: readonly ToldFinding[],
  evidence: ReadonlyMap<string, string>,
): Wanted[] {
  return [
    ...findings.flatMap((finding) => ofFinding(scene, finding, evidence.get(finding.id))),
    ...scene.claims.filter(({ isExclusive }) => isExclusive).flatMap((claim) => ofClaim(scene, claim)),
  ];
}

/** True if a finding says in its evidence whom it concerns. */
export const concernsOneSide = ({ kind }: Pick<ToldFinding, "kind">): boolean => kindOf(kind)?.concerns === "editor";

function ofFinding(scene: Scene, finding: ToldFinding, evidence: string | undefined): Wanted[] {
  const kind = kindOf(finding.kind);
  if (kind === undefined || kind.concerns === "who-asks") return [];
  const ours = {
    own: finding.ours_worktree,
    other: finding.theirs_worktree,
    branch: finding.theirs_branch,
    label: finding.theirs_label,
  };
  const theirs = {
    own: finding.theirs_worktree,
    other: finding.ours_worktree,
    branch: finding.ours_branch,
    label: finding.ours_label,
  };
  const editor = editedByOurs(evidence) ? ours : theirs;
  const sides = { both: [ours, theirs], editor: [editor], ours: [ours] }[kind.concerns];
  // If only one side should know, the agents that work on the other brought it about.
  const causing = kind.concerns === "ours" ? (scene.workers.get(finding.theirs_worktree ?? "") ?? []) : [];
  const heard = new Set(causing.map(({ agent }) => agent));
  return sides.flatMap(({ own, other, branch, label }) => {
    if (own === null) return [];
    return address(scene.index, { sides: [own] }).flatMap(({ agent, reasons }): Wanted[] => {
      // Both sides are its own: once is enough.
      if (heard.has(agent)) return [];
      heard.add(agent);
      const files = (JSON.parse(finding.files) as string[]).slice(0, mostFiles);
      return [
        {
          agent,
          cause: causeOf(finding, own),
          about: "finding",
          kind: finding.kind,
          repository: finding.repository,
          reasons: reasons.map(({ rule, fact }) => ({ rule, fact: cut(fact) })),
          part: {
            source: finding.id,
            title: cut(finding.title),
            action: cut(finding.blocking === 1 ? whileBlocked(finding) : finding.action),
            other: cut(otherSide(scene, { other, branch, label }, agent)),
            severity: finding.severity as Severity,
            files: files.map((file) => join(own, file)).filter((path) => path.length <= longest * 4),
            // That it blocks is news for whoever was told of it before.
            kinds: [...kindsOf(finding.evidence_kind), ...(finding.blocking === 1 ? [short("blocking")] : [])],
            heardFromMs: finding.opened_ms + kind.heardAfterMs,
            denies: finding.blocking === 1,
            wakes: landsLater(scene, own, other),
          },
        },
      ];
    });
  });
}

/**
 * Of two lines of work, the one that has to take in the other's: whatever collides with the default branch, or with nobody's; else what
 * is not ready yet, was ready later, or has the later number.
 */
function landsLater({ workers, taskAt }: Scene, own: string, other: string | null): boolean {
  if (other === null || (workers.get(other) ?? []).length === 0) return true;
  const placeOf = (path: string): readonly [number, number, string] => {
    const task = taskAt.get(path);
    const readyMs = task?.state === "ready" ? Number(task.ready_ms ?? 0) : Infinity;
    return [readyMs, task?.number ?? Infinity, path];
  };
  const [[readyMs, number, path], [otherMs, otherNumber, otherPath]] = [placeOf(own), placeOf(other)];
  if (readyMs !== otherMs) return readyMs > otherMs;
  return number === otherNumber ? path > otherPath : number > otherNumber;
}

/** An exclusive claim keeps everybody else who works in the repository from the paths, from the moment that it is made. */
function ofClaim(scene: Scene, claim: SceneClaim): Wanted[] {
  const paths = claim.patterns.map(onlyPath).filter((path) => path !== undefined);
  if (paths.length === 0) return [];
  const wanted = new Map<string, Wanted>();
  for (const { path: top, repository } of scene.worktrees.values()) {
    if (repository !== claim.repository) continue;
    for (const { agent, reasons } of address(scene.index, { sides: [top], causedBy: claim.holder })) {
      const files = paths.map((path) => join(top, path));
      const known = wanted.get(agent);
      if (known !== undefined) {
        wanted.set(agent, { ...known, part: { ...known.part, files: [...known.part.files, ...files] } });
        continue;
      }
      const why = claim.reason === "" ? "" : `: ${claim.reason}`;
      const what = paths.map((path) => (path === "." ? "the whole repository" : path)).join(", ");
      wanted.set(agent, {
        agent,
        cause: `claim ${claim.id}`,
        about: "claim",
        kind: "claim",
        repository: claim.repository,
        reasons: [
          { rule: "exclusive claim", fact: cut(`${claim.holder} keeps ${what} to itself`) },
          ...reasons.map(({ fact }) => ({
            rule: "works in the repository",
            fact: cut(fact.replace(" is one side, and", ":")),
          })),
        ],
        part: {
          source: claim.id,
          title: cut(`${claim.holder} has claimed ${what} for itself${why}`),
          action: `Work elsewhere, or ask ${claim.holder}; the claim ends by itself.`,
          other: claim.holder,
          severity: claim.severity as Severity,
          files,
          kinds: [short(JSON.stringify(paths))],
          heardFromMs: claim.madeMs,
          denies: true,
        },
      });
    }
  }
  return [...wanted.values()];
}

/** The edit that the finding itself suggests would be denied, too: first what its reader can do, then what would settle it. */
const whileBlocked = ({ id, action }: ToldFinding): string =>
  `Work elsewhere: it was marked as blocking, and edits of these files are denied while it is open. The root or the owner lets go of it (constel conflicts block ${id} --off). What would settle it: ${action}`;

/** The reviewer of claims leaves lines only on the side that edits. */
function editedByOurs(evidence: string | undefined): boolean {
  if (evidence === undefined) return true;
  return (JSON.parse(evidence) as Evidence[]).some(({ ours }) => ours.length > 0);
}

/** One symbol that ten others use, or one file that ten others edit, is one matter for whoever works on it. */
function causeOf(finding: ToldFinding, own: string): string {
  const symbols = JSON.parse(finding.symbols) as string[];
  const what = symbols.length > 0 ? symbols : (JSON.parse(finding.files) as string[]);
  return short(JSON.stringify([finding.repository, finding.kind, own, [...what].sort()]));
}

function otherSide(
  scene: Scene,
  { other, branch, label }: { readonly other: string | null; readonly branch: string | null; readonly label: string },
  agent: string,
): string {
  const workers = other === null ? [] : (scene.workers.get(other) ?? []);
  const names = workers.map((one) => (one.agent === agent ? "yourself" : one.agent));
  const where = branch === null || isElsewhere(branch) ? label : `branch ${branch}`;
  return names.length === 0 ? where : `${listed(names)} on ${where}`;
}

/** `evidenceKind` has a line `<rule> <path>` for each kind of evidence. */
function kindsOf(evidenceKind: string): string[] {
  const lines = [...new Set(evidenceKind.split("\n"))].sort();
  const some = lines.length > mostKinds ? [...lines.slice(0, mostKinds - 1), lines.join("\n")] : lines;
  return some.map(short);
}

const short = (text: string): string => Bun.CryptoHasher.hash("sha256", text, "hex").slice(0, 16);

const cut = (text: string): string => cutText(text, longest);
