// Turns a use that broke into a conflict two people can act on: which definition, what became of it, where, and what to do.

import type { PythonBinding, PythonSummary, PythonUse } from "../facts.ts";
import { parseRef } from "../ref.ts";
import type { Place, SemanticConflict, SemanticInput, SemanticRule, Side, TreeView } from "../../../ports/semantic.ts";
import type { DanglingName } from "./dangling-names.ts";
import type { DuplicateDefinition } from "./duplicate-definitions.ts";
import type { Resolution } from "./resolver.ts";
import type { Summaries } from "./summaries.ts";
import { placeIn, textOf } from "../../check/places.ts";
import type { ChangedFiles } from "../../check/changed-files.ts";
import { bindingIn, entriesIn } from "./use-verdict.ts";
import { type Mark, type Missing, own } from "./values.ts";

/** A use that was right on its side and is wrong in the merge. */
export interface Suspect {
  readonly side: Side;
  readonly path: string;
  readonly mergedPath: string;
  /** In the merged file. */
  readonly line: number;
  readonly use: PythonUse;
  readonly scope: string;
  readonly missing: Missing;
  readonly step: number;
  readonly before: Resolution;
}

interface Fate {
  readonly rule: SemanticRule;
  readonly after: Place | undefined;
  /** The fate of the definition, as the end of a sentence. */
  readonly became: string;
  readonly suggestion: string;
}

export class Explainer {
  private readonly input: SemanticInput;
  private readonly summaries: Summaries;
  private readonly changes: Readonly<Record<Side, ChangedFiles>>;

  constructor(input: SemanticInput, summaries: Summaries, changes: Explainer["changes"]) {
    this.input = input;
    this.summaries = summaries;
    this.changes = changes;
  }

  /** One conflict for each symbol and file: further uses of the same are counted, not repeated. */
  async explain(suspects: readonly Suspect[]): Promise<SemanticConflict[]> {
    const groups = new Map<string, { first: Suspect; mark: Mark; count: number }>();
    for (const suspect of [...suspects].sort((a, b) => a.line - b.line)) {
      const { missing } = suspect;
      const reached =
        missing.kind === "abstract"
          ? missing.mark
          : ((await this.giver(suspect)) ?? suspect.before.trail[suspect.step]);
      if (reached === undefined || toldByImport(suspect, suspects)) continue;
      // A dataclass takes its parameters from its bases too: the one the other side changed is to be named.
      const changed = this.changes[suspect.side === "ours" ? "theirs" : "ours"];
      const mark = reached.also?.find(({ path }) => changed.has(path)) ?? reached;
      const key = JSON.stringify([suspect.side, suspect.mergedPath, suspect.missing.kind, mark.path, mark.name]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { first: suspect, mark, count: 1 });
      else group.count += 1;
    }
    const conflicts: SemanticConflict[] = [];
    for (const { first, mark, count } of groups.values()) conflicts.push(await this.one(first, mark, count));
    return conflicts;
  }

  /** For a use of what something gives: the definition that gives something else now; undefined for any other use. */
  private async giver({ missing, before, step }: Suspect): Promise<Mark | undefined> {
    if (missing.kind !== "result" && (missing.kind !== "member" || missing.given === undefined)) return undefined;
    const reached = before.trail[step];
    if (missing.kind === "member" && reached !== undefined) {
      // The member itself is gone: that is what is to be told.
      if ((await this.find(this.input.merged, reached.path, reached.name)) === undefined) return undefined;
    }
    const origin = missing.kind === "result" ? missing.mark : missing.given;
    const marks = [origin, ...before.trail.slice(0, step + 1).reverse()];
    for (const mark of marks) {
      if (mark === undefined) continue;
      const [was, is] = [
        await this.find(this.input.base, mark.path, mark.name),
        await this.find(this.input.merged, mark.path, mark.name),
      ];
      if (is === undefined || (was?.gives === is.gives && was?.refersTo === is.refersTo)) continue;
      // An annotation where there was none says less than what is given, and changes nothing.
      if (reached === undefined && is.isPromised === true && was?.isPromised !== true) return undefined;
      return { ...mark, gives: true };
    }
    return missing.kind === "result" ? reached : undefined;
  }

