// Compares two versions of a schema for data that flows one way. Every pair of schemas is looked at once below one place, so schemas
// that contain themselves end, and pairs in which nothing changed are known for all later places.

import type { ContractChange, ContractDirection } from "../format.ts";
import { field, sameValue, written } from "../json-value.ts";
import { flowOf, type Flow, ruleText } from "../rule.ts";
import { compareArrays } from "./compare-arrays.ts";
import { compareObjects } from "./compare-objects.ts";
import { compareUnions } from "./compare-unions.ts";
import { compareEnums, compareScalars, compareTypes } from "./compare-values.ts";
import type { Comparing, Fitting, Where } from "./comparing.ts";
import { type SchemaRuleName, schemaRules } from "./schema-rules.ts";
import { hasType, type Shape } from "./shape.ts";
import type { Shapes } from "./shapes.ts";

export interface SchemaPlace {
  readonly direction: ContractDirection | null;
  readonly path: string;
  /** What the place itself is called, where it is a parameter or a header. */
  readonly name?: string | undefined;
  readonly textual?: boolean | undefined;
  readonly xml?: boolean | undefined;
}

/** Schemas are nested through references as deep as they like; beyond this the rest is put off instead of called. */
const maximumDepth = 60;
/** Pairs looked at in one comparison. A specification of 5 MB needs some hundred thousand. */
const maximumSteps = 5_000_000;

type Pairs = WeakMap<Shape, Set<Shape>>;

export class SchemaComparer {
  /** Set when the bound on work was met: then silence proves nothing. */
  exhausted = false;
  private steps = 0;
  private readonly unchanged = new Map<string, Pairs>();
  private readonly fitting = new Map<string, WeakMap<Shape, Map<Shape, boolean>>>();
  private readonly before: Shapes;
  private readonly after: Shapes;
  private readonly add: (change: ContractChange) => void;

  constructor(before: Shapes, after: Shapes, add: (change: ContractChange) => void) {
    this.before = before;
    this.after = after;
    this.add = add;
  }

  compare(before: unknown, after: unknown, place: SchemaPlace): void {
    const [was, is] = [this.before.of(before), this.after.of(after)];
    const mode = `${place.direction} ${place.textual === true} ${place.xml === true}`;
    const clean = pairsOf(this.unchanged, mode);
    if (has(clean, was, is)) return;
    const walk = this.walk(place, clean);
    walk.start(was, is, { path: place.path, name: place.name ?? null });
    if (!walk.changed && !this.exhausted) for (const [one, other] of walk.seen) put(clean, one, other);
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
      mayStep: () => this.step(),
      fits: (was, is, how) => this.fits(was, is, how, place),
      found: (rule, where, before, after) => this.add(this.change(rule, flow, place.direction, where, before, after)),
    });
  }

  private step(): boolean {
    this.steps += 1;
    if (this.steps > maximumSteps) this.exhausted = true;
    return !this.exhausted;
  }

  private fits(was: Shape, is: Shape, { turned = false, strict = false }: Fitting, place: SchemaPlace): boolean {
    if (was === is) return true;
    const flow = turned ? turnedFlow[flowOf(place.direction)] : flowOf(place.direction);
    const mode = `${flow} ${strict} ${place.textual === true} ${place.xml === true}`;
    let known = this.fitting.get(mode);
    if (known === undefined) this.fitting.set(mode, (known = new WeakMap()));
    let row = known.get(was);
    if (row === undefined) known.set(was, (row = new Map()));
    const answer = row.get(is);
    if (answer !== undefined) return answer;
    // A pair that is asked about while it is being answered holds, if everything else does.
    row.set(is, true);
    let fits = true;
    const walk = new Walk({
      flow,
      textual: place.textual === true,
      xml: place.xml === true,
      before: this.before,
      after: this.after,
      clean: new WeakMap(),
      mayStep: () => fits && this.step(),
      fits: (one, other, how) =>
        this.fits(
          one,
          other,
          { strict: strict || how.strict === true, turned: (how.turned === true) !== turned },
          place,
        ),
      found: (rule) => {
        const verdict = schemaRules[rule].verdicts[flow];
        if (verdict === "breaking" || (strict && verdict === "dangerous")) fits = false;
      },
    });
    walk.start(was, is, { path: "", name: null });
    row.set(is, fits);
    return fits;
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
  readonly mayStep: () => boolean;
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

  readonly fits = (before: Shape, after: Shape, how: Fitting = {}): boolean => this.input.fits(before, after, how);

  readonly descend = (before: unknown, after: unknown, where: Where): void => {
    this.descendShapes(this.before.of(before), this.after.of(after), where);
  };

  readonly descendShapes = (before: Shape, after: Shape, where: Where): void => {
    if (has(this.visited, before, after) || has(this.input.clean, before, after)) return;
    if (this.depth >= maximumDepth) {
      this.later.push([before, after, where]);
      return;
    }
    put(this.visited, before, after);
    if (!this.input.mayStep()) return;
    this.seen.push([before, after]);
    this.depth += 1;
    comparePair(this, before, after, where);
    this.depth -= 1;
  };
}

