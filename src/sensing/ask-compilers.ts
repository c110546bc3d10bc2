// Asks compilers for what only types tell. A language's compiler takes seconds and overrules what the syntax showed. Where nobody may wait,
// the pair is answered at once from the syntax with its types still open, and looked at again when the compiler has answered.

import type { PairFinding, Reviewed } from "../core/findings/pair-finding.ts";
import { readText, type SideChanges } from "../core/findings/scene.ts";
import { concerns, type OpenLanguage, type Readiness } from "../languages/language.ts";
import type { ChangedFile, Conflict, RepositoryObserver } from "../ports/git.ts";
import type { SemanticOutcome } from "../ports/semantic.ts";
import type { Toolchains } from "../ports/toolchains.ts";
import { patienceMs } from "../ports/work-budget.ts";
import { messageOf } from "../protocol/errors.ts";
import type { OpenPart } from "../protocol/findings.ts";
import { boundsOf, isTouchedByBoth } from "./ask-languages.ts";
import { hasOthersWork, type MergedPair } from "./merged-pair.ts";
import type { RepositoryMemory } from "./repository-memory.ts";
import { reviewLanguages } from "./review-merge.ts";
import { type Asked, SlowQuestion } from "./slow-question.ts";

export interface AskCompilers {
  readonly asked: Asked;
  /** Processor time that a compiler may use for one tree. */
  readonly deadlineMs: number;
  /** Of each pair, for files that neither side changed; without it, as long as the language thinks right. */
  readonly betweenMs?: number;
  /** Other checkouts of the repository, where packages may be installed. */
  readonly checkouts?: () => Promise<readonly string[]>;
  /** The owner's own compilers; without, only those that this program carries are asked. */
  readonly toolchains?: Toolchains;
}

interface Machine {
  readonly observer: RepositoryObserver;
  readonly memory: RepositoryMemory;
  readonly log: (line: string) => void;
}

/** The answer of the languages once their compilers are asked. */
interface Answer {
  /** undefined when they could not be asked: then what the syntax shows stands. */
  readonly findings: readonly PairFinding[] | undefined;
  readonly open: readonly OpenPart[];
}

/** The languages that are asked about a pair, and what is said of those that are not. */
interface Worth {
  readonly asked: OpenLanguage[];
  readonly open: OpenPart[];
  readonly notes: string[];
}

/** Both sides must have been quiet so long: whoever types is not to be compiled at every stroke. */
const settleMs = 2_000;

const isSemantic = ({ kind }: PairFinding): boolean => kind === "semantic";

export class PairTypes {
  readonly #machine: Machine;
  readonly #ask: AskCompilers;
  readonly #question: SlowQuestion<Answer>;
  readonly #ready = new Map<OpenLanguage, Readiness>();
  /** Records whether a side changed anything that others can see, for as long as its changes are kept. */
  readonly #visible = new WeakMap<SideChanges, Map<OpenLanguage, boolean>>();

  constructor(machine: Machine, ask: AskCompilers) {
    this.#machine = machine;
    this.#ask = ask;
    const isFailure = ({ open }: Answer): boolean => open.some(({ mayPass }) => mayPass === true);
    this.#question = new SlowQuestion(ask.asked, machine.observer.identity, isFailure);
  }

