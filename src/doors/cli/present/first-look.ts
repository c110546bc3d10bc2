// A repository on one screen: who will collide over what, how the worst of it looks on both sides, what can land, and what to
// type next. Pure; what is left out is counted.

import { relative } from "node:path";
import { counted } from "../../../protocol/counted.ts";
import { listed } from "../../../protocol/listed.ts";
import type { FindingDraft, PairSide } from "../../../protocol/findings.ts";
import { shellLine } from "../../../protocol/shell-line.ts";
import type { CollidingPair, FirstLook, LookedLine } from "../../../protocol/try-report.ts";
import type { Output } from "./output.ts";
import { titleBlocks } from "./finding-lines.ts";
import { blocksWithin, folded, foldedWithin } from "./fold.ts";
import { hunks, pathText } from "./hunks.ts";
import { fewerNames, type Name, namesOf, renamed } from "./names.ts";
import { openLines } from "./open-parts.ts";
import { table, width } from "./table.ts";

type Screen = Pick<Output, "columns" | "rows" | "paint">;

interface LookOptions {
  /** No bound on lines. */
  readonly all: boolean;
  readonly branches: boolean;
  /** The reader's directory. Paths to copy are written from there. */
  readonly cwd: string;
  /** The word that the reader can type for this program: its name, or a path if the shell does not know it. */
  readonly program: string;
}

export function firstLookScreen(look: FirstLook, screen: Screen, options: LookOptions): string {
  const { paint, columns } = screen;
  const top = folded(headline(look, columns), columns).map(paint.bold);
  const entries = entriesOf(look);
  const bottom = ["", ...endLines(look, entries[0], screen, options)];
  // The prompt that follows wants a line too; headings and gaps have four.
  const room = options.all ? Infinity : Math.max(8, screen.rows - 1 - top.length - bottom.length - 4);
  const lines = shareOf(look.lines.length, entries.length, room);
  const labels = look.lines.map(({ label }) => label);
  const name = namesOf([...labels, ...look.pairs.flatMap(({ ours, theirs }) => [ours.label, theirs.label])]);
  const collisions = entriesPart(look, entries, screen, room - lines, name);
  return [...top, ...collisions, ...linesPart(look, screen, lines, name), ...bottom].join("\n");
}

/** A line of what collides: a knot of several lines of work, or a pair with all that only the two collide over. */
interface Entry {
  /** The pair that stands for the entry, and whose lines are shown. */
  readonly pair: CollidingPair;
  readonly finding: FindingDraft;
  readonly title: string;
  readonly sides: readonly string[];
  /** The number of findings in it, as `conflicts` counts them. */
  readonly count: number;
}

/** In the order of the knots: the worst first. */
function entriesOf({ pairs, knots }: FirstLook): Entry[] {
  const known = new Map(
    pairs.flatMap((pair) => pair.findings.map((finding) => [finding.fingerprint, { pair, finding }])),
  );
  const all = knots.flatMap(({ title, sides, findings }) => {
    const first = known.get(findings[0] ?? "");
    return first === undefined ? [] : [{ ...first, title, sides, isKnot: findings.length > 1 }];
  });
  const together = Map.groupBy(all, (one) => (one.isKnot ? one : one.pair));
  return [...together.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, count: 1 + others.length }],
  );
}

/** Lines of work get half of the room, and what the entries leave. */
function shareOf(lines: number, entries: number, room: number): number {
  if (room === Infinity) return lines;
  const left = room - Math.min(entries + 6, room);
  return Math.min(lines, Math.max(Math.floor(room / 2), left));
}

/** Says what was found, and how long that took if there is room for it. */
function headline(look: FirstLook, columns: number): string {
  const { name, default_branch: target, lines, pairs, knots, compared, durationMs } = look;
  const trees = lines.filter(({ worktree }) => worktree !== null).length;
  const branches = lines.length - trees;
  const what = listed([counted(trees, "worktree"), ...(branches > 0 ? [counted(branches, "branch", "branches")] : [])]);
  // Ten who edit one line are 45 pairs, and one finding.
  const findings = knots.length === pairs.length ? "" : `: ${counted(knots.length, "finding")}`;
  const found =
    pairs.length > 0
      ? `${pairs.length} of ${counted(compared, "pair")} will collide${findings}`
      : look.complete
        ? "nothing collides"
        : "no collision seen";
  const line = `${name}${target === null ? "" : ` → ${target}`}: ${what}, ${found}`;
  const timed = `${line} (${(durationMs / 1000).toFixed(1)} s)`;
  return width(timed) <= columns ? timed : line;
}

function entriesPart(
  { lines, complete, open }: FirstLook,
  entries: readonly Entry[],
  screen: Screen,
  room: number,
  name: Name,
): string[] {
  const { paint, columns } = screen;
  if (entries.length === 0) {
    const atWork = lines.filter(({ verdict }) => verdict !== "nothing").length;
    const calm =
      open.length > 0
        ? ""
        : atWork > 1
          ? `${complete ? "Nothing collides" : "No collision seen"}: ${counted(atWork, "line")} of work can go on side by side.`
          : `Nothing to compare: ${atWork === 0 ? "no worktree has" : "only one worktree has"} work of its own.`;
    return calm === "" ? [] : ["", ...folded(calm, columns).map(paint.green)];
  }
  const isWhole = room === Infinity;
  const blocks = entryBlocks(entries, screen, { name, isWhole });
  const fits = blocksWithin(blocks, room).length;
  const shown = fits === entries.length ? fits : blocksWithin(blocks, room - 1).length;
  const left = entries.slice(shown).reduce((sum, one) => sum + one.count, 0);
  // Drawn again without the others, the columns are no wider than these need.
  const drawn = entryBlocks(entries.slice(0, shown), screen, { name, isWhole });
  const [worst] = entries;
  const spare = room - drawn.flat().length - (left > 0 ? 1 : 0);
  const inside = worst === undefined ? [] : evidenceOf(worst, screen, spare, name);
  return [
    "",
    ...drawn.flatMap((block, at) => [...block, ...(at === 0 ? inside : [])]),
    ...(left > 0 ? [paint.dim(`… and ${counted(left, "more finding")}: --all shows them`)] : []),
  ];
}