function comparePair(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const { report } = comparing;
  if (before.opaque !== null || after.opaque !== null) {
    if (before.opaque !== after.opaque) {
      report("reference-not-judged", where, before.opaque ?? "a schema", after.opaque ?? "a schema");
    }
    return;
  }
  if (before.never || after.never) {
    if (before.never !== after.never) report(after.never ? "value-forbidden" : "value-allowed", where, null, null);
    return;
  }
  compareAnnotations(comparing, before, after, where);
  if (before.unions.length > 0 || after.unions.length > 0) {
    compareDiscriminators(comparing, before, after, where);
    compareUnions(comparing, before, after, where);
    return;
  }
  compareDiscriminators(comparing, before, after, where);
  if (!compareTypes(comparing, before, after, where)) return;
  compareEnums(comparing, before, after, where);
  // Where every value is listed, the other keywords say nothing new.
  if (before.values === null || after.values === null) compareScalars(comparing, before, after, where);
  const types = comparing.after.typesOf(after);
  if (hasType(types, "array")) compareArrays(comparing, before, after, where);
  if (hasType(types, "object")) compareObjects(comparing, before, after, where);
  compareConditions(comparing, before, after, where);
}

function compareAnnotations({ report, xml }: Comparing, before: Shape, after: Shape, where: Where): void {
  const [was, is] = [before.defaultValue, after.defaultValue];
  if (was === null && is !== null) report("default-added", where, null, written(is.value, 40));
  else if (was !== null && is === null) report("default-removed", where, written(was.value, 40), null);
  else if (was !== null && is !== null && !sameValue(was.value, is.value)) {
    report("default-changed", where, written(was.value, 40), written(is.value, 40));
  }
  if (!before.deprecated && after.deprecated) report("property-deprecated", where, null, "deprecated");
  if (xml && !sameXml(before.xml, after.xml))
    report("xml-changed", where, written(before.xml ?? "plain"), written(after.xml ?? "plain"));
}

function sameXml(before: unknown, after: unknown): boolean {
  const kept = ["name", "namespace", "attribute", "wrapped", "nodeType"];
  return kept.every((name) => (field(before, name) || null) === (field(after, name) || null));
}

function compareConditions(comparing: Comparing, before: Shape, after: Shape, where: Where): void {
  const { report } = comparing;
  const [wasNot, isNot] = [before.nots[0], after.nots[0]];
  if (wasNot === undefined && isNot !== undefined) report("not-added", where, null, written(isNot, 60));
  else if (wasNot !== undefined && isNot === undefined) report("not-removed", where, written(wasNot, 60), null);
  else if (wasNot !== undefined && isNot !== undefined) compareNots(comparing, wasNot, isNot, where);
  const [was, is] = [before.conditions[0], after.conditions[0]];
  if (was === undefined && is !== undefined) report("condition-added", where, null, written(is.test, 60));
  else if (was !== undefined && is === undefined) report("condition-removed", where, written(was.test, 60), null);
  else if (was !== undefined && is !== undefined) {
    if (!sameValue(was.test, is.test)) report("condition-changed", where, written(was.test, 60), written(is.test, 60));
    comparing.descend(was.yes, is.yes, { ...where, path: `${where.path} then` });
    comparing.descend(was.no, is.no, { ...where, path: `${where.path} else` });
  }
}

/** What is excluded grows where what is allowed shrinks. */
function compareNots(comparing: Comparing, before: unknown, after: unknown, where: Where): void {
  const { flow } = comparing;
  const [was, is] = [comparing.before.of(before), comparing.after.of(after)];
  if (sameValue(before, after)) return comparing.descend(before, after, { ...where, path: `${where.path} not` });
  const shrinks = flow !== "both" && comparing.fits(was, is, { turned: flow === "in", strict: true });
  const grows = flow !== "both" && comparing.fits(was, is, { turned: flow === "out", strict: true });
  if (shrinks && grows) return;
  const rule = shrinks ? "not-removed" : grows ? "not-added" : "not-changed";
  comparing.report(rule, where, written(before, 60), written(after, 60));
}

function compareDiscriminators({ report, flow }: Comparing, before: Shape, after: Shape, where: Where): void {
  const [was, is] = [before.discriminator, after.discriminator];
  if (was === null && is === null) return;
  if (was === null) return report("discriminator-added", where, null, is?.property ?? null);
  if (is === null) return report("discriminator-removed", where, was.property, null);
  if (was.property !== is.property) return report("discriminator-changed", where, was.property, is.property);
  const gone = [...was.mapping.keys()].filter((value) => !is.mapping.has(value));
  const added = [...is.mapping.keys()].filter((value) => !was.mapping.has(value));
  const moved = [...was.mapping].filter(([value, schema]) => is.mapping.has(value) && is.mapping.get(value) !== schema);
  for (const [value, schema] of moved) {
    report("discriminator-value-changed", where, `${value} for ${schema}`, `${value} for ${is.mapping.get(value)}`);
  }
  if (flow === "out" && gone.length > 0 && added.length > 0) {
    return report("discriminator-value-changed", where, gone.join(", "), added.join(", "));
  }
  for (const value of gone) report("discriminator-value-removed", where, value, null);
  for (const value of added) report("discriminator-value-added", where, null, value);
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