  private async one(suspect: Suspect, mark: Mark, count: number): Promise<SemanticConflict> {
    const definitionSide: Side = suspect.side === "ours" ? "theirs" : "ours";
    const isModule = suspect.missing.kind === "module";
    // The lookup failed here: at the entry that re-exported it, unless the definition itself is gone too.
    const entry =
      mark.via !== undefined && (await this.find(this.input.merged, mark.path, mark.name)) !== undefined
        ? mark.via
        : mark;
    const symbol = isModule
      ? suspect.missing.name
      : mark.name === ""
        ? suspect.missing.kind === "name"
          ? suspect.missing.name
          : mark.path
        : mark.name;
    const fate = await this.fate(suspect, mark, entry, definitionSide, symbol);
    const more = count > 1 ? ` (and ${count - 1} more ${count === 2 ? "use" : "uses"} in this file)` : "";
    return {
      language: "python",
      rule: fate.rule,
      symbol,
      definitionSide,
      definitionBefore: await this.before(
        suspect.side,
        suspect.missing.kind === "abstract" ? suspect.missing.owner : entry,
      ),
      definitionAfter: fate.after,
      use: await this.place(this.input.merged, suspect.mergedPath, suspect.line),
      message: `${suspect.mergedPath}:${suspect.line} uses \`${symbol}\`${more}, which the other side ${fate.became}.`,
      suggestion: fate.suggestion,
    };
  }

