// Semantic conflicts between two sides for TypeScript and JavaScript. What does not hold in the merged tree and held on
// both sides is a conflict. By the syntax, only files a side changed are looked at: a use that neither side touched was already in base,
// so whoever changed its definition left it broken on their own side, which is theirs to see. What the two sides break only together
// in a file of nobody is for the compiler to find.

import { counted } from "../../../protocol/counted.ts";
import type { SemanticConflict, SemanticInput, SemanticOutcome, Side, TreeView } from "../../../ports/semantic.ts";
import type { FactsOf } from "../../facts-memory.ts";
import type { FreeName, ParseTypeScript, TypeScriptSummary } from "../facts.ts";
import { isOwn } from "../files.ts";
import type { TypeScriptCompiler } from "../compiler/typescript-compiler.ts";
import { drive, type LanguageRules, type PairRules, type PairScene } from "../../check/driver.ts";
import type { Findings } from "../../check/findings.ts";
import { explain, type Scene, spotOf } from "./explain.ts";
import { ofBase } from "./members.ts";
import { problemsIn, type Problem } from "./problems.ts";
import { Program } from "./program.ts";
import { typescriptImportGraph } from "./import-graph.ts";
import { isSettingsName, type ProjectSettings } from "./project-settings.ts";
import { ModuleResolver } from "./resolve-module.ts";
import type { ImportsOf } from "../compiler/files-between.ts";
import { pathsToAsk, reconciled, type SurfaceOf } from "../compiler/second-opinion.ts";
import { emptiedGlobs } from "./module-globs.ts";
import { starClashes } from "./star-clashes.ts";
import { Summaries } from "./summaries.ts";
import { Verdicts } from "./verdicts.ts";

export interface TypeScriptPorts {
  readonly parse: ParseTypeScript;
  /** By blob id, extension and depth. */
  readonly cache: FactsOf<TypeScriptSummary>;
  /** Asked about files that can affect each other, when the tree says how it is compiled. */
  readonly compiler?: TypeScriptCompiler;
  readonly compilerDeadlineMs?: number;
  /** The time that may be spent on files that neither side changed. */
  readonly betweenMs?: number;
  /** Spares the compiler where nothing changed that others can see. */
  readonly surfaceOf?: SurfaceOf;
  /** A checkout whose node_modules the compiler may read. */
  readonly packagesFrom?: string;
}

const defaultCompilerDeadlineMs = 20_000;
/** For the files between two changes, of which a large repository has hundreds, each under types that take long. */
const defaultBetweenMs = 10_000;
/** Changed files that can affect each other; with more it is no longer soon that anything is said. */
const maxAsked = 1500;

/** Rounds of loading what questions led to; each is one more hop through re-exports or types. */
const maxRounds = 40;

export async function checkTypeScript(input: SemanticInput, ports: TypeScriptPorts): Promise<SemanticOutcome> {
  let pair: TypeScriptPair | undefined;
  const rules: LanguageRules = {
    language: "typescript",
    owns: isOwn,
    pair: async (scene) => (pair = await TypeScriptPair.of(scene, new Summaries(ports.parse, ports.cache, input.read))),
  };
  const found = await drive(rules, input);
  return pair === undefined ? found : await withCompiler(input, ports, pair, found);
}

/** The compiler's word beside what the syntax shows. */
async function withCompiler(
  input: SemanticInput,
  ports: TypeScriptPorts,
  { scene, summaries }: TypeScriptPair,
  found: SemanticOutcome,
): Promise<SemanticOutcome> {
  const second = await secondOpinion(input, ports, scene, summaries, found.conflicts);
  const isAnswered = ports.compiler !== undefined && second.complete && second.missingPackages === undefined;
  const unsure = (found.unsure ?? []).filter(
    (one) => !(isAnswered && one.isForCompiler && /\.[cm]?tsx?$/.test(one.path)),
  );
  const notes = [...found.notes, ...[...summaries.passedOver].map(([path, why]) => `${path} ${why}`)];
  return {
    conflicts: second.conflicts,
    complete: found.complete && second.complete,
    notes: second.note === undefined ? notes : [...notes, second.note],
    ...(unsure.length === 0 ? {} : { unsure }),
    ...(second.mayPass === undefined ? {} : { mayPass: second.mayPass }),
    ...(second.missingPackages === undefined ? {} : { missingPackages: second.missingPackages }),
  };
}

interface SecondOpinion {
  readonly conflicts: readonly SemanticConflict[];
  readonly complete: boolean;
  readonly mayPass?: true;
  readonly note?: string;
  readonly missingPackages?: readonly string[];
}

