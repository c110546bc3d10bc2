// Names that nobody writes out any more, though something might still bring them: a base outside the project, a metaclass, `__getattr__`,
// attributes of computed names. Where that evidently does not bring this very name, it is gone; elsewhere the use is named as a doubt.

import { expectsMissingAttribute, type PythonBinding, type PythonUse } from "../facts.ts";
import type { SemanticInput, Side, TreeView } from "../../../ports/semantic.ts";
import { isPython } from "./project-tree.ts";
import type { Resolution } from "./resolver.ts";
import type { Summaries } from "./summaries.ts";
import type { ChangedFiles } from "../../check/changed-files.ts";
import type { Unsure } from "./unsure-uses.ts";
import { bindingIn, classIn, entriesIn } from "./use-verdict.ts";
import { type Mark, type Missing, own } from "./values.ts";

export interface LostUse {
  readonly use: PythonUse;
  readonly before: Resolution;
  readonly after: Resolution;
}

/** Asked about the uses of one side; `other` is the side that may have taken the names away. */
export class GoneNames {
  private readonly input: SemanticInput;
  private readonly summaries: Summaries;
  private readonly other: Side;
  private readonly changed: readonly string[];

  constructor(input: SemanticInput, summaries: Summaries, other: Side, changes: ChangedFiles) {
    this.input = input;
    this.summaries = summaries;
    this.other = other;
    this.changed = [...changes].flatMap(([path, change]) => (change !== "deleted" && isPython(path) ? [path] : []));
  }

  /** Returns what the use lacks, where nothing can bring it. */
  async certain({ use, before, after }: LostUse): Promise<Missing | undefined> {
    const { open } = after;
    if (open === undefined || after.pending || (use.expects & expectsMissingAttribute) !== 0) return undefined;
    const mark = before.trail[open.step];
    if (mark === undefined || mark.name === "" || open.by.kind === "answers" || open.by.kind === "run")
      return undefined;
    const dot = mark.name.lastIndexOf(".");
    if (dot === -1) return this.goneByName(mark);
    const [owner, name] = [mark.name.slice(0, dot), mark.name.slice(dot + 1)];
    const was = classIn(await this.summaries.of(this.input.base, mark.path), owner);
    const is = classIn(await this.summaries.of(this.input[this.other], mark.path), owner);
    const lost = own(was?.members, name)?.[0];
    if (was === undefined || is === undefined || lost === undefined || own(is.members, name) !== undefined)
      return undefined;
    // What is outside must be what it was, or the member may have gone there.
    if (broughtBy(was) !== broughtBy(is)) return undefined;
    return hasHeir(lost, was, is) ? { kind: "member", name, path: mark.path, owner } : undefined;
  }

  /** The name that the other side took away and something might still bring. */
  async doubt({ before, after }: LostUse): Promise<Unsure | undefined> {
    if (after.pending || after.broken !== undefined) return undefined;
    const hole = after.trail.findIndex((mark, step) => mark === undefined && before.trail[step] !== undefined);
    const mark = before.trail[hole];
    for (const { path, name, line } of mark === undefined
      ? []
      : [mark, ...(mark.via === undefined ? [] : [mark.via])]) {
      if (name === "" || (await this.isStill(path, name))) continue;
      const { by } = after.open?.step === hole ? after.open : {};
      const because =
        by === undefined ? "what is there now cannot be read" : `${by.what} (${by.path}:${by.line}) may still bring it`;
      return { symbol: name, definition: path, definitionLine: line, because };
    }
    return undefined;
  }

  /** A member that is gone from its class, where the other side now gives an attribute of that name to something elsewhere. */
  async patched({ name, owner, path }: Extract<Missing, { kind: "member" }>): Promise<Unsure | undefined> {
    for (const at of this.changed) {
      const is = await this.summaries.of(this.input[this.other], at);
      if (is?.stores.includes(name) !== true) continue;
      if ((await this.summaries.of(this.input.base, at))?.stores.includes(name) === true) continue;
      const because = `${at} now gives an attribute of that name to something`;
      return { symbol: `${owner}.${name}`, definition: path, because };
    }
    return undefined;
  }

  /** Whoever took it away has it no more, and had it before. */
  private async isStill(path: string, name: string): Promise<boolean> {
    const at = name.endsWith('"]') ? name.lastIndexOf('["') : -1;
    const [dictionary, key] = at < 0 ? [undefined, ""] : [name.slice(0, at), name.slice(at + 2, -2)];
    const isIn = async (view: TreeView): Promise<boolean> => {
      const summary = await this.summaries.of(view, path);
      if (dictionary === undefined) return bindingIn(summary, name) !== undefined;
      return own(entriesIn(summary, dictionary)?.keys, key) !== undefined;
    };
    return !(await isIn(this.input.base)) || (await isIn(this.input[this.other]));
  }

  /**
   * A name that was written out in a module which also makes names by computing them. Where that is done as before, and the name stands in
   * no text there, the computing did not bring the name then and does not now.
   */
  private async goneByName({ path, name }: Mark): Promise<Missing | undefined> {
    const was = await this.summaries.of(this.input.base, path);
    const is = await this.summaries.of(this.input[this.other], path);
    if (was?.computed === undefined || was.computed !== is?.computed || own(was.names, name) === undefined)
      return undefined;
    if (own(is.names, name) !== undefined || is.spelled?.includes(name) === true) return undefined;
    return { kind: "name", name, path };
  }
}

/** All by which a class may have more than is written. */
function broughtBy({ bases, decorators, unreadable, computed }: PythonBinding): string {
  return JSON.stringify([bases, decorators, unreadable, computed?.like]);
}

/** A new member is the lost one by another name. */
function hasHeir(lost: PythonBinding, was: PythonBinding, is: PythonBinding): boolean {
  if (lost.fingerprint === undefined) return false;
  return Object.entries(is.members ?? {}).some(
    ([key, list]) =>
      own(was.members, key) === undefined &&
      list.some(({ kind, fingerprint }) => kind === lost.kind && fingerprint === lost.fingerprint),
  );
}
