// A toolchain as constel asks any compiler. The merge is asked first: where it has no errors, nothing else is. Else the sides are
// asked too, and an error counts only when neither has it. The base is not asked: an error that it has and both sides have
// mended is in the merge only because the two do not fit. Answers are kept by tree, whole ones also from one command to the next.

import { Bounded } from "../../ports/bounded.ts";
import type { SemanticConflict, SemanticInput, SemanticOutcome, TreeView } from "../../ports/semantic.ts";
import type { ToolPlace, Toolchains } from "../../ports/toolchains.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { FactsOf } from "../facts-memory.ts";
import type { Asking, LanguageCompiler, Readiness } from "../language.ts";
import { errorConflicts } from "./error-conflicts.ts";
import { placed, type PlacedError, without } from "./new-errors.ts";
import { type Diagnosis, noDiagnosis, type Toolchain } from "./toolchain.ts";

/** In characters of what was said. */
const diagnosesKept = 4_000_000;
const versionCpuMs = 20_000;
/** More than this many errors in one tree say that it does not build here, not what is wrong with it. */
const maxErrors = 20_000;

/** Of any of these languages, and what says where it is; what else a tree holds is rarely compiled. */
const isCode = /\.(go|rs|java|pyi?|mod|sum|work|toml|xml|gradle|kts)$|(^|\/)Cargo\.lock$/;

type Check = (input: SemanticInput) => Promise<SemanticOutcome>;

/** `lasting`: where answers outlive the process; by the compiler's version, what it was allowed and the tree. */
export function toolchainCompiler(
  toolchain: Toolchain,
  bySyntax: Check,
  lasting?: FactsOf<Diagnosis>,
): LanguageCompiler {
  const kept = new Bounded<Diagnosis>(diagnosesKept, (one) => JSON.stringify(one).length);
  const versions = new Map<string, string>();
  return {
    name: toolchain.title,
    lacking: toolchain.lacking,
    readiness: (toolchains) => readinessOf(toolchain, toolchains),
    isVisible: (_path, before, after) => toolchain.isVisible(before, after),
    check: async (input, asking) => {
      const syntax = await bySyntax(input);
      const { toolchains } = asking;
      const program = toolchains?.find(toolchain.program);
      if (toolchains === undefined || program === undefined) return syntax;
      try {
        const version = async (): Promise<string> => {
          const known = versions.get(program) ?? (await versionOf(toolchain, toolchains, program, input));
          versions.set(program, known);
          return known;
        };
        const parts = { toolchain, toolchains, program, version, kept, lasting, asking, input };
        return await new Asker(parts).outcome(syntax);
      } catch (cause) {
        if (input.signal?.aborted === true) throw cause;
        // Its failure costs its opinion, never ours.
        return { ...syntax, complete: false, notes: [...syntax.notes, messageOf(cause)] };
      }
    },
    close: () => undefined,
  };
}

function readinessOf(
  { program, title, language, isExpected }: Toolchain,
  toolchains: Toolchains | undefined,
): Readiness {
  if (toolchains === undefined) return { state: "unasked" };
  if (toolchains.rules.off.includes(language)) {
    return { state: "unasked", note: `${title} types were not checked: compilers.off names ${language}` };
  }
  if (toolchains.find(program) !== undefined) return { state: "ready" };
  const why = `${title} types were not checked: ${program} is not on the PATH`;
  return isExpected ? { state: "absent", why } : { state: "unasked", note: why };
}

async function versionOf(
  { language, program: name, version, variables }: Toolchain,
  toolchains: Toolchains,
  program: string,
  { merged, signal }: SemanticInput,
): Promise<string> {
  // In a place of its own, with no file in it: what it is called does not depend on what it is to read.
  const wish = { language: `${language}-version`, tree: merged, wants: () => false, signal };
  return await toolchains.on(wish, async (place) => {
    const outcome = await place.run([program, ...version.arguments], {
      variables: variables(toolchains),
      cpuMs: versionCpuMs,
      signal,
    });
    const said =
      outcome.kind === "ended" ? version.pattern.exec(`${outcome.stdout}\n${outcome.stderr}`)?.[1] : undefined;
    return said === undefined ? name : `${name} ${said}`;
  });
}

