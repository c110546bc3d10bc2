// Rust: a use is followed through modules (rust-modules.ts) to an item, and from there to variants, fields and what impls bring.
// Methods that a trait of the library may supply are never missing, and nothing behind an unknown derive or macro is.

import type { SourceDeclaration, SourceUse } from "../compiled/facts.ts";
import { type CompiledRules, type Mark, right, unknown, type Verdict, wrong } from "../compiled/rules.ts";
import { chosen, fit } from "./rust-calls.ts";
import { hiddenMacro } from "./hidden-macros.ts";
import { RustImpls } from "./rust-impls.ts";
import { derivedFunctions, derivedMethods, suppliedByTraits, takesOut } from "./rust-library.ts";
import { mayReach, type RustModule, RustModules, type RustThing } from "./rust-modules.ts";
import type { SourceTree } from "../compiled/source-tree.ts";
import { type Given, givenAt, readGiven } from "../compiled/given.ts";
import { fitsRust, hasMethod, neverEqual, readRustType, type RustType, tellRust, withoutPlaces } from "./rust-types.ts";

export const rustRules: CompiledRules = {
  language: "rust",
  reads: /\.rs$|(^|\/)Cargo\.toml$/,
  separator: "::",
  owns: (path) => path.endsWith(".rs") && !/(^|\/)(vendor|target|third_party)\//.test(path),
  follow: async (tree, path, use) => {
    const modules = new RustModules(tree);
    const file = await modules.of(path);
    const summary = await tree.summary(path);
    if (file === undefined || summary === undefined || summary.doubtful === 1 || use.kind === "unread") return unknown;
    if ((await hiddenMacro(tree, modules, file, use)) !== undefined) return unknown;
    const module = use.module === "" ? file : await modules.at(file.root, [...file.path, ...use.module.split("::")]);
    return module === undefined ? unknown : await new RustFollow(tree, modules, module).follow(use);
  },
  slot(path, _summary, { kind, name, of, module, words }) {
    if (name === "_" || name === "!" || words.some((word) => word === "conditional" || word === "of-trait"))
      return undefined;
    if (of.includes("::") && kind !== "field") return undefined;
    // Types and values have a namespace each.
    const space = kind === "type" || kind === "module" ? "type" : kind;
    return kind === "constructor" || kind === "macro" ? undefined : `${path} ${module} ${of} ${space} ${name}`;
  },
  importsOnce: true,
  isTest: (path, { declarations }) =>
    /(^|\/)tests\/.*\.rs$/.test(path) ||
    declarations.some(({ kind, name, words }) => kind === "module" && /^tests?$/.test(name) && words.includes("test")),
  isOffered: ({ access }) => access === "public",
  async unread(tree, path, use) {
    const modules = new RustModules(tree);
    const file = use.macros === undefined || use.kind === "unread" ? undefined : await modules.of(path);
    const hidden = file === undefined ? undefined : await hiddenMacro(tree, modules, file, use);
    const macro = use.kind === "unread" ? use.macros?.at(-1) : hidden;
    if (use.path[0]?.endsWith("!") === true) return `where the macro ${use.path[0]} comes from is not read`;
    return macro === undefined ? undefined : `what the macro ${macro}! is given is not read`;
  },
  /** The file that a `mod` names: who brings in a module wants what is in it. */
  async fileBehind(tree, { path, declaration }) {
    if (declaration.kind !== "module") return undefined;
    const modules = new RustModules(tree);
    const holder = await modules.of(path);
    if (holder === undefined) return undefined;
    const inline = declaration.module === "" ? [] : declaration.module.split("::");
    return (await modules.at(holder.root, [...holder.path, ...inline, declaration.name]))?.file;
  },
};

class RustFollow {
  private readonly tree: SourceTree;
  private readonly modules: RustModules;
  private readonly from: RustModule;
  private readonly impls: RustImpls;
  /** Answers that end at a member of a type of the library: what is known of the last definition says nothing of the value. */
  private readonly beyond = new WeakSet<Verdict>();

  constructor(tree: SourceTree, modules: RustModules, from: RustModule) {
    this.tree = tree;
    this.modules = modules;
    this.from = from;
    this.impls = new RustImpls(tree, modules);
  }