/** Titles are folded; the names of a knot are all there where there is room for everything. */
function entryBlocks(
  entries: readonly Entry[],
  screen: Screen,
  { name, isWhole }: { readonly name: Name; readonly isWhole: boolean },
): string[][] {
  return titleBlocks(
    entries.map(({ finding, title, sides, count: findings }) => ({
      severity: finding.severity,
      kind: finding.kind,
      text: `${renamed(pathText(title), sides, name)}${findings > 1 ? ` (+${findings - 1})` : ""}`,
      names: isWhole ? [] : sides.map(name),
    })),
    screen,
    isWhole ? Infinity : undefined,
  );
}

/** The lines of both sides, where there is room for more than their headings. */
function evidenceOf(
  { pair: { ours, theirs }, finding }: Entry,
  { paint, columns }: Screen,
  spare: number,
  name: Name,
): string[] {
  const [piece] = finding.evidence;
  if (piece === undefined || spare < 4) return [];
  const most = spare === Infinity ? 6 : Math.min(6, Math.floor((spare - 2) / 2));
  const left = { label: name(ours.label), hunks: piece.ours.slice(0, 1) };
  const right = { label: name(theirs.label), hunks: piece.theirs.slice(0, 1) };
  const drawn = hunks(left, right, { columns: columns - 2, paint, maxLines: Math.max(1, most - 1) });
  return drawn.length > spare ? [] : drawn.map((line) => `  ${line}`);
}

function linesPart({ lines }: FirstLook, { paint, columns }: Screen, most: number, name: Name): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, lines.length > most ? Math.max(1, most - 1) : lines.length);
  const left = lines.length - shown.length;
  const labels = lines.map(({ label }) => label);
  const head = ["landing", "ready", "work", "commits", "because"];
  const facts = shown.map((line) => [
    line.verdict,
    line.verdict === "nothing" ? "" : String(line.score),
    pathText(name(line.label)),
    standing(line),
  ]);
  const taken = [0, 1, 2, 3].map((at) => 2 + Math.max(...[head, ...facts].map((row) => width(row[at] ?? ""))));
  const because = columns - taken.reduce((sum, one) => sum + one, 0);
  const names = labels.map(name);
  const rows = shown.map((line, at) => [
    ...(facts[at] ?? []),
    fewerNames(pathText(renamed(line.why[0] ?? "", labels, name)), names, because),
  ]);
  return [
    "",
    table(head, rows, { columns, paint, right: new Set([1]), whole: new Set([0, 1, 2, 3]) }),
    ...(left > 0 ? [paint.dim(`… and ${left} more: --all shows them`)] : []),
  ];
}

/** `+2 -1 *`: commits of its own, commits it lacks, uncommitted work. */
function standing({ ahead, behind, uncommitted }: LookedLine): string {
  const parts = [
    ...(ahead === null ? [] : [`+${ahead}`]),
    ...(behind === null || behind === 0 ? [] : [`-${behind}`]),
    ...(uncommitted ? ["*"] : []),
  ];
  return parts.join(" ");
}

function endLines(
  look: FirstLook,
  first: Entry | undefined,
  { paint, columns }: Screen,
  { branches, all, cwd, program }: LookOptions,
): string[] {
  const notes = all ? look.notes : look.notes.slice(0, 2);
  const unsaid = look.notes.length - notes.length;
  const calm = "Nothing was left behind.";
  const constel = program.startsWith("/") ? shellLine([pathFrom(cwd, program)]) : program;
  const word = ({ worktree, branch, commit }: PairSide): string =>
    shellLine([worktree === null ? (branch ?? commit.slice(0, 12)) : pathFrom(cwd, worktree)]);
  const next =
    first !== undefined
      ? `Both sides in full:  ${constel} check ${word(first.pair.ours)} ${word(first.pair.theirs)} --explain`
      : look.lines.length < 2
        ? `See it at work:  ${constel} demo`
        : branches
          ? ""
          : `Branches too:  ${constel} try --branches`;
  const watching = pathText(`Keep watching:  ${constel} repo add`);
  return [
    ...openLines(
      look.open.map(({ why, isComing }) => ({ why, coming: isComing === true })),
      { paint, columns },
      all ? Infinity : 4,
    ),
    ...(look.unasked > 0 && look.open.length === 0
      ? [paint.yellow("Incomplete: not everything was asked, so there may be collisions that are not listed:")]
      : []),
    ...notes.flatMap((note) => foldedWithin(all ? Infinity : 2, pathText(note), columns).map(paint.dim)),
    ...(unsaid > 0 ? [paint.dim(`… and ${counted(unsaid, "more note")}: --all shows them`)] : []),
    // Never cut: it is there to be copied.
    ...(next === "" ? [] : [pathText(next)]),
    ...(width(watching) + width(calm) + 7 <= columns ? [`${watching}       ${calm}`] : [watching, calm]),
  ];
}

/** Never a bare name, which could be taken for a branch. */
function pathFrom(cwd: string, path: string): string {
  const near = relative(cwd, path);
  const shown = near === "" ? "." : near.startsWith("..") ? near : `./${near}`;
  return shown.length < path.length ? shown : path;
}