  async add(review: Reviewed, pair: MergedPair, signal: AbortSignal | undefined): Promise<Reviewed> {
    const { asked, open, notes } = await this.#worthAsking(pair);
    let said = { ...review, open: [...review.open, ...open], ...(notes.length === 0 ? {} : { notes }) };
    if (asked.length === 0) return settled(said);
    // A source with conflict markers compiles to nonsense, and so does all that imports it: the compiler of that language has no tree to be asked
    // about. The pair collides, and everybody says that first (exit 1). Types stay open beside it, because the conflict may be
    // dismissed, and then they are what the silence does not rest on (exit 5). Whatever else git cannot merge (notes, lock files, settings) is shown to
    // the compiler in either side's version.
    const conflicted = pair.merge.kind === "conflicted" ? pathsIn(pair.merge.conflicts) : [];
    const isHeld = ({ language }: OpenLanguage): boolean => conflicted.some((path) => language.sources.test(path));
    const held = asked.filter(isHeld);
    const ready = asked.filter((language) => !isHeld(language));
    if (held.length > 0) {
      const why = `${titles(held)} types were not checked: git cannot merge the text`;
      said = { ...said, open: [...said.open, { what: "types", why }] };
    }
    if (ready.length === 0) return settled(said);
    const question = { about: "types", settleMs };
    const answer = await this.#question.ask(pair, question, (stop) => this.#compile(pair, ready, stop), signal);
    if (answer === "coming") {
      const coming: OpenPart = { what: "types", why: `${titles(ready)} types are still to be checked`, isComing: true };
      return settled({ ...said, open: [...said.open, coming] });
    }
    if (answer.findings === undefined) return settled({ ...said, open: [...said.open, ...answer.open] });
    const others = review.findings.filter((finding) => !isSemantic(finding));
    return { ...said, findings: [...answer.findings, ...others], open: [...said.open, ...answer.open], unread: [] };
  }

  async #compile(pair: MergedPair, asked: readonly OpenLanguage[], stop: AbortSignal | undefined): Promise<Answer> {
    const { observer, memory, log } = this.#machine;
    const { deadlineMs, betweenMs } = this.#ask;
    // Three trees, each within its processor time: the clock only ends what would never end.
    const limits = [AbortSignal.timeout(3 * patienceMs(deadlineMs)), ...(stop === undefined ? [] : [stop])];
    // The owner's own compilers run what a repository tells them to (build scripts, macros): not for work of other machines.
    const toolchains = hasOthersWork(pair) ? undefined : this.#ask.toolchains;
    const asking = { deadlineMs, betweenMs, checkouts: await this.#checkouts(pair), toolchains };
    const open: OpenPart[] = [];
    try {
      const question = { ...pair, signal: AbortSignal.any(limits) };
      const review = await reviewLanguages(observer, memory, question, async (language, input) => {
        const { compiler } = language;
        if (compiler === undefined || !asked.includes(language)) return await language.check(input);
        const outcome = await compiler.check(input, asking);
        open.push(...openTypes(language, outcome));
        // What was open because of the compiler is said of the compiler.
        return { ...outcome, complete: true };
      });
      return { findings: review.findings, open: [...review.open, ...open] };
    } catch (cause) {
      if (stop?.aborted !== true) log(`${observer.identity}: the compiler was not asked: ${messageOf(cause)}`);
      const why = `types were not checked: ${messageOf(cause)}`;
      return { findings: undefined, open: [{ what: "types", why, mayPass: true }] };
    }
  }