interface AskerParts {
  readonly toolchain: Toolchain;
  readonly toolchains: Toolchains;
  readonly program: string;
  /** `go 1.19.8`, asked for when something is to be said. */
  readonly version: () => Promise<string>;
  readonly kept: Bounded<Diagnosis>;
  readonly lasting: FactsOf<Diagnosis> | undefined;
  readonly asking: Asking;
  readonly input: SemanticInput;
}

class Asker {
  readonly #parts: AskerParts;
  readonly #changed: ReadonlySet<string>;
  readonly #scope: readonly string[];

  constructor(parts: AskerParts) {
    this.#parts = parts;
    const { base, ours, theirs, merged } = parts.input;
    this.#changed = new Set([...differing(base, ours), ...differing(base, theirs)].filter(parts.toolchain.wants));
    this.#scope = parts.toolchain.scope(merged, [...this.#changed]);
  }

  async outcome(syntax: SemanticOutcome): Promise<SemanticOutcome> {
    const { input, version, toolchain } = this.#parts;
    const merged = await this.#diagnose(input.merged);
    const notes = [...syntax.notes];
    const says = (said: Diagnosis, where: string): void => {
      if (said.failed !== undefined) notes.push(`${toolchain.program} gave no answer about ${where}: ${said.failed}`);
    };
    let mayPass = merged.mayPass;
    says(merged, "the merged tree");
    const unchecked = [...merged.unchecked, ...this.#leftOut(merged)];
    notes.push(...unchecked);
    const answered = (conflicts: readonly SemanticConflict[], isWhole: boolean): SemanticOutcome => {
      const isAnswered = isWhole && merged.failed === undefined && unchecked.length === 0;
      const unsure = (syntax.unsure ?? []).filter((one) => !(isAnswered && one.isForCompiler));
      return {
        conflicts,
        complete: syntax.complete && isAnswered,
        notes,
        ...(mayPass === true ? { mayPass } : {}),
        ...(merged.missing.length === 0 ? {} : { missingPackages: merged.missing }),
        ...(unsure.length === 0 ? {} : { unsure }),
      };
    };
    if (merged.failed !== undefined) return answered(syntax.conflicts, false);
    let left = await this.#unforgiven(await placed(merged.errors, input.merged, input.read));
    const all = left.length;
    for (const tree of [input.ours, input.theirs]) {
      if (left.length === 0) break;
      const said = await this.#diagnose(tree);
      says(said, "one side by itself");
      mayPass ??= said.mayPass;
      if (said.failed !== undefined) return answered(syntax.conflicts, false);
      left = without(left, await placed(said.errors, tree, input.read), (path) => tree.blobs.has(path));
    }
    if (left.length < all) notes.push(...(await this.#ownErrors(merged, left)));
    if (left.length === 0) return answered(syntax.conflicts, all === 0);
    const reading = { language: toolchain.language, by: await version(), read: toolchain.read };
    const conflicts = await errorConflicts(left, input, reading);
    return answered(joined(syntax.conflicts, conflicts), left.length === all);
  }

  async #unforgiven(errors: readonly PlacedError[]): Promise<readonly PlacedError[]> {
    const { toolchain, input } = this.#parts;
    if (toolchain.isForgiven === undefined) return errors;
    const left: PlacedError[] = [];
    for (const error of errors) {
      const text = await input.read(input.merged.blobs.get(error.path) ?? "");
      if (!toolchain.isForgiven(error, (text ?? "").split("\n"))) left.push(error);
    }
    return left;
  }

  #leftOut({ leftOut = [] }: Diagnosis): string[] {
    const [first, ...more] = leftOut.filter((path) => this.#changed.has(path));
    if (first === undefined) return [];
    const others = more.length === 0 ? "" : ` and ${more.length} more changed files`;
    return [`${this.#parts.toolchain.program} leaves out ${first}${others} on this machine`];
  }

  /** What has errors by itself hides others: a package that depends on it is not looked at. */
  async #ownErrors(merged: Diagnosis, left: readonly PlacedError[]): Promise<string[]> {
    const isNew = new Set(left.map(({ path, line, message }) => `${path}:${line}:${message}`));
    const own = merged.errors.find(({ path, line, message }) => !isNew.has(`${path}:${line}:${message}`));
    if (own === undefined) return [];
    return [`${own.path}:${own.line} has an error without the merge too (${own.message}), which may hide others`];
  }

  async #diagnose(tree: TreeView): Promise<Diagnosis> {
    const { toolchain, toolchains, program, kept, asking, input } = this.#parts;
    const key = [program, tree.id, toolchains.rules.mayRunBuildCode, ...this.#scope].join("\0");
    const lastingKey = await this.#lastingKey(tree);
    const known = kept.get(key) ?? (lastingKey === undefined ? undefined : this.#parts.lasting?.get(lastingKey));
    if (known !== undefined) return known;
    const wish = { language: toolchain.language, tree, wants: toolchain.wants, signal: input.signal };
    let isForNow = false;
    let spentMs = 0;
    const said = await toolchains.on(wish, async (place): Promise<Diagnosis> => {
      isForNow = place.missing.length > 0;
      const [first, ...more] = place.missing.filter((path) => this.#needs(path));
      if (first !== undefined) {
        const others = more.length === 0 ? "" : ` and ${more.length} more`;
        return noDiagnosis(`this clone does not have ${first}${others}`);
      }
      const found = await toolchain.ask({
        place: counted(place, (cpuMs) => (spentMs += cpuMs)),
        toolchains,
        program,
        tree,
        scope: this.#scope,
        checkouts: asking.checkouts,
        // Each tree has all of it: what is said of one is kept for every pair that it is part of.
        restMs: () => asking.deadlineMs - spentMs,
        signal: input.signal,
      });
      if (found.errors.length > maxErrors) return noDiagnosis(`it has more than ${maxErrors} errors`);
      return found;
    });
    // What the clone lacks may come.
    if (isForNow || said.isStopped === true || said.mayPass === true) return said;
    kept.set(key, said);
    if (lastingKey !== undefined && isWhole(said)) this.#parts.lasting?.set(lastingKey, said);
    return said;
  }

  /** Code that is not there makes errors that are none, wherever it is used. */
  #needs(path: string): boolean {
    const isInScope = this.#scope.length === 0 || this.#scope.some((directory) => path.startsWith(directory));
    return this.#changed.has(path) || (isInScope && isCode.test(path));
  }

  /** undefined where an answer may be another tomorrow, though the tree is the same. */
  async #lastingKey(tree: TreeView): Promise<string | undefined> {
    const { toolchain, toolchains, lasting, program, version, asking } = this.#parts;
    const restsOn = lasting === undefined ? undefined : toolchain.restsOn(asking.checkouts);
    if (restsOn === undefined) return undefined;
    const { mayRunBuildCode } = toolchains.rules;
    const named = [program, await version(), tree.id, mayRunBuildCode, restsOn, ...this.#scope].join("\0");
    return new Bun.CryptoHasher("sha256").update(named).digest("hex");
  }
}

/** Every run counts against what the tree may use. */
const counted = (place: ToolPlace, count: (cpuMs: number) => void): ToolPlace => ({
  ...place,
  run: async (command, options) => {
    const outcome = await place.run(command, options);
    count(outcome.cpuMs);
    return outcome;
  },
});

/** It looked at everything, and found all it wanted: installing something more changes nothing. */
const isWhole = ({ failed, missing, unchecked, isStopped }: Diagnosis): boolean =>
  failed === undefined && missing.length === 0 && unchecked.length === 0 && isStopped !== true;

/** What both saw is told once, in the words of the syntax, with the compiler named. */
function joined(syntax: readonly SemanticConflict[], compiler: readonly SemanticConflict[]): SemanticConflict[] {
  const confirmed = new Map<SemanticConflict, SemanticConflict>();
  const added = compiler.filter((one) => {
    const same = syntax.find((other) => isSame(other, one));
    if (same !== undefined && !confirmed.has(same)) confirmed.set(same, one);
    return same === undefined;
  });
  const told = syntax.map((one) => {
    const by = confirmed.get(one);
    return by === undefined ? one : { ...one, message: `${one.message} (${by.message})` };
  });
  return [...told, ...added];
}

function isSame(one: SemanticConflict, other: SemanticConflict): boolean {
  if (one.use.path !== other.use.path) return false;
  if (one.use.line === other.use.line) return true;
  return lastName(one.symbol) === lastName(other.symbol);
}

const lastName = (symbol: string): string =>
  symbol.slice(Math.max(symbol.lastIndexOf("."), symbol.lastIndexOf(":")) + 1);

function differing(base: TreeView, side: TreeView): string[] {
  const found: string[] = [];
  for (const [path, blob] of side.blobs) if (base.blobs.get(path) !== blob) found.push(path);
  for (const path of base.blobs.keys()) if (!side.blobs.has(path)) found.push(path);
  return found;
}
