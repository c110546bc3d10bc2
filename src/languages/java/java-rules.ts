// Java: a use is followed through types (java-types.ts) to members, by name, number of arguments and access. What a class inherits
// from outside the project is unknown, and so is everything that annotations may write (Lombok).

import type { SourceDeclaration, SourceSummary, SourceUse } from "../compiled/facts.ts";
import { type Given, givenAt, readGiven } from "../compiled/given.ts";
import { fitsJava, isSameJava, type JavaKind, lacks, readJavaType, tellJava, uncaught } from "./java-fits.ts";
import { asType, isInInterface, type JavaMark, markOf, membersNamed, typesOf } from "./java-marks.ts";
import { everyObjectHas, hierarchyOf, JavaObligations, mayComeFromOutside, superclassOf } from "./java-obligations.ts";
import { isFromOutside, type JavaType, JavaTypes, memberOf, qualifiedType } from "./java-types.ts";
import { type CompiledRules, type Mark, misfit, right, unknown, type Verdict, wrong } from "../compiled/rules.ts";
import { directoryOf, type SourceTree } from "../compiled/source-tree.ts";

export const javaRules: CompiledRules = {
  language: "java",
  reads: /\.java$/,
  separator: ".",
  owns: (path) => path.endsWith(".java") && !/(^|\/)(vendor|third_party|target|build)\//.test(path),
  follow: async (tree, path, use) => {
    const summary = await tree.summary(path);
    return summary === undefined ? unknown : await new JavaFollow(tree, path, summary).follow(use);
  },
  slot(path, summary, { kind, name, of, parameters, words }) {
    if (words.includes("component")) return undefined;
    if (kind === "type") return `${directoryOf(path)} ${summary.package} ${of} ${name}`;
    return `${path} ${of} ${kind} ${name} ${parameters ?? ""}`;
  },
  importsOnce: false,
  isTest: (path) => /(^|\/)src\/(test|[a-z]+Test)\//.test(path) && !path.endsWith("package-info.java"),
  isOffered: ({ access }) => access === "public",
};

class JavaFollow {
  private readonly tree: SourceTree;
  private readonly path: string;
  private readonly summary: SourceSummary;
  private readonly types: JavaTypes;

  constructor(tree: SourceTree, path: string, summary: SourceSummary) {
    this.tree = tree;
    this.path = path;
    this.summary = summary;
    this.types = new JavaTypes(tree, path, summary);
  }

  async follow(use: SourceUse): Promise<Verdict> {
    switch (use.kind) {
      case "import":
        return await this.imported(use);
      case "new": {
        const made = await this.made(use);
        return made.state === "right" ? made : ((await this.broughtIn(use)) ?? made);
      }
      case "implements":
        return await new JavaObligations(this.tree, this.types).implemented(use);
      case "match":
        return await this.matched(use);
      case "overrides":
        return await new JavaObligations(this.tree, this.types).overridden(use);
      case "fits":
        return await this.fits(use);
      default: {
        const found = await this.named(use);
        if (found.state !== "right") return (await this.broughtIn(use)) ?? found;
        return await this.answered(use, found.marks);
      }
    }
  }

  /** What is imported from outside of the project is not known, but that it is imported is. */
  private async broughtIn({ path: [name = ""] }: SourceUse): Promise<Verdict | undefined> {
    const one = this.summary.imports.find((each) => each.name === name && !each.words.includes("static"));
    if (one === undefined || !(await isFromOutside(this.tree, one.path))) return undefined;
    const declaration: SourceDeclaration = {
      kind: "type",
      name,
      line: one.line,
      of: "",
      module: "",
      access: "public",
      words: ["import"],
      shape: 0,
    };
    return right({ path: this.path, declaration });
  }