  /** Returns the checkouts where packages may be installed: those of the two sides, else any other of the repository. */
  async #checkouts({ ours, theirs }: MergedPair): Promise<string[]> {
    const own = [ours, theirs].flatMap(({ side }) => side.worktree ?? []);
    return [...new Set([...own, ...((await this.#ask.checkouts?.()) ?? [])])];
  }

  /** The languages whose compiler could see something in the merge that the syntax does not show, and those it is not there for. */
  async #worthAsking(pair: MergedPair): Promise<Worth> {
    const { observer, memory } = this.#machine;
    const worth: Worth = { asked: [], open: [], notes: [] };
    const [base] = pair.merge.bases;
    if (base === undefined) return worth;
    const [ours, theirs] = [
      await memory.trees.changes(observer, base, pair.ours.snapshot),
      await memory.trees.changes(observer, base, pair.theirs.snapshot),
    ];
    for (const language of memory.languages.all) {
      if (!isTouchedByBoth({ ours, theirs }, language.language)) continue;
      const readiness = hasOthersWork(pair) ? this.#readinessNow(language, undefined) : this.#readiness(language);
      if (readiness.state === "unasked" && readiness.note === undefined) continue;
      if (!(await this.#mayMatter(language, ours, theirs))) continue;
      if (readiness.state === "ready") worth.asked.push(language);
      if (readiness.state === "absent") worth.open.push({ what: "types", why: readiness.why });
      if (readiness.state === "unasked" && readiness.note !== undefined) worth.notes.push(readiness.note);
    }
    return worth;
  }

  /** Looked for once for the pairs of one turn: where a program stands is asked of the PATH and of every checkout. */
  #readiness(language: OpenLanguage): Readiness {
    if (this.#ready.size === 0) setImmediate(() => this.#ready.clear());
    const readiness = this.#ready.get(language) ?? this.#readinessNow(language, this.#ask.toolchains);
    this.#ready.set(language, readiness);
    return readiness;
  }

  #readinessNow({ language, compiler }: OpenLanguage, toolchains: Toolchains | undefined): Readiness {
    if (compiler !== undefined) return compiler.readiness?.(toolchains) ?? { state: "ready" };
    if (language.wantsCompiler !== true) return { state: "unasked" };
    return { state: "absent", why: `${language.title} types were not checked: its compiler is not here` };
  }

  /** Tells whether a side changed anything that the other can see, or both changed one file. */
  async #mayMatter(language: OpenLanguage, ours: SideChanges, theirs: SideChanges): Promise<boolean> {
    for (const path of ours.paths) if (theirs.paths.has(path) && concerns(language.language, path)) return true;
    return (await this.#hasVisible(language, ours)) || (await this.#hasVisible(language, theirs));
  }

  /** Answered once for a side, which is compared with many others. */
  async #hasVisible(language: OpenLanguage, changes: SideChanges): Promise<boolean> {
    const known = this.#visible.get(changes) ?? new Map<OpenLanguage, boolean>();
    this.#visible.set(changes, known);
    const before = known.get(language);
    if (before !== undefined) return before;
    let has = false;
    for (const file of changes.files) has ||= await this.#isVisible(language, file);
    known.set(language, has);
    return has;
  }

  async #isVisible({ language, compiler }: OpenLanguage, { path, before, after }: ChangedFile): Promise<boolean> {
    if (!concerns(language, path)) return false;
    if (before === undefined || after === undefined || compiler === undefined) return true;
    const { visible } = this.#machine.memory;
    const key = `${before.blob} ${after.blob}`;
    const known = visible.get(key);
    if (known !== undefined) return known;
    const read = readText(this.#machine.observer);
    const [was, is] = [await read(before.blob), await read(after.blob)];
    const isVisible = was === undefined || is === undefined || compiler.isVisible(path, was, is);
    visible.set(key, isVisible);
    return isVisible;
  }
}

const pathsIn = (conflicts: readonly Conflict[]): string[] =>
  conflicts.flatMap(({ path, otherPaths }) => [path, ...otherPaths]);

const titles = (languages: readonly OpenLanguage[]): string =>
  languages.map(({ language }) => language.title).join(", ");

/** What the languages could not read is open too, once no compiler speaks in their place. */
const settled = (review: Reviewed): Reviewed => ({ ...review, open: [...review.open, ...review.unread], unread: [] });

const lacking = "not installed in any checkout that was looked at";

function openTypes({ language, compiler }: OpenLanguage, outcome: SemanticOutcome): OpenPart[] {
  const open: OpenPart[] = [];
  const { missingPackages = [] } = outcome;
  if (!outcome.complete) {
    const why = boundsOf(outcome) || "the time ran out";
    const said = `${compiler?.name ?? language.title} gave no full answer: ${why}`;
    open.push({ what: "types", why: said, ...(outcome.mayPass === true ? { mayPass: true } : {}) });
  }
  if (missingPackages.length > 0) {
    const names = missingPackages.slice(0, 5).join(", ");
    const more = missingPackages.length > 5 ? ` and ${missingPackages.length - 5} more` : "";
    const why = `types from ${names}${more} are unknown: ${compiler?.lacking ?? lacking}`;
    open.push({ what: "packages", why });
  }
  return open;
}