  async follow(use: SourceUse): Promise<Verdict> {
    if (use.kind === "fits") return await this.fits(use);
    const found = await this.found(use);
    const isAsked = use.given !== undefined || use.expects !== undefined;
    if (found.state !== "right" || !isAsked) return found;
    if (!this.beyond.has(found)) return await this.typed(use, found.marks);
    if (use.expects === undefined) return found;
    const { type, marks } = await this.valueOf(use.path, use.members);
    return await this.placed(type, use.expects, marks.at(-1), [...found.marks]);
  }

  /** A value in a place that wants a type, where the value has no name of its own outside. */
  private async fits(use: SourceUse): Promise<Verdict> {
    const { type, marks } = await this.given(givenAt(use, 0));
    const expects = use.expects ?? "";
    if (marks.length > 0) return await this.placed(type, expects, marks.at(-1), [...marks]);
    const to = await this.typeIn(this.from, expects.slice(1));
    const trail = [...marksOf(type), ...marksOf(to)];
    if (trail.length === 0 || !expects.startsWith("=")) return unknown;
    return fitsRust(type, to) === "no"
      ? wrong("requires", `${tellRust(type)} is not ${tellRust(to)} any more`, marksOf(to)[0])
      : right(...trail);
  }

  /** What is given has to be what is taken, and what is answered what the place wants. */
  private async typed(use: SourceUse, marks: readonly Mark[]): Promise<Verdict> {
    const mark = marks.at(-1);
    const home = mark === undefined ? undefined : homeIn(mark);
    if (mark === undefined || home === undefined) return right(...marks);
    const { kind, types = [], words, gives, of } = mark.declaration;
    if (isDoubtful(mark.declaration)) return right(...marks);
    const trail = [...marks];
    // By its path, a method is given itself first.
    const self = use.members.length === 0 && of !== "" && gives === 1 ? 1 : 0;
    const isTaking = kind === "function" || (use.args !== undefined && words.includes("tuple"));
    const given = use.kind === "name" && isTaking ? (use.given ?? []).slice(self) : [];
    for (const [at, one] of given.entries()) {
      const to = await this.typeIn(home, types[at] ?? "");
      const from = await this.given(readGiven(one));
      trail.unshift(...from.marks, ...marksOf(from.type), ...marksOf(to));
      if (fitsRust(from.type, to) === "no")
        return wrong("arity", `argument ${at + 1} is ${tellRust(from.type)} and it takes ${tellRust(to)}`, mark);
    }
    return await this.answered(use, mark, home, trail);
  }

  private async answered(use: SourceUse, mark: Mark, home: RustModule, trail: Mark[]): Promise<Verdict> {
    const { kind, answers } = mark.declaration;
    const isValue = kind === "field" || kind === "value" || (kind === "function" && use.args !== undefined);
    if (use.expects === undefined || answers === undefined || !isValue) return right(...trail);
    return await this.placed(await this.typeIn(home, answers), use.expects, mark, trail);
  }