  /** A value of a written type, a lambda or a method reference, in a place that wants a type. */
  private async fits(use: SourceUse): Promise<Verdict> {
    const to = await readJavaType(this.tree, this.path, use.of, (use.expects ?? "").slice(1));
    const { kind, marks } = await this.given(use, givenAt(use, 0));
    const trail = [...marks, ...typesOf(kind), ...typesOf(to)];
    if (trail.length === 0) return unknown;
    const isNo = (await fitsJava(this.tree, kind, to)) === "no";
    return isNo
      ? wrong("requires", `${tellJava(kind)} is not ${tellJava(to)} any more`, typesOf(to)[0])
      : right(...trail);
  }

  /** What a field or method answers has to be what the place wants, and a field is given what it is of. */
  private async answered(use: SourceUse, marks: readonly Mark[]): Promise<Verdict> {
    const mark = marks.at(-1);
    const answers = mark?.declaration.answers;
    if (mark === undefined || answers === undefined) return right(...marks);
    const type = await readJavaType(this.tree, mark.path, mark.declaration.of, answers);
    const trail = [...typesOf(type), ...marks];
    const [given] = mark.declaration.kind === "field" && use.args === undefined ? (use.given ?? []) : [];
    if (given !== undefined) {
      const value = await this.given(use, readGiven(given));
      if ((await fitsJava(this.tree, value.kind, type)) === "no")
        return wrong("arity", `it is ${tellJava(type)} and is given ${tellJava(value.kind)}`, mark);
      trail.unshift(...value.marks);
    }
    if (use.expects === undefined) return right(...trail);
    if (use.expects === "~[]")
      return type.kind === "array" || type.kind === "unknown"
        ? right(...trail)
        : wrong("arity", `it is ${tellJava(type)} and an array is wanted here`, mark);
    const isCompared = use.expects.startsWith("~");
    const place: JavaKind = isCompared
      ? { kind: "literal", name: use.expects.slice(1) }
      : await readJavaType(this.tree, this.path, use.of, use.expects.slice(1));
    trail.unshift(...typesOf(place));
    const numeric: JavaKind = { kind: "primitive", name: "double" };
    const isNo = (await fitsJava(this.tree, type, isCompared ? numeric : place)) === "no";
    return isNo
      ? wrong("arity", `it is ${tellJava(type)} and ${isCompared ? "a number" : tellJava(place)} is wanted here`, mark)
      : right(...trail);
  }

  private async given(
    use: SourceUse,
    given: Given,
  ): Promise<{ readonly kind: JavaKind; readonly marks: readonly Mark[] }> {
    if (given.is === "unknown") return { kind: { kind: "unknown" }, marks: [] };
    if (given.is === "literal") return { kind: { kind: "literal", name: given.kind }, marks: [] };
    if (given.is === "type") return { kind: await readJavaType(this.tree, this.path, use.of, given.text), marks: [] };
    const { path, members } = given;
    const found = await this.named({ kind: "name", line: 0, scope: "", module: "", of: use.of, path, members });
    const mark = found.state === "right" ? found.marks.at(-1) : undefined;
    if (found.state !== "right" || mark === undefined) return { kind: { kind: "unknown" }, marks: [] };
    if (mark.declaration.kind === "type") {
      const type = path[0] === "this" ? asType(mark) : undefined;
      return { kind: type === undefined ? { kind: "unknown" } : { kind: "class", type }, marks: found.marks };
    }
    const { of, answers = "" } = mark.declaration;
    return { kind: await readJavaType(this.tree, mark.path, of, answers), marks: found.marks };
  }

  /** Those of several forms that may take what is given. */
  private async taking(candidates: readonly JavaMark[], use: SourceUse | undefined): Promise<Taking> {
    if (use?.given === undefined || use.args === undefined) return { fitting: candidates, types: [] };
    const fitting: JavaMark[] = [];
    const types: Mark[] = [];
    let against: string | undefined;
    for (const one of candidates) {
      const said = await this.misgiven(one, use, types);
      if (said === undefined) fitting.push(one);
      else against ??= said;
    }
    return { fitting, types, ...(against === undefined ? {} : { against }) };
  }