  private async fate(
    suspect: Suspect,
    mark: Mark,
    entry: Mark | NonNullable<Mark["via"]>,
    by: Side,
    symbol: string,
  ): Promise<Fate> {
    const { missing } = suspect;
    if (missing.kind === "result" || mark.gives === true) {
      const now = await this.find(this.input.merged, mark.path, mark.name);
      const detail =
        missing.kind === "result"
          ? missing.detail
          : missing.kind === "member"
            ? `\`${missing.owner}\`, which has no \`${missing.name}\``
            : "something else";
      return {
        rule: "type-mismatch",
        after: now === undefined ? undefined : await this.place(this.input.merged, mark.path, now.line),
        became: `changed so that it gives ${detail}`,
        suggestion: `Use what \`${symbol}\` gives now, or let it give what it gave.`,
      };
    }
    if (missing.kind === "call") {
      const after = await this.place(this.input.merged, missing.mark.path, missing.mark.line);
      return {
        rule: "signature",
        after,
        became: `changed so that this call no longer fits: ${missing.detail}`,
        suggestion: `Adapt the call to the new parameters of \`${symbol}\`, or keep the old ones working.`,
      };
    }
    if (missing.kind === "parts") {
      const after = await this.place(this.input.merged, missing.mark.path, missing.mark.line);
      return {
        rule: "signature",
        after,
        became: `changed so that it ${missing.detail}`,
        suggestion: `Take \`${symbol}\` apart as it is now, or read its fields by name.`,
      };
    }
    if (missing.kind === "abstract") {
      const after = await this.place(this.input.merged, missing.mark.path, missing.mark.line);
      return {
        rule: "signature",
        after,
        became: `made abstract, so that this class cannot be constructed without it`,
        suggestion: `Add \`${symbol.split(".").at(-1)}\` to the class that is constructed here.`,
      };
    }
    if (missing.kind === "property" || missing.kind === "method" || missing.kind === "sync") {
      const after = await this.place(this.input.merged, missing.mark.path, missing.mark.line);
      return { rule: "signature", after, ...changedUses[missing.kind] };
    }
    if (missing.kind === "async") {
      const after = await this.place(this.input.merged, missing.mark.path, missing.mark.line);
      return {
        rule: "became-async",
        after,
        became: "made async, and this call is not awaited",
        suggestion: `Await \`${symbol}\`, or keep a synchronous version of it.`,
      };
    }
    if (missing.kind === "module") return this.moduleFate(mark, by, symbol);
    if (missing.kind === "key") return this.keyFate(missing, by, symbol);
    const base = await this.find(this.input.base, entry.path, entry.name);
    if (missing.kind === "member") {
      const renamed = await this.successor(entry.path, entry.name, base, by);
      const after = renamed === undefined ? undefined : await this.place(this.input.merged, entry.path, renamed.line);
      const became = renamed === undefined ? "removed" : `renamed to \`${renamed.name}\``;
      return {
        rule: "removed-member",
        after,
        became,
        suggestion:
          renamed === undefined ? `Stop using \`${symbol}\`, or keep it.` : `Use \`${renamed.name}\` instead.`,
      };
    }
    if (entry !== mark || (await this.stillThere(entry))) {
      const target = (await this.find(this.input.merged, mark.path, mark.name)) ?? undefined;
      const after = target === undefined ? undefined : await this.place(this.input.merged, mark.path, target.line);
      return {
        rule: "made-private",
        after,
        became: `no longer exports from ${entry.path}`,
        suggestion: `Import \`${symbol}\` from where it is defined, or export it again.`,
      };
    }
    const renamed = await this.successor(entry.path, entry.name, base, by);
    if (renamed !== undefined) {
      const after = await this.place(this.input.merged, entry.path, renamed.line);
      return {
        rule: "renamed",
        after,
        became: `renamed to \`${renamed.name}\``,
        suggestion: `Use \`${renamed.name}\` instead, or keep \`${symbol}\` as an alias.`,
      };
    }
    const moved = await this.elsewhere(entry.name, by);
    if (moved !== undefined) {
      const after = await this.place(this.input.merged, moved.path, moved.line);
      return {
        rule: "moved",
        after,
        became: `moved to ${moved.path}`,
        suggestion: `Import \`${symbol}\` from ${moved.path}, or re-export it from ${entry.path}.`,
      };
    }
    return {
      rule: "removed",
      after: undefined,
      became: "removed",
      suggestion: `Stop using \`${symbol}\`, or keep it.`,
    };
  }

  /** A key of a dictionary is gone, or stands under another name with the same value. */
  private async keyFate({ mark, name }: Extract<Missing, { kind: "key" }>, by: Side, symbol: string): Promise<Fate> {
    const was = entriesIn(await this.summaries.of(this.input.base, mark.path), mark.name)?.keys ?? {};
    const is = entriesIn(await this.summaries.of(this.input[by], mark.path), mark.name)?.keys ?? {};
    const print = own(was, name)?.[1];
    const [heir, ...others] = Object.entries(is).filter(([key, [, one]]) => !Object.hasOwn(was, key) && one === print);
    const isRenamed = heir !== undefined && others.length === 0;
    return {
      rule: "removed-member",
      after: isRenamed ? await this.place(this.input.merged, mark.path, heir[1][0]) : undefined,
      became: isRenamed ? `renamed to \`${heir[0]}\`` : "removed",
      suggestion: isRenamed ? `Use the key \`${heir[0]}\` instead.` : `Stop using \`${symbol}\`, or keep it.`,
    };
  }

  private async stillThere(entry: { readonly path: string; readonly name: string }): Promise<boolean> {
    return entry.name !== "" && (await this.find(this.input.merged, entry.path, entry.name)) !== undefined;
  }

