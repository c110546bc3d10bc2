// Compares two versions of a schema for data that flows one way. Every pair of schemas is looked at once below one place, so schemas
// that contain themselves end, and pairs in which nothing changed are known for all later places. Where the steps do not suffice, or
// something lies too deep, the place is named as left out.

import type { Budget } from "../budget.ts";
import type { ChangeSink } from "../change-list.ts";
import type { ContractChange, ContractDirection } from "../format.ts";
import { flowOf, type Flow, ruleText } from "../rule.ts";
import { comparePair } from "./compare-pair.ts";
import type { Comparing, Fitting, Where } from "./comparing.ts";
import { KnownAnswers } from "./known-answers.ts";
import { type SchemaRuleName, schemaRules } from "./schema-rules.ts";
import type { Shape } from "./shape.ts";
import type { Shapes } from "./shapes.ts";

export interface SchemaPlace {
  readonly direction: ContractDirection | null;
  readonly path: string;
  /** The name of the place itself, if it is a parameter or a header. */
  readonly name?: string | undefined;
  readonly textual?: boolean | undefined;
  readonly xml?: boolean | undefined;
}

/** Schemas are nested through references as deep as they like; beyond this the rest is put off instead of called. */
const maximumDepth = 60;
/** Each question is asked to answer the one before, and calls itself for it. */
const maximumQuestions = 30;

/** In how many places the changes of one shared schema are listed. */
const maximumPlaces = 20;

type Pairs = WeakMap<Shape, Set<Shape>>;

export class SchemaComparer {
  /** Set when a change of a shared schema was not listed for every place that uses it. */
  abridged = false;
  /** Places whose changes are judged otherwise are counted apart, so that they cannot use up the room of the others. */
  kind = "";
  /** The number of open questions whether one schema fits another, each asked to answer the one before. */
  private questions = 0;
  /** The number of questions that were not asked because too many were open. */
  private cutShort = 0;
  private readonly told = new Map<string, number>();
  private readonly numbers = new Map<Shape, number>();
  private readonly unchanged = new Map<string, Pairs>();
  private readonly fitting = new KnownAnswers<Shape>();
  private readonly before: Shapes;
  private readonly after: Shapes;
  private readonly changes: ChangeSink;

  private readonly same: (before: unknown, after: unknown) => boolean;

  /** `same`: whether two schemas say the same word for word; it is not asked where the words mean something else. */
  constructor(before: Shapes, after: Shapes, changes: ChangeSink, same: (before: unknown, after: unknown) => boolean) {
    this.same = before.hasSameDialect(after) ? same : () => false;
    this.before = before;
    this.after = after;
    this.changes = changes;
  }

  compare(before: unknown, after: unknown, place: SchemaPlace): void {
    if (this.same(before, after)) return;
    const { doubts } = this;
    if (this.budget.isSpent) return this.changes.leaveOut(place.path, place.direction);
    const [was, is] = [this.before.of(before), this.after.of(after)];
    const mode = `${this.kind} ${place.direction} ${place.textual === true} ${place.xml === true}`;
    const clean = pairsOf(this.unchanged, mode);
    if (has(clean, was, is)) return;
    const walk = this.walk(place, clean);
    walk.start(was, is, { path: place.path, name: place.name ?? null });
    if (!walk.hasLeftOut && this.doubts > doubts) this.changes.leaveOut(place.path, place.direction);
    for (const pair of walk.seen) this.remember(mode, clean, pair, walk.changed);
  }

  /** Pairs in which nothing changed need no second look, and those that many places share have been told often enough. */
  private remember(mode: string, clean: Pairs, [was, is]: readonly [Shape, Shape], changed: boolean): void {
    if (this.budget.isSpent) return;
    if (!changed) return put(clean, was, is);
    const key = `${mode} ${this.numberOf(was)} ${this.numberOf(is)}`;
    const times = (this.told.get(key) ?? 0) + 1;
    this.told.set(key, times);
    if (times < maximumPlaces) return;
    put(clean, was, is);
    this.abridged = true;
  }

  private numberOf(shape: Shape): number {
    const known = this.numbers.get(shape);
    if (known !== undefined) return known;
    this.numbers.set(shape, this.numbers.size);
    return this.numbers.size - 1;
  }

  private walk(place: SchemaPlace, clean: Pairs): Walk {
    const flow = flowOf(place.direction);
    return new Walk({
      flow,
      textual: place.textual === true,
      xml: place.xml === true,
      before: this.before,
      after: this.after,
      clean,
      same: this.same,
      mayStep: () => this.budget.spend(),
      doubts: () => this.doubts,
      leaveOut: ({ path }) => this.changes.leaveOut(path, place.direction),
      fits: (was, is, how) => this.fits(was, is, how, place),
      found: (rule, where, before, after) =>
        this.changes.add(this.change(rule, flow, place.direction, where, before, after)),
    });
  }

  private get budget(): Budget {
    return this.before.budget;
  }

  /** Grows whenever something is not looked at. */
  private get doubts(): number {
    return this.before.leftOut + this.after.leftOut + this.cutShort + Number(this.budget.isSpent);
  }