  /**
   * The form that takes just the types that are given is the one that is meant: no other that takes them can be nearer. Where none does, all
   * that may be meant. The first comes from the type itself, and those above it have the same parameters.
   */
  private async exactly(candidates: readonly JavaMark[], use: SourceUse): Promise<readonly JavaMark[]> {
    const given = await Promise.all((use.given ?? []).map(async (one) => (await this.given(use, readGiven(one))).kind));
    if (given.length !== use.args) return candidates;
    for (const one of candidates) {
      const { types = [], of } = one.declaration;
      if (types.length !== given.length || types.at(-1)?.startsWith("...") === true) continue;
      const wanted = await Promise.all(types.map((text) => readJavaType(this.tree, one.path, of, text)));
      if (wanted.every((type, at) => isSameJava(given[at] ?? { kind: "unknown" }, type))) return [one];
    }
    return candidates;
  }

  /** Says what is wrong with giving these arguments. Undefined when nothing is wrong for certain. */
  private async misgiven({ path, declaration }: Mark, use: SourceUse, types: Mark[]): Promise<string | undefined> {
    const wanted = declaration.types ?? [];
    for (const [at, one] of (use.given ?? []).entries()) {
      const text = wanted[Math.min(at, wanted.length - 1)] ?? "";
      if (one === "" || text === "") continue;
      const isOpen = text.startsWith("...");
      const to = await readJavaType(this.tree, path, declaration.of, isOpen ? text.slice(3) : text);
      const { kind, marks } = await this.given(use, readGiven(one));
      types.push(...marks, ...typesOf(kind), ...typesOf(to));
      // An open list takes an array in its place.
      const isArray = isOpen && (await fitsJava(this.tree, kind, { kind: "array", of: to })) !== "no";
      if (!isArray && (await fitsJava(this.tree, kind, to)) === "no")
        return `argument ${at + 1} is ${tellJava(kind)} and it takes ${tellJava(to)}`;
    }
    return undefined;
  }

  private async thrown(use: SourceUse | undefined, mark: JavaMark): Promise<Verdict | undefined> {
    if (use?.catches === undefined || use.args === undefined) return undefined;
    const name = await uncaught(this.tree, mark, use.catches);
    return name === undefined ? undefined : wrong("arity", `it throws ${name}, which is not caught here`, mark);
  }

  private async imported(use: SourceUse): Promise<Verdict> {
    if (use.scope !== "static") {
      const found = await qualifiedType(this.tree, use.path);
      if (found === "missing") return wrong("missing", "there is no such class");
      return found === "unknown" ? unknown : this.reachable([found], found);
    }
    const [holder, name = ""] = [use.path.slice(0, -1), use.path.at(-1)];
    const type = await qualifiedType(this.tree, holder);
    if (typeof type === "string") return type === "missing" ? wrong("missing", "there is no such class") : unknown;
    const { types, isSure } = await hierarchyOf(this.tree, type);
    const members = types.flatMap((one) => membersNamed(one, name));
    const [first] = members;
    if (first !== undefined) return right(type, first);
    return isSure ? wrong("member", `${type.qualified} has no ${name}`, type) : unknown;
  }

  private reachable(marks: readonly Mark[], type: JavaType): Verdict {
    const { access, of } = type.declaration;
    const isNear = type.summary.package === this.summary.package;
    // Within one outermost type private counts for nothing; a file has one, or they are near enough not to be told apart.
    if (access === "private" && type.path !== this.path) return wrong("private", "it is private now", type);
    if (access === "" && !isNear && !(of !== "" && isInInterface(type)))
      return wrong("private", "only its package may use it now", type);
    return right(...marks);
  }