async function secondOpinion(
  input: SemanticInput,
  ports: TypeScriptPorts,
  scene: Scene,
  summaries: Summaries,
  found: readonly SemanticConflict[],
): Promise<SecondOpinion> {
  if (ports.compiler === undefined) return { conflicts: found, complete: true };
  const load = (program: Program, path: string): Promise<unknown> => summaries.load(program.tree, path);
  const importsOf: ImportsOf = async (tree, readIt) => {
    const graph = await typescriptImportGraph(tree, readIt, ports, input.signal);
    // Half a graph is none: it would be kept for the other pairs.
    input.signal?.throwIfAborted();
    return graph;
  };
  const toAsk = await pathsToAsk(scene, load, ports.surfaceOf, importsOf).catch((cause: unknown) => {
    if (input.signal?.aborted !== true) throw cause;
  });
  if (toAsk === undefined || input.signal?.aborted) return { conflicts: found, complete: false };
  const { paths, between, left } = toAsk;
  if (paths.length + between.length === 0) return { conflicts: found, complete: true };
  if (paths.length > maxAsked)
    return { conflicts: found, complete: false, note: "too many changed files for the compiler" };
  const { ours, theirs, merged, read, signal } = input;
  const answer = await ports.compiler.compare({
    ours,
    theirs,
    merged,
    paths,
    between,
    betweenMs: ports.betweenMs ?? defaultBetweenMs,
    read,
    deadlineMs: ports.compilerDeadlineMs ?? defaultCompilerDeadlineMs,
    ...(ports.packagesFrom === undefined ? {} : { packagesFrom: ports.packagesFrom }),
    ...(signal === undefined ? {} : { signal }),
  });
  const conflicts = await reconciled(found, answer, [...paths, ...between], scene);
  const { missingPackages } = answer;
  const unseen = left + (answer.unasked?.length ?? 0);
  const notes = [...(answer.note === undefined ? [] : [answer.note]), ...(unseen === 0 ? [] : [unseenText(unseen)])];
  return {
    conflicts,
    complete: answer.complete && unseen === 0,
    ...(answer.mayPass === undefined ? {} : { mayPass: answer.mayPass }),
    ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
    ...(missingPackages === undefined ? {} : { missingPackages }),
  };
}

const unseenText = (count: number): string =>
  `${counted(count, "file")} that neither side changed, and that use both, ${count === 1 ? "was" : "were"} not looked at`;

async function sceneOf(input: SemanticInput, changed: Scene["changed"], summaries: Summaries): Promise<Scene> {
  const settings = await summaries.settingsOf(input.base);
  const settingsOf = async (tree: TreeView, paths: Iterable<string>): Promise<ProjectSettings> =>
    [...paths].some((path) => isSettingsName(path.slice(path.lastIndexOf("/") + 1)))
      ? summaries.settingsOf(tree)
      : settings;
  const program = async (tree: TreeView, paths: Iterable<string>): Promise<Program> =>
    new Program(tree, new ModuleResolver(tree, await settingsOf(tree, paths)), summaries.get);
  return {
    base: await program(input.base, []),
    merged: await program(input.merged, [...changed.ours, ...changed.theirs]),
    sides: { ours: await program(input.ours, changed.ours), theirs: await program(input.theirs, changed.theirs) },
    changed,
    read: input.read,
  };
}

class TypeScriptPair implements PairRules {
  readonly scene: Scene;
  readonly summaries: Summaries;
  /** Files came or went, so that names of modules may lead elsewhere. */
  private readonly isMoving: boolean;
  private readonly input: SemanticInput;
  private readonly findings: Findings;
  private readonly verdicts: Verdicts;
  private readonly texts = new Map<string, readonly string[]>();
  private readonly doubted: ReadonlySet<string>;

  private constructor({ input, findings }: PairScene, scene: Scene, summaries: Summaries) {
    this.input = input;
    this.findings = findings;
    this.scene = scene;
    this.summaries = summaries;
    this.verdicts = new Verdicts(scene.merged.settings);
    this.doubted = new Set([...scene.changed.ours, ...scene.changed.theirs]);
    const everywhere = [input.base, input.ours, input.theirs];
    this.isMoving = [...scene.changed.ours, ...scene.changed.theirs].some(
      (path) => !everywhere.every((tree) => tree.blobs.has(path)),
    );
  }

  static async of(pair: PairScene, summaries: Summaries): Promise<TypeScriptPair> {
    const { ours, theirs } = pair.changes;
    const changed = { ours: new Set(ours.keys()), theirs: new Set(theirs.keys()) };
    return new TypeScriptPair(pair, await sceneOf(pair.input, changed, summaries), summaries);
  }