  private fits(was: Shape, is: Shape, how: Fitting, place: SchemaPlace): boolean {
    if (was === is) return true;
    const { turned = false, strict = false, flow: given = flowOf(place.direction) } = how;
    const flow = turned ? turnedFlow[given] : given;
    const mode = `${flow} ${strict} ${place.textual === true} ${place.xml === true}`;
    if (this.questions > maximumQuestions) {
      this.cutShort += 1;
      return true;
    }
    return this.fitting.ask(mode, was, is, () => {
      this.questions += 1;
      let fits = true;
      const walk = new Walk({
        flow,
        textual: place.textual === true,
        xml: place.xml === true,
        before: this.before,
        after: this.after,
        clean: new WeakMap(),
        same: this.same,
        mayStep: () => fits && this.budget.spend(),
        doubts: () => 0,
        leaveOut: () => {},
        fits: (one, other, inner) =>
          this.fits(one, other, { flow, ...inner, strict: strict || inner.strict === true }, place),
        found: (rule) => {
          const verdict = schemaRules[rule].verdicts[flow];
          if (verdict === "breaking" || (strict && verdict === "dangerous")) fits = false;
        },
      });
      walk.start(was, is, { path: "", name: null });
      this.questions -= 1;
      return fits;
    });
  }

  private change(
    rule: SchemaRuleName,
    flow: Flow,
    direction: ContractDirection | null,
    { path, name }: Where,
    before: string | null,
    after: string | null,
  ): ContractChange {
    const declared = schemaRules[rule];
    return {
      rule: direction === null ? rule : `${direction}-${rule}`,
      verdict: declared.verdicts[flow],
      path,
      direction,
      before,
      after,
      text: ruleText(declared.what, flow, declared.verdicts[flow], { name, before, after }),
      names: name === null ? [] : [name],
    };
  }
}

const turnedFlow: Readonly<Record<Flow, Flow>> = { in: "out", out: "in", both: "both" };

interface WalkInput extends Pick<Comparing, "flow" | "textual" | "xml" | "before" | "after"> {
  readonly clean: Pairs;
  readonly same: (before: unknown, after: unknown) => boolean;
  readonly mayStep: () => boolean;
  /** Grows whenever something is not looked at. */
  readonly doubts: () => number;
  readonly leaveOut: (where: Where) => void;
  readonly fits: (before: Shape, after: Shape, how: Fitting) => boolean;
  readonly found: (rule: SchemaRuleName, where: Where, before: string | null, after: string | null) => void;
}

/** Everything below one place. */
class Walk implements Comparing {
  readonly flow: Flow;
  readonly textual: boolean;
  readonly xml: boolean;
  readonly before: Shapes;
  readonly after: Shapes;
  readonly seen: [Shape, Shape][] = [];
  changed = false;
  hasLeftOut = false;
  private readonly input: WalkInput;
  private readonly visited: Pairs = new WeakMap();
  private readonly later: [Shape, Shape, Where][] = [];
  private depth = 0;

  constructor(input: WalkInput) {
    this.input = input;
    ({ flow: this.flow, textual: this.textual, xml: this.xml, before: this.before, after: this.after } = input);
  }

  start(before: Shape, after: Shape, where: Where): void {
    this.later.push([before, after, where]);
    for (let next = this.later.pop(); next !== undefined; next = this.later.pop()) {
      this.depth = 0;
      this.descendShapes(...next);
    }
  }

  readonly report = (rule: SchemaRuleName, where: Where, before: string | null, after: string | null): void => {
    this.changed = true;
    this.input.found(rule, where, before, after);
  };

  readonly same = (before: unknown, after: unknown): boolean => this.input.same(before, after);

  readonly fits = (before: Shape, after: Shape, how: Fitting = {}): boolean => this.input.fits(before, after, how);

  readonly descend = (before: unknown, after: unknown, where: Where): void => {
    if (this.input.same(before, after)) return;
    this.descendShapes(this.before.of(before), this.after.of(after), where);
  };

  readonly descendShapes = (before: Shape, after: Shape, where: Where): void => {
    if (has(this.visited, before, after) || has(this.input.clean, before, after)) return;
    if (this.depth >= maximumDepth) {
      this.later.push([before, after, where]);
      return;
    }
    put(this.visited, before, after);
    const doubts = this.input.doubts();
    if (this.input.mayStep()) {
      this.seen.push([before, after]);
      this.depth += 1;
      comparePair(this, before, after, where);
      this.depth -= 1;
    }
    // The innermost place is named, and one of them is enough below one place.
    if (this.hasLeftOut || this.input.doubts() === doubts) return;
    this.hasLeftOut = true;
    this.input.leaveOut(where);
  };
}

function pairsOf(map: Map<string, Pairs>, mode: string): Pairs {
  let pairs = map.get(mode);
  if (pairs === undefined) map.set(mode, (pairs = new WeakMap()));
  return pairs;
}

function has(pairs: Pairs, one: Shape, other: Shape): boolean {
  return pairs.get(one)?.has(other) === true;
}

function put(pairs: Pairs, one: Shape, other: Shape): void {
  const row = pairs.get(one);
  if (row === undefined) pairs.set(one, new Set([other]));
  else row.add(other);
}