  private async named(use: SourceUse): Promise<Verdict> {
    const isType = use.parts?.includes("type") === true;
    if (isType) {
      const found = await this.types.named(use.of, use.path);
      if (typeof found === "string") return found === "missing" ? wrong("missing", "there is no such type") : unknown;
      return this.reachable([found], found);
    }
    const steps = [...use.path.slice(1), ...use.members];
    const isCall = (at: number): SourceUse | undefined => (at === steps.length ? use : undefined);
    const [root = ""] = use.path;
    let at = 0;
    let now: Verdict;
    if (root === "this" || root === "super") {
      const own = this.types.own(use.of);
      const above = own === undefined || root === "this" ? own : await superclassOf(this.tree, own);
      if (above === undefined) return unknown;
      now = right(above);
    } else if (use.members.length > 0 && use.path.length === 1 && !root.endsWith("()")) {
      now = await this.typeOrField(use, root);
    } else
      now = root.endsWith("()")
        ? await this.bareMember(use, root, isCall(0))
        : await this.typeOrField(use, root, isCall(0));
    if (now.state !== "right" && use.path.length > 1 && /^\p{Ll}/u.test(root)) {
      const found = await this.longest(use.path);
      if (found === undefined) return now;
      [now, at] = [right(found.type), found.length - 1];
    }
    for (; at < steps.length; at += 1) {
      if (now.state !== "right") return now;
      now = await this.step(use, now.marks, steps[at] ?? "", isCall(at + 1), at >= use.path.length - 1);
    }
    return now;
  }

  /** `a.b.Type` written out, before a member. */
  private async longest(path: readonly string[]): Promise<{ type: JavaType; length: number } | undefined> {
    for (let length = path.length; length > 1; length -= 1) {
      if (path[length - 1]?.endsWith("()") === true) continue;
      const type = await qualifiedType(this.tree, path.slice(0, length));
      if (typeof type !== "string") return { type, length };
    }
    return undefined;
  }

  private async typeOrField(use: SourceUse, name: string, call?: SourceUse): Promise<Verdict> {
    // A variable's declared type comes here too; a field of the same name would be written in lower case.
    const field = await this.bareMember(use, name, call);
    if (field.state === "right") return field;
    const type = await this.types.named(use.of, [name]);
    if (typeof type !== "string") return this.reachable([type], type);
    if (field.state === "unknown" && /^\p{Ll}/u.test(name)) return unknown;
    return type === "missing" && field.state === "wrong"
      ? field
      : type === "missing" && /^\p{Lu}/u.test(name)
        ? wrong("missing", `there is no ${name}`)
        : unknown;
  }

  /** A method or field written without anything before it: of the types around it, or imported statically. */
  private async bareMember(use: SourceUse, name: string, call: SourceUse | undefined): Promise<Verdict> {
    let last: Verdict = wrong("missing", `there is no ${name}`);
    for (let at = use.of; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
      const type = this.types.own(at);
      if (type === undefined) return unknown;
      const found = await this.member(type, name, call);
      if (found.state === "right" || found.state === "unknown")
        return found.state === "right" ? right(type, ...found.marks) : unknown;
      if (found.why !== "member") return found;
      last = wrong("missing", found.detail);
    }
    const bare = name.endsWith("()") ? name.slice(0, -2) : name;
    for (const one of this.summary.imports) {
      if (!one.words.includes("static") || (one.name !== bare && one.name !== "*")) continue;
      const type = await qualifiedType(this.tree, one.name === "*" ? one.path : one.path.slice(0, -1));
      // A class that is gone is told at its import.
      if (typeof type === "string") return unknown;
      const found = await this.member(type, name, call);
      if (found.state === "right") return right(type, ...found.marks);
      if (found.state === "unknown" || found.why !== "member") return found;
      last = wrong("missing", found.detail);
    }
    return last;
  }