  async broken(): Promise<SemanticConflict[]> {
    const { merged, changed } = this.scene;
    const conflicts: SemanticConflict[] = [];
    // Most pairs have nothing to look at: they must not cost more than this.
    const paths = [...new Set([...changed.ours, ...changed.theirs])].filter(
      (path) =>
        merged.tree.blobs.has(path) && !path.endsWith(".json") && (this.isJoined(path) || !this.hasNothingNew(path)),
    );
    await this.summaries.loadAll(merged.tree, paths, "full");
    for (const path of paths.sort()) {
      if (this.findings.stopped()) return conflicts;
      for (const one of emptiedGlobs(this.scene, path)) this.findings.doubt(one);
      for (const { problem, side } of await this.fresh(path)) {
        await this.settleAround(problem);
        if (problem.fault.unsure !== undefined) await this.doubt(problem, problem.fault.unsure, side);
        else conflicts.push(await explain(problem, side, this.scene));
      }
    }
    for (const problem of await starClashes(this.scene, (program, path) => this.summaries.load(program.tree, path))) {
      if (!changed.ours.has(problem.path) && !changed.theirs.has(problem.path))
        conflicts.push(await explain(problem, "theirs", this.scene));
    }
    return conflicts;
  }

  /** A new use of what the other side took away, though something may still bring it. */
  private async doubt({ path, line, fault }: Problem, because: string, side: Side): Promise<void> {
    const { base, changed, merged } = this.scene;
    const { path: definition } = fault.target;
    const text = (await this.lines(merged, path))[line - 1]?.trim();
    const isOld = (await this.lines(base, path)).some((one) => one.trim() === text);
    if (isOld || !changed[side === "ours" ? "theirs" : "ours"].has(definition)) return;
    const spot = spotOf(base, fault.target);
    const at = spot === undefined ? {} : { definitionLine: spot.line };
    const forCompiler = because === ofBase || because.startsWith("`export *`") ? { isForCompiler: true as const } : {};
    this.findings.doubt({ side, path, line, symbol: fault.symbol, definition, ...at, because, ...forCompiler });
  }

  /** Problems of a merged file that neither side has, each with the side its use comes from; one per name. */
  private async fresh(path: string): Promise<{ problem: Problem; side: Side }[]> {
    const { merged, sides } = this.scene;
    const joined = await this.joined(path);
    if (joined.length === 0 && this.hasNothingNew(path)) return [];
    await this.summaries.load(merged.tree, path, "full");
    const asked = { files: new Set<string>(), modules: new Map<string, string>() };
    merged.asked = asked;
    const others = [sides.ours, sides.theirs];
    const found = await this.asked(merged, () => problemsIn(merged, path, { others, doubted: this.doubted }));
    merged.asked = undefined;
    // What rests on a file that could not be read must be said again the next time; so must what a pattern of paths no longer finds.
    const hasGlobs = merged.file(path)?.summary.mentions.some(({ how }) => how === "glob") === true;
    const isRead = this.findings.complete && ![path, ...asked.files].some((one) => this.summaries.passedOver.has(one));
    if (isRead && !hasGlobs) this.verdicts.remember(merged, path, asked, found.length === 0);
    const all = [...found, ...joined];
    if (all.length === 0) return [];
    const before = new Set([...(await this.keysOn("ours", path)), ...(await this.keysOn("theirs", path))]);
    const seen = new Set<string>();
    const fresh: { problem: Problem; side: Side }[] = [];
    for (const problem of all) {
      if (before.has(await this.keyOf(merged, problem))) continue;
      const once = `${problem.fault.code} ${problem.fault.symbol} ${problem.fault.target.path}`;
      if (seen.has(once)) continue;
      seen.add(once);
      fresh.push({ problem, side: await this.sideOf(problem) });
    }
    return fresh;
  }

  private hasNothingNew(path: string): boolean {
    const { merged, sides } = this.scene;
    return this.verdicts.hasNothingNew(merged, path, [sides.ours, sides.theirs], this.isMoving);
  }

  /** Repeats a question until no more files are wished for. */
  private async asked<Answer>(program: Program, question: () => Answer): Promise<Answer> {
    for (let round = 0; ; round += 1) {
      const answer = question();
      if (!(await this.summaries.grant(program))) return answer;
      if (round >= maxRounds) {
        this.findings.complete = false;
        return answer;
      }
    }
  }

  private async keysOn(side: Side, path: string): Promise<string[]> {
    const program = this.scene.sides[side];
    const there = this.counterpart(side, path);
    if (there === undefined) return [];
    await this.summaries.load(program.tree, there, "full");
    const problems = await this.asked(program, () => problemsIn(program, there, { doubted: this.doubted }));
    return Promise.all(problems.map((problem) => this.keyOf(program, problem)));
  }