  private async moduleFate(mark: Mark, by: Side, symbol: string): Promise<Fate> {
    if (this.input.merged.blobs.has(mark.path)) {
      // The importing file went elsewhere, and its relative import leads nowhere from there.
      const after = await this.place(this.input.merged, mark.path, 1);
      const became = `put out of reach of this import by moving files; it is ${mark.path}`;
      return { rule: "moved", after, became, suggestion: `Write the import so that it leads to ${mark.path} again.` };
    }
    const before = Object.keys((await this.summaries.of(this.input.base, mark.path))?.names ?? {});
    let best: { path: string; shared: number } | undefined;
    for (const [path, change] of this.changes[by]) {
      if (change !== "added" || !this.input.merged.blobs.has(path)) continue;
      const same = this.input[by].blobs.get(path) === this.input.base.blobs.get(mark.path);
      const names = (await this.summaries.of(this.input[by], path))?.names ?? {};
      const shared = same ? Number.POSITIVE_INFINITY : before.filter((name) => Object.hasOwn(names, name)).length;
      if (shared > (best?.shared ?? 0) && shared * 2 >= before.length) best = { path, shared };
    }
    if (best === undefined)
      return {
        rule: "removed",
        after: undefined,
        became: "removed",
        suggestion: `Stop importing \`${symbol}\`, or keep the module.`,
      };
    const after = await this.place(this.input.merged, best.path, 1);
    return {
      rule: "moved",
      after,
      became: `moved to ${best.path}`,
      suggestion: `Import it from ${best.path} instead.`,
    };
  }

  /** A definition of the same shape that is new beside the lost one. */
  private async successor(
    path: string,
    qualified: string,
    lost: PythonBinding | undefined,
    by: Side,
  ): Promise<{ name: string; line: number } | undefined> {
    if (lost === undefined) return undefined;
    const holder = qualified.includes(".") ? qualified.slice(0, qualified.lastIndexOf(".")) : "";
    const before = await this.namesIn(this.input.base, path, holder);
    const after = await this.namesIn(this.input[by], path, holder);
    if (before === undefined || after === undefined) return undefined;
    const fresh = Object.entries(after).flatMap(([name, list]) =>
      Object.hasOwn(before, name) || list[0]?.kind !== lost.kind ? [] : [{ name, binding: list[0] }],
    );
    const same = fresh.filter(
      ({ binding }) => lost.fingerprint !== undefined && binding.fingerprint === lost.fingerprint,
    );
    const alike = fresh.filter(
      ({ binding }) =>
        JSON.stringify(binding.parameters) === JSON.stringify(lost.parameters) && binding.isAsync === lost.isAsync,
    );
    const chosen = same.length === 1 ? same[0] : alike.length === 1 ? alike[0] : undefined;
    if (chosen === undefined) return undefined;
    const name = holder === "" ? chosen.name : `${holder}.${chosen.name}`;
    return { name, line: (await this.find(this.input.merged, path, name))?.line ?? chosen.binding.line };
  }

  private async elsewhere(name: string, by: Side): Promise<{ path: string; line: number } | undefined> {
    for (const [path, change] of this.changes[by]) {
      if (change === "deleted") continue;
      const now = own((await this.summaries.of(this.input[by], path))?.names, name)?.find(
        (binding) => binding.kind !== "import",
      );
      const before = own((await this.summaries.of(this.input.base, path))?.names, name);
      if (now !== undefined && before === undefined) return { path, line: now.line };
    }
    return undefined;
  }

  private async namesIn(view: TreeView, path: string, holder: string): Promise<PythonSummary["names"] | undefined> {
    const summary = await this.summaries.of(view, path);
    if (holder === "") return summary?.names;
    return bindingIn(summary, holder)?.members;
  }

  private async find(view: TreeView, path: string, qualified: string): Promise<PythonBinding | undefined> {
    return qualified === "" ? undefined : bindingIn(await this.summaries.of(view, path), qualified);
  }

  /** Returns the place where the definition was: in base, else (both sides made it) on the side that uses it. */
  private async before(
    side: Side,
    entry: { readonly path: string; readonly name: string; readonly line: number },
  ): Promise<Place> {
    const base = (await this.find(this.input.base, entry.path, entry.name)) ?? undefined;
    if (base !== undefined) return this.place(this.input.base, entry.path, base.line);
    const view = entry.name === "" && this.input.base.blobs.has(entry.path) ? this.input.base : this.input[side];
    return this.place(view, entry.path, entry.line);
  }