  private async step(
    use: SourceUse,
    marks: readonly Mark[],
    name: string,
    call: SourceUse | undefined,
    isValue: boolean,
  ): Promise<Verdict> {
    const mark = marks.at(-1);
    if (mark === undefined) return unknown;
    const { declaration } = mark;
    if (declaration.kind === "type") {
      const type = asType(mark);
      if (type === undefined) return unknown;
      const found = await this.member(type, name, call);
      if (found.state === "wrong" && found.why === "member" && !name.endsWith("()") && !isValue) {
        const inner = await new JavaTypes(this.tree, type.path, type.summary).named(type.qualified, [name]);
        if (typeof inner !== "string") return right(...marks, inner);
        if (inner === "unknown") return unknown;
      }
      if (found.state !== "right") return found;
      const [member] = found.marks;
      const isLoose =
        member !== undefined &&
        !isValue &&
        call?.args !== undefined &&
        marks.length === 1 &&
        !member.declaration.words.includes("static");
      // Outside of its own class, an instance method cannot be called by the type's name.
      if (isLoose && member.declaration.kind === "function" && use.path[0] !== "this" && use.path[0] !== "super")
        return use.of.split(".")[0] === type.qualified.split(".")[0]
          ? unknown
          : wrong("arity", "it is not static any more", member);
      return right(...marks, ...found.marks);
    }
    const type = await this.typeOf(mark);
    if (type === undefined) {
      const answer = await readJavaType(this.tree, mark.path, declaration.of, declaration.answers ?? "");
      return lacks(answer, name) ? wrong("member", `it is ${tellJava(answer)}, which has no ${name}`, mark) : unknown;
    }
    const found = await this.member(type, name, call);
    return found.state === "right" ? right(...marks, type, ...found.marks) : found;
  }

  private async typeOf({ path, declaration }: Mark): Promise<JavaType | undefined> {
    const summary = await this.tree.summary(path);
    if (summary === undefined || declaration.type === undefined) return undefined;
    const found = await new JavaTypes(this.tree, path, summary).named(declaration.of, declaration.type);
    return typeof found === "string" ? undefined : found;
  }

  /** Of a type and of all it is built on. Overloads that disagree about what they answer lead nowhere. */
  private async member(type: JavaType, name: string, call: SourceUse | undefined): Promise<Verdict> {
    const isMethod = name.endsWith("()");
    const bare = isMethod ? name.slice(0, -2) : name;
    const hierarchy = await hierarchyOf(this.tree, type);
    const isSure = hierarchy.isSure || !mayComeFromOutside(hierarchy, bare);
    const all = hierarchy.types.flatMap((one) =>
      membersNamed(one, bare).filter(
        ({ declaration }) => (declaration.kind === "function") === isMethod && declaration.kind !== "type",
      ),
    );
    if (isMethod && everyObjectHas(call?.args === undefined ? bare : `${bare}/${call.args}`)) return unknown;
    if (all.length === 0) {
      if (isMethod && (type.declaration.words.includes("enum") || type.declaration.words.includes("annotation")))
        return unknown;
      return isSure ? wrong("member", `${type.qualified} has no ${name}`, type) : unknown;
    }
    const fitting = isMethod
      ? all.filter(({ declaration }) => misfit(declaration.takes, call?.args) === undefined)
      : all.slice(0, 1);
    const [first] = fitting;
    if (first === undefined) {
      if (!isSure) return unknown;
      const against =
        all.length === 1
          ? misfit(all[0]?.declaration.takes, call?.args)
          : `no form of it takes ${call?.args} arguments`;
      return wrong("arity", against ?? "it takes other arguments", all[0]);
    }
    const reachable = fitting.filter((mark) => this.mayReach(mark));
    if (reachable[0] === undefined)
      return isSure || fitting.length === all.length
        ? wrong("private", `it is ${first.declaration.access || "for its package"} now`, first)
        : unknown;
    const {
      fitting: possible,
      types,
      against,
    } = isMethod ? await this.taking(reachable, call) : { fitting: reachable, types: [], against: undefined };
    const open = possible.length > 1 && call?.args !== undefined ? await this.exactly(possible, call) : possible;
    if (open[0] === undefined) return isSure && against !== undefined ? wrong("arity", against, reachable[0]) : unknown;
    const [only] = open;
    const thrown = open.length === 1 ? await this.thrown(call, only ?? reachable[0]) : undefined;
    if (thrown !== undefined) return thrown;
    const isOne = new Set(open.map(({ declaration }) => declaration.answers)).size === 1;
    if (isOne || call !== undefined)
      return right(...types, isOne ? open[0] : { ...open[0], declaration: withoutAnswer(open[0].declaration) });
    return unknown;
  }