  /** The same file on a side that knows it by another name. */
  private counterpart(side: Side, path: string): string | undefined {
    const { tree } = this.scene.sides[side];
    if (tree.blobs.has(path)) return path;
    const { merged, changed } = this.scene;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const left = [...changed[side]].filter((one) => tree.blobs.has(one) && !merged.tree.blobs.has(one));
    return left.find((one) => one.endsWith(`/${name}`) || one === name) ?? (left.length === 1 ? left[0] : undefined);
  }

  private async keyOf(program: Program, problem: Problem): Promise<string> {
    const line = (await this.lines(program, problem.path))[problem.line - 1] ?? "";
    return `${problem.root}\n${line.trim()}`;
  }

  private async lines(program: Program, path: string): Promise<readonly string[]> {
    const blob = program.tree.blobs.get(path) ?? "";
    const known = this.texts.get(blob);
    if (known !== undefined) return known;
    const lines = ((await this.input.read(blob)) ?? "").split("\n");
    this.texts.set(blob, lines);
    return lines;
  }

  /** Tells whether the file holds edits of both sides. */
  private isJoined(path: string): boolean {
    const { merged, sides } = this.scene;
    const blob = merged.tree.blobs.get(path);
    // Looking for the file under another name takes long where a side changed thousands.
    if (sides.ours.tree.blobs.get(path) === blob || sides.theirs.tree.blobs.get(path) === blob) return false;
    const isOther = (side: Side): boolean => {
      const there = this.counterpart(side, path);
      return there !== undefined && sides[side].tree.blobs.get(there) !== blob;
    };
    return isOther("ours") && isOther("theirs");
  }

  /** Names that hang in the air, or are defined twice, only once both sides' edits of one file meet. */
  private async joined(path: string): Promise<Problem[]> {
    const { merged, sides } = this.scene;
    const there = { ours: this.counterpart("ours", path), theirs: this.counterpart("theirs", path) };
    if (there.ours === undefined || there.theirs === undefined || !this.isJoined(path)) return [];
    const now = await this.summaries.load(merged.tree, path, "full");
    const ours = await this.summaries.load(sides.ours.tree, there.ours, "full");
    const theirs = await this.summaries.load(sides.theirs.tree, there.theirs, "full");
    if (now === null || ours === null || theirs === null || (now.broken ?? ours.broken ?? theirs.broken) !== undefined)
      return [];
    const only = (pick: "free" | "duplicates"): FreeName[] =>
      now[pick].filter(({ name }) => ![...ours[pick], ...theirs[pick]].some((one) => one.name === name));
    return [
      ...only("free").map(({ name, line }): Problem => ({
        path,
        line,
        root: name,
        fault: { code: "no-name", symbol: name, target: { path, name }, detail: "is gone" },
      })),
      ...only("duplicates").map(({ name, line }): Problem => ({
        path,
        line,
        root: name,
        fault: { code: "duplicate", symbol: name, target: { path, name }, detail: "is defined twice" },
      })),
    ];
  }

  /** The side that wrote the use. */
  private async sideOf(problem: Problem): Promise<Side> {
    const line = (await this.lines(this.scene.merged, problem.path))[problem.line - 1]?.trim() ?? "";
    const has = async (side: Side): Promise<boolean> => {
      const path = this.counterpart(side, problem.path);
      return path !== undefined && (await this.lines(this.scene.sides[side], path)).some((one) => one.trim() === line);
    };
    const [ours, theirs] = [await has("ours"), await has("theirs")];
    if (ours !== theirs) return ours ? "ours" : "theirs";
    const { changed } = this.scene;
    const { path } = problem.fault.target;
    return changed.theirs.has(path) && !changed.ours.has(path) ? "ours" : "theirs";
  }

  /** Loads what explaining will look at. */
  private async settleAround(problem: Problem): Promise<void> {
    const { base, merged, sides, changed } = this.scene;
    const paths = [problem.path, problem.fault.target.path, ...changed.ours, ...changed.theirs].slice(0, 500);
    for (const program of [base, merged, sides.ours, sides.theirs]) {
      for (const path of paths) if (isOwn(path)) await this.summaries.load(program.tree, path);
    }
    for (const program of [base, sides.ours, sides.theirs]) {
      await this.asked(program, () => [
        program.exported(problem.fault.target.path, problem.fault.target.name),
        program.local(problem.path, problem.fault.symbol),
      ]);
    }
  }
}