  async dangling(path: string, { name, line }: DanglingName): Promise<SemanticConflict> {
    const use = await this.place(this.input.merged, path, line);
    const [base = "", ours = "", theirs = ""] = await Promise.all(
      [this.input.base, this.input.ours, this.input.theirs].map((view) => this.text(view, path)),
    );
    // The side whose text still has the line is the one that uses the name.
    const user: Side = theirs.includes(use.text) && !ours.includes(use.text) ? "theirs" : "ours";
    const source = base.includes(name) ? base : user === "ours" ? ours : theirs;
    const at = bindingLine(source, name);
    return {
      language: "python",
      rule: "removed",
      symbol: name,
      definitionSide: user === "ours" ? "theirs" : "ours",
      definitionBefore: { path, line: at, text: source.split("\n")[at - 1] ?? "" },
      definitionAfter: undefined,
      use,
      message: `${path}:${line} uses \`${name}\`, which the other side removed or renamed in the same file.`,
      suggestion: `Use the new name at ${path}:${line}, or keep \`${name}\`.`,
    };
  }

  async duplicate(path: string, twice: DuplicateDefinition): Promise<SemanticConflict> {
    const merged = await this.place(this.input.merged, path, twice.mergedLine);
    return {
      language: "python",
      rule: "duplicate-definition",
      symbol: twice.name,
      definitionSide: "ours",
      definitionBefore: await this.place(this.input.ours, path, twice.lines.ours),
      definitionAfter: merged,
      use: await this.place(this.input.theirs, path, twice.lines.theirs),
      message: `Both sides added \`${twice.name}\` to ${path}; in the merge the later definition silently replaces the earlier.`,
      suggestion: "Give one of them another name, or keep a single definition.",
    };
  }

  private place(view: TreeView, path: string, line: number): Promise<Place> {
    return placeIn(this.input.read, view, { path, line });
  }

  private text(view: TreeView, path: string): Promise<string> {
    return textOf(this.input.read, view, path);
  }
}

const changedUses: Readonly<Record<"property" | "method" | "sync", Pick<Fate, "became" | "suggestion">>> = {
  property: { became: "made a property, and this calls it", suggestion: "Read it without the call." },
  method: { became: "made a method, and this does not call it", suggestion: "Call it." },
  sync: { became: "made synchronous, and this awaits it", suggestion: "Take the await away, or keep it asynchronous." },
};

/** `a.b.c` fails where `import a.b` fails already, in the same file: one fault. */
function toldByImport(suspect: Suspect, all: readonly Suspect[]): boolean {
  const { root, steps } = parseRef(suspect.use.ref);
  if (root.kind !== "name" || suspect.step === 0) return false;
  const names = steps.slice(0, suspect.step).map((step) => (step.kind === "attribute" ? step.name : ""));
  const dotted = [root.name, ...names].join(".");
  return all.some(({ missing, mergedPath, use }) => {
    if (missing.kind !== "module" || mergedPath !== suspect.mergedPath) return false;
    const imported = parseRef(use.ref).root;
    return imported.kind === "module" && imported.level === 0 && `${imported.module}.`.startsWith(`${dotted}.`);
  });
}

/** The first line that binds a name, by its text; else the first that mentions it. */
function bindingLine(source: string, name: string): number {
  const lines = source.split("\n");
  const word = name.replace(/[^\p{L}\p{N}_]/gu, "");
  const binds = new RegExp(`\\b${word}\\b\\s*(:[^=]*)?=[^=]|\\b(def|class|for|as|import)\\s+${word}\\b`, "u");
  const at = lines.findIndex((line) => binds.test(line));
  return (
    (at === -1
      ? Math.max(
          0,
          lines.findIndex((line) => line.includes(name)),
        )
      : at) + 1
  );
}