  private mayReach({ path, declaration, package: home }: JavaMark): boolean {
    if (declaration.access === "private") return path === this.path;
    return declaration.access !== "" || home === this.summary.package;
  }

  private async made(use: SourceUse): Promise<Verdict> {
    const [first] = use.path;
    const own = first === "super" || first === "this" ? this.types.own(use.of) : undefined;
    let type: JavaType | undefined;
    if (own !== undefined) type = first === "this" ? own : await superclassOf(this.tree, own);
    else {
      const found = await this.types.named(use.of, use.path);
      // That it is gone is said of the name itself.
      type = typeof found === "string" ? undefined : found;
    }
    if (type === undefined || type.summary.doubtful === 1) return unknown;
    const { words } = type.declaration;
    const how = use.parts?.[0];
    if (words.includes("interface"))
      return how === undefined ? wrong("arity", "it is an interface now", type) : right(type);
    if (words.includes("abstract") && how === undefined) return wrong("arity", "it is abstract now", type);
    const constructors = type.summary.declarations.filter(
      (one) => one.kind === "constructor" && one.of === type.qualified,
    );
    const marks = constructors.map((declaration) => markOf(type, declaration));
    const fitting = marks.filter(({ declaration }) => misfit(declaration.takes, use.args) === undefined);
    if (marks.length === 0) {
      const against = misfit([0, 0], use.args);
      return against === undefined ? right(type) : wrong("arity", against, type);
    }
    if (fitting.length === 0) {
      const against =
        marks.length === 1
          ? misfit(marks[0]?.declaration.takes, use.args)
          : `no constructor takes ${use.args} arguments`;
      return wrong("arity", against ?? "it takes other arguments", marks[0]);
    }
    const isEnum = words.includes("enum");
    const reachable = fitting.filter((mark) => isEnum || this.mayReach(mark));
    if (reachable[0] === undefined) return wrong("private", "its constructor is out of reach now", fitting[0]);
    const { fitting: open, types, against } = await this.taking(reachable, use);
    if (open[0] === undefined) return against === undefined ? unknown : wrong("arity", against, reachable[0]);
    const thrown = open.length === 1 ? await this.thrown(use, open[0]) : undefined;
    return thrown ?? right(...types, type, open[0]);
  }

  /** The labels of a switch are constants of its enum; in a switch that answers something, all of them. */
  private async matched(use: SourceUse): Promise<Verdict> {
    const { parts = [], whole, ...value } = use;
    const found = await this.named({ ...value, kind: "name" });
    const mark = found.state === "right" ? found.marks.at(-1) : undefined;
    if (found.state !== "right" || mark === undefined) return unknown;
    const type = asType(mark) ?? (await this.typeOf(mark));
    if (type === undefined || !type.declaration.words.includes("enum")) return unknown;
    const constants = type.summary.declarations.filter((one) => one.words.includes("constant") && memberOf(type, one));
    const lost = parts.find((part) => !constants.some(({ name }) => name === part));
    if (lost !== undefined) return wrong("member", `${type.qualified} has no ${lost}`, type);
    const missing = whole === 1 ? constants.find(({ name }) => !parts.includes(name)) : undefined;
    if (missing !== undefined)
      return wrong("requires", `${type.qualified} has a constant ${missing.name}`, markOf(type, missing));
    const marked = constants.filter(({ name }) => parts.includes(name)).map((one) => markOf(type, one));
    return right(...found.marks, ...marked, type);
  }
}

interface Taking {
  readonly fitting: readonly JavaMark[];
  /** Types that the answer rests on. */
  readonly types: readonly Mark[];
  /** The objection to the first that does not fit. */
  readonly against?: string;
}

/** Forms that disagree about what they answer: which one is meant is not known. */
function withoutAnswer(declaration: SourceDeclaration): SourceDeclaration {
  const kept = Object.entries(declaration).filter(([key]) => key !== "answers" && key !== "type");
  return Object.fromEntries(kept) as unknown as SourceDeclaration;
}