  /** A value of a type, in a place that wants something: `mark` is where the type comes from. */
  private async placed(type: RustType, expects: string, mark: Mark | undefined, trail: Mark[]): Promise<Verdict> {
    const place = expects.slice(1);
    if (expects === "!") {
      const value = type.kind === "reference" ? type.of : type;
      const isNever =
        ["library", "string", "unit"].includes(value.kind) || (value.kind === "scalar" && value.name !== "bool");
      return isNever ? wrong("arity", `it is ${tellRust(type)} and bool is wanted here`, mark) : right(...trail);
    }
    if (expects.startsWith("?")) {
      const isPlain = ["scalar", "string", "named", "unit", "reference"].includes(type.kind);
      return isPlain ? wrong("arity", `it is ${tellRust(type)}, which cannot fail`, mark) : right(...trail);
    }
    if (expects.startsWith("^")) {
      const against = await this.given(readGiven(place));
      const isCertain = !against.marks.some((one) => isDoubtful(one.declaration));
      trail.unshift(...against.marks, ...marksOf(against.type));
      return isCertain && neverEqual(type, against.type)
        ? wrong("arity", `it is ${tellRust(type)} and is compared with ${tellRust(against.type)}`, mark)
        : right(...trail);
    }
    if (/^[(.]/.test(expects)) {
      const against = withoutPlaces(type, expects);
      return against === undefined ? right(...trail) : wrong("arity", `it is ${tellRust(type)}, ${against}`, mark);
    }
    const isCompared = expects.startsWith("~");
    const other: RustType = isCompared ? { kind: "literal", name: place } : await this.typeIn(this.from, place);
    trail.unshift(...marksOf(type), ...marksOf(other));
    // A number beside an operator may be of any type that has one of that kind.
    const isNumber = isCompared && type.kind !== "scalar" && type.kind !== "library" && type.kind !== "unit";
    const isNo = isCompared ? !isNumber && fitsRust(other, type) === "no" : fitsRust(type, other) === "no";
    return isNo
      ? wrong("arity", `it is ${tellRust(type)} and ${tellRust(other)} is wanted here`, mark)
      : right(...trail);
  }

  private async given(given: Given): Promise<{ readonly type: RustType; readonly marks: readonly Mark[] }> {
    if (given.is === "unknown") return { type: { kind: "unknown" }, marks: [] };
    if (given.is === "literal") return { type: { kind: "literal", name: given.kind }, marks: [] };
    if (given.is === "type") return { type: await this.typeIn(this.from, given.text), marks: [] };
    const [joined = ""] = given.path;
    const { type, marks } = await this.valueOf(joined.split("::"), given.members);
    // The outermost reference is written first.
    const references = given.references.match(/&(mut )?/g) ?? [];
    const wrapped = references.reduceRight<RustType>(
      (of, one) => ({ kind: "reference", isMutable: one !== "&", of }),
      type,
    );
    return { type: wrapped, marks };
  }

  /** The type of what a name and members reached from there lead to. */
  private async valueOf(
    path: readonly string[],
    members: readonly string[],
  ): Promise<{ readonly type: RustType; readonly marks: readonly Mark[] }> {
    const found = await this.found({ kind: "name", line: 0, scope: "", module: "", of: "", path, members });
    if (found.state === "right" && this.beyond.has(found) && takesOut.has(members.at(-1) ?? "")) {
      const { type, marks } = await this.valueOf(path, members.slice(0, -1));
      const isOpen = type.kind === "library" && (type.name === "Option" || type.name === "Result");
      return { type: isOpen ? type.of : { kind: "unknown" }, marks };
    }
    const mark = found.state === "right" && !this.beyond.has(found) ? found.marks.at(-1) : undefined;
    const home = mark === undefined ? undefined : homeIn(mark);
    const { kind, answers, of = "" } = mark?.declaration ?? {};
    const isKnown = kind === "function" || kind === "field" || kind === "value";
    if (found.state === "right" && home !== undefined && kind === "variant")
      return { type: await this.typeIn(home, of), marks: found.marks };
    if (found.state !== "right" || home === undefined || !isKnown) return { type: { kind: "unknown" }, marks: [] };
    return { type: await this.typeIn(home, answers ?? ""), marks: found.marks };
  }

  private async typeIn(home: RustModule, text: string): Promise<RustType> {
    return await readRustType(text, async (path) => {
      const answer = await this.modules.path(home, path);
      return typeof answer === "string" ? undefined : answer.things.find((one) => one.declaration.kind === "type");
    });
  }

  private async found(use: SourceUse): Promise<Verdict> {
    const { answer, rest } = await this.modules.split(this.from, use.path);
    if (typeof answer === "string") {
      if (answer === "unknown") return unknown;
      return answer === "private"
        ? wrong("private", "it is private now")
        : wrong("missing", `there is no ${use.path.join("::")}`);
    }
    const trail = answer.trail;
    const things = answer.things.map((thing) => ({ ...thing }));
    if (use.kind === "import") return await this.imported(things, rest, trail);
    const last = rest.length === 0 && use.members.length === 0;
    const thing = chosen(
      things,
      rest.length > 0 || use.kind !== "name" || use.members.length > 0,
      last ? use.args : undefined,
    );
    if (thing === undefined) return unknown;
    // Another crate: what is in it cannot be read, but that it is there can.
    if (thing.declaration.words.includes("crate")) return right(...trail, thing);
    const isUnderCondition = thing.declaration.words.includes("conditional");
    if (isUnderCondition && last && use.kind === "name") return right(...trail, thing);
    if (isUnderCondition && (use.kind !== "name" || thing.declaration.kind !== "type")) return unknown;
    if (use.kind === "match") return rest.length > 0 ? unknown : await this.matched(use, thing, trail);
    if (use.kind === "implements") return rest.length > 0 ? unknown : await this.implemented(use, thing, trail);
    if (use.kind === "literal") return await this.literal(use, thing, rest, trail);
    if (last) return fit(use, thing, [...trail, thing], false);
    return await this.inside(use, thing, rest, trail);
  }

  private async imported(
    things: readonly RustThing[],
    rest: readonly string[],
    trail: readonly Mark[],
  ): Promise<Verdict> {
    const [thing] = things;
    if (thing === undefined) return unknown;
    const [name] = rest;
    if (name === undefined) return right(...trail, ...things);
    const type = await this.real(thing);
    if (type === undefined || !type.declaration.words.includes("enum")) return unknown;
    const variants = await this.variants(type);
    const found = variants?.find((one) => one.name === name);
    if (variants === undefined) return unknown;
    if (found === undefined) return wrong("member", `${type.declaration.name} has no ${name}`, type);
    return right(...trail, type, { path: type.path, declaration: found });
  }

  /** `Type::name`, and members of values of that type. */
  private async inside(
    use: SourceUse,
    thing: RustThing,
    rest: readonly string[],
    trail: readonly Mark[],
  ): Promise<Verdict> {
    const steps = [...rest, ...use.members];
    const marks: Mark[] = [...trail];
    let now: RustThing | undefined = thing;
    for (const [at, name] of steps.entries()) {
      const isPath = at < rest.length;
      const isLast = at === steps.length - 1;
      const from: RustThing | undefined = now;
      const type: RustThing | undefined =
        from === undefined ? undefined : isPath ? await this.real(from) : await this.typeOf(from);
      if (from !== undefined && type === undefined && !isPath) {
        const held: RustThing | undefined = isLast ? undefined : await this.unwrapped(from, name);
        if (held === undefined) return await this.onLibrary(from, name, [...marks, from]);
        marks.push(from);
        now = held;
        continue;
      }
      // What the operator can be used on is asked where it stands.
      if (from === undefined || type === undefined || name === "?") return unknown;
      marks.push(from, type);
      const derived = (isPath ? derivedFunctions : derivedMethods).get(name);
      if (!isLast && derived !== undefined && type.declaration.words.includes(derived)) {
        now = type;
        continue;
      }
      const found: RustThing | Verdict = await this.member(type, name, isPath, isLast && use.args !== undefined);
      if ("state" in found) return found;
      if (isLast) return fit(use, found, [...marks, found], isPath);
      now = found;
    }
    return unknown;
  }

  /** The type of what an Option or a Result holds, where the member takes it out. */
  private async unwrapped({ declaration, home }: RustThing, name: string): Promise<RustThing | undefined> {
    const { kind, answers } = declaration;
    if (kind === "type" || answers === undefined || isDoubtful(declaration) || !takesOut.has(name)) return undefined;
    const type = await this.typeIn(home, answers);
    if (type.kind !== "library" || (type.name !== "Option" && type.name !== "Result")) return undefined;
    const held = type.of.kind === "reference" ? type.of.of : type.of;
    const inside = held.kind === "named" ? homeIn(held.mark) : undefined;
    return held.kind === "named" && inside !== undefined ? { ...held.mark, home: inside } : undefined;
  }

  /** A member of an Option, a Result or a number: that such a type is there is all that counts. */
  private async onLibrary(from: RustThing, name: string, marks: readonly Mark[]): Promise<Verdict> {
    const { kind, answers, words } = from.declaration;
    if (kind === "type" || answers === undefined || words.includes("conditional")) return unknown;
    const type = await this.typeIn(from.home, answers);
    const isOpen = type.kind === "library" && (type.name === "Option" || type.name === "Result");
    const there = right(...marks);
    this.beyond.add(there);
    if (name === "?") return isOpen ? there : unknown;
    if (isOpen)
      return hasMethod(type, name) ? there : wrong("member", `it is ${tellRust(type)}, which has no ${name}`, from);
    if (type.kind === "unit") return wrong("member", `it answers nothing, which has no ${name}`, from);
    const inner = type.kind === "reference" ? type.of : type;
    return ["scalar", "string", "str", "library"].includes(inner.kind) ? there : unknown;
  }

  private async member(type: RustThing, name: string, isPath: boolean, isCall: boolean): Promise<RustThing | Verdict> {
    const { declaration } = type;
    if (isPath && declaration.words.includes("enum")) {
      const [variant] = (await this.all(type, "variant", declaration.name)).filter((one) => one.name === name);
      if (variant !== undefined) return { path: type.path, declaration: variant, home: type.home };
    }
    if (!isPath && !isCall) {
      // One that depends on a condition concerns nobody but itself.
      const [field, second] = (await this.all(type, "field", declaration.name)).filter((one) => one.name === name);
      if (second !== undefined) return unknown;
      if (field !== undefined) {
        if (!mayReach(field.access, type.home, this.from))
          return wrong("private", "it is private now", { path: type.path, declaration: field });
        return { path: type.path, declaration: field, home: type.home };
      }
    }
    const found = await this.impls.named(type, name);
    if (found === undefined) return unknown;
    const [first] = found.things;
    if (first === undefined) {
      if (suppliedByTraits.has(name) || declaration.words.includes("shaped") || declaration.words.includes("trait"))
        return unknown;
      const lost = { state: "wrong", why: "member", detail: `${declaration.name} has no ${name}`, mark: type } as const;
      return found.doubts.length === 0 ? lost : { state: "unknown", likely: { verdict: lost, restsOn: found.doubts } };
    }
    if (first.declaration.words.includes("conditional")) return found.things.length === 1 ? first : unknown;
    if (!mayReach(first.declaration.access, first.home, this.from)) return wrong("private", "it is private now", first);
    return first;
  }

  private async literal(
    use: SourceUse,
    thing: RustThing,
    rest: readonly string[],
    trail: readonly Mark[],
  ): Promise<Verdict> {
    const type = await this.real(thing);
    const [variantName] = rest;
    if (type === undefined || rest.length > 1) return unknown;
    let holder: RustThing = type;
    if (variantName !== undefined) {
      const variant = (await this.variants(type))?.find((one) => one.name === variantName);
      // That the variant is gone: a path of its own would say so, a literal has to say it here.
      if (variant === undefined)
        return type.declaration.words.includes("enum")
          ? wrong("member", `${type.declaration.name} has no ${variantName}`, type)
          : unknown;
      holder = { path: type.path, declaration: variant, home: type.home };
    } else if (type.declaration.kind === "variant") holder = type;
    const { declaration } = holder;
    if (!declaration.words.includes("struct")) return unknown;
    const of = declaration.kind === "variant" ? `${declaration.of}::${declaration.name}` : declaration.name;
    const fields = await this.fields(holder, of);
    if (fields === undefined) return unknown;
    const parts = use.parts ?? [];
    const lost = parts.find((part) => !fields.some(({ name }) => name === part));
    if (lost !== undefined) return wrong("member", `${of} has no field ${lost}`, holder);
    const hidden = fields.find((one) => parts.includes(one.name) && !mayReach(one.access, holder.home, this.from));
    if (hidden !== undefined)
      return wrong("private", `its field ${hidden.name} is private now`, { path: holder.path, declaration: hidden });
    const missing = use.whole === 1 ? fields.find(({ name }) => !parts.includes(name)) : undefined;
    if (missing !== undefined) return wrong("requires", `${of} has a field ${missing.name}`, holder);
    const used = fields
      .filter(({ name }) => parts.includes(name))
      .map((field) => ({ path: holder.path, declaration: field }));
    for (const [at, one] of (use.given ?? []).entries()) {
      const field = fields.find(({ name }) => name === parts[at]);
      const from = await this.given(readGiven(one));
      const to = await this.typeIn(holder.home, field?.answers ?? "");
      if (field !== undefined && fitsRust(from.type, to) === "no")
        return wrong("arity", `${field.name} is ${tellRust(to)} and is given ${tellRust(from.type)}`, {
          path: holder.path,
          declaration: field,
        });
    }
    return right(...trail, type, ...used, holder);
  }

  private async matched(use: SourceUse, thing: RustThing, trail: readonly Mark[]): Promise<Verdict> {
    const type = await this.real(thing);
    const variants = type === undefined ? undefined : await this.variants(type);
    if (type === undefined || variants === undefined || !type.declaration.words.includes("enum")) return unknown;
    const parts = use.parts ?? [];
    if (parts.some((part) => !variants.some(({ name }) => name === part))) return unknown;
    const missing = variants.find(({ name }) => !parts.includes(name));
    if (missing !== undefined)
      return wrong("requires", `${type.declaration.name} has a variant ${missing.name}`, {
        path: type.path,
        declaration: missing,
      });
    return right(...trail, type);
  }

  private async implemented(use: SourceUse, thing: RustThing, trail: readonly Mark[]): Promise<Verdict> {
    const trait = await this.real(thing);
    if (trait === undefined || !trait.declaration.words.includes("trait") || trait.declaration.words.includes("shaped"))
      return unknown;
    const { name } = trait.declaration;
    const summary = await this.tree.summary(trait.path);
    const members = (summary?.declarations ?? []).filter(
      (one) => one.of === name && one.module === trait.declaration.module,
    );
    if (members.some((one) => one.name === "!" || one.words.includes("conditional"))) return unknown;
    const given = new Map((use.parts ?? []).map((part) => [part.split("/")[0] ?? "", part.split("/")[1]]));
    for (const member of members) {
      const mark = { path: trait.path, declaration: member };
      const count = given.get(member.name);
      if (!given.has(member.name)) {
        if (member.words.includes("abstract")) return wrong("requires", `${name} asks for ${member.name}`, mark);
      } else if (count !== undefined && member.takes !== undefined && member.takes[0] !== Number(count))
        return wrong("arity", `${member.name} takes ${member.takes[0]} parameters in ${name} and ${count} here`, mark);
    }
    const extra = [...given.keys()].find((one) => !members.some((member) => member.name === one));
    if (extra !== undefined) return wrong("member", `${name} has no ${extra}`, trait);
    return right(...trail, trait);
  }

  private async variants(type: RustThing): Promise<SourceDeclaration[] | undefined> {
    return await this.held(type, "variant", type.declaration.name);
  }

  private async fields(type: RustThing, of: string): Promise<SourceDeclaration[] | undefined> {
    return await this.held(type, "field", of);
  }

  /** undefined when some of them depend on a condition. */
  private async held(type: RustThing, kind: "variant" | "field", of: string): Promise<SourceDeclaration[] | undefined> {
    const all = await this.all(type, kind, of);
    return all.some(({ words }) => words.includes("conditional")) ? undefined : all;
  }

  private async all(type: RustThing, kind: "variant" | "field", of: string): Promise<SourceDeclaration[]> {
    const summary = await this.tree.summary(type.path);
    return (summary?.declarations ?? []).filter(
      (one) => one.kind === kind && one.of === of && one.module === type.declaration.module,
    );
  }

  /** Behind aliases. */
  private async real(thing: RustThing, depth = 0): Promise<RustThing | undefined> {
    if (!thing.declaration.words.includes("alias"))
      return thing.declaration.kind === "type" || thing.declaration.kind === "variant" ? thing : undefined;
    return depth > 5 ? undefined : await this.named(thing, depth);
  }

  /** The type of a value, or of what a function answers. */
  private async typeOf(thing: RustThing): Promise<RustThing | undefined> {
    const { kind, words } = thing.declaration;
    if (kind === "type") return await this.real(thing);
    if (kind === "variant" || kind === "module" || words.includes("shaped")) return undefined;
    return await this.named(thing, 0);
  }

  private async named({ declaration, home }: RustThing, depth: number): Promise<RustThing | undefined> {
    if (declaration.type === undefined) return undefined;
    const answer = await this.modules.path(home, declaration.type);
    const type = typeof answer === "string" ? undefined : answer.things.find((one) => one.declaration.kind === "type");
    return type === undefined ? undefined : await this.real(type, depth + 1);
  }
}

/** Under a condition, or behind a macro that may rewrite it. */
const isDoubtful = ({ words }: SourceDeclaration): boolean => words.includes("conditional") || words.includes("shaped");

function homeIn(mark: Mark): RustModule | undefined {
  return "home" in mark ? (mark as RustThing).home : undefined;
}

function marksOf(type: RustType): Mark[] {
  return type.kind === "named" ? [type.mark] : "of" in type ? marksOf(type.of) : [];
}
