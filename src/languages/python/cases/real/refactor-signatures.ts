// Changes of how something is called, with its callers.

import type { LanguageServer, Span, TextEdit } from "./language-server.ts";
import {
  type Call,
  type Definition,
  edited,
  endsAt,
  insert,
  isAt,
  type Parameter,
  type Project,
  type Spot,
} from "./project.ts";
import type { Attempt, Chance } from "./attempt.ts";
import { apply, nameOf } from "./refactor-names.ts";

const extra = "constel_extra";

export function addParameter(fits: (one: Definition) => boolean): Attempt {
  return async (project, server, chance) => {
    const target = pickFunction(
      project,
      chance,
      (one) => fits(one) && !one.decorators.some((text) => /property|setter|overload|cached/.test(text)),
    );
    const at = target?.newParameter;
    if (target === undefined || at === undefined) return undefined;
    const uses = [...(await server.references(target))];
    const home = target.name === "__init__" ? classOf(project, target) : undefined;
    if (home !== undefined) uses.push(...(await server.references(home)));
    const calls = callsOf(project, target, uses, home);
    if (calls === undefined) return undefined;
    const edits: TextEdit[] = calls.map(({ path, call }) => ({ path, ...argument(project, path, call) }));
    edits.push({ path: target.path, ...insert(at, at.text.replace("NAME", extra)) });
    const files = apply(project, edits);
    return files && { what: `adds a required parameter to ${nameOf(target)}`, target, files, moved: new Map() };
  };
}

export const addField: Attempt = async (project, server, chance) => {
  const candidates = project.own.filter(
    ({ kind, decorators, fields }) =>
      kind === "class" && decorators.some((text) => /(^|\.)dataclass\b/.test(text)) && (fields?.length ?? 0) > 0,
  );
  if (candidates.length === 0) return undefined;
  const target = chance.pick(candidates);
  const first = project.files
    .get(target.path)
    ?.definitions.find(
      ({ kind, owner, name }) => kind === "constant" && owner === target.name && name === target.fields?.[0]?.name,
    );
  const calls = callsOf(project, target, await server.references(target), target);
  if (first === undefined || calls === undefined) return undefined;
  if (calls.some(({ call }) => call.places > 0)) return undefined;
  const edits: TextEdit[] = calls.map(({ path, call }) => ({ path, ...argument(project, path, call) }));
  const field = `${" ".repeat(first.indent)}${extra}: object\n`;
  edits.push({ path: target.path, ...insert({ line: first.start, column: 0 }, field) });
  const files = apply(project, edits);
  return files && { what: `adds a required field to ${nameOf(target)}`, target, files, moved: new Map() };
};

export const removeParameter: Attempt = async (project, server, chance) => {
  const target = pickFunction(project, chance, ({ parameters, bodyLine, decorators }) => {
    const optional = (parameters ?? []).filter(
      ({ kind, default: given }) => (kind === "place" || kind === "keyword") && given !== null,
    );
    return optional.length > 0 && bodyLine !== null && decorators.every((text) => text.endsWith("method"));
  });
  const parameters = target?.parameters ?? [];
  if (target === undefined) return undefined;
  const parameter = chance.pick(
    parameters.filter(({ kind, default: given }) => (kind === "place" || kind === "keyword") && given !== null),
  );
  const at = parameters.indexOf(parameter);
  const before = parameters[at - 1];
  const file = project.files.get(target.path);
  if (before === undefined || file === undefined || (parameter.kind === "keyword" && before.kind !== "keyword"))
    return undefined;
  const home = target.name === "__init__" ? classOf(project, target) : undefined;
  const uses = [...(await server.references(target)), ...(home === undefined ? [] : await server.references(home))];
  const calls = callsOf(project, target, uses, home);
  const bound = target.owner === null || target.decorators.some((text) => text === "staticmethod") ? 0 : 1;
  const given = ({ call }: { call: Call }): boolean =>
    call.starred || call.keywords.includes(parameter.name) || call.places > at - bound;
  if (calls === undefined || calls.some(given)) return undefined;
  const edits = [
    { ...before.end, endLine: parameter.end.line, endColumn: parameter.end.column, text: "" },
    insert(
      { line: target.bodyLine ?? 0, column: 0 },
      `${" ".repeat(target.indent + 4)}${parameter.name} = ${parameter.default}\n`,
    ),
  ];
  const files = new Map([[target.path, edited(file.text, edits)]]);
  return {
    what: `removes parameter ${parameter.name} of ${nameOf(target)}`,
    target,
    parameter: parameter.name,
    files,
    moved: new Map(),
  };
};

/** A parameter that was given by place or by name may only be given by name. */
export const makeKeywordOnly: Attempt = async (project, server, chance) => {
  const target = pickFunction(project, chance, ({ parameters = [], owner, decorators }) => {
    const isLast = parameters.at(-1)?.kind === "place" && !parameters.some(({ kind }) => kind === "star");
    return (
      isLast && parameters.length > (owner === null ? 0 : 1) && decorators.every((text) => text.endsWith("method"))
    );
  });
  const parameter = target?.parameters?.at(-1);
  if (target === undefined || parameter === undefined) return undefined;
  const home = target.name === "__init__" ? classOf(project, target) : undefined;
  const uses = [...(await server.references(target)), ...(home === undefined ? [] : await server.references(home))];
  const calls = callsOf(project, target, uses, home);
  const place = (target.parameters?.length ?? 0) - 1 - boundOf(target);
  if (calls === undefined || calls.some(({ call }) => call.starred)) return undefined;
  const edits: TextEdit[] = calls.flatMap(({ path, call: { given } }) => {
    const it = given[place];
    return it === undefined ? [] : [{ path, ...insert(it.begin, `${parameter.name}=`) }];
  });
  const files = apply(project, [...edits, { path: target.path, ...insert(parameter, "*, ") }]);
  const what = `makes parameter ${parameter.name} of ${nameOf(target)} keyword-only`;
  return files && { what, target, parameter: parameter.name, files, moved: new Map() };
};

/** The first two required parameters change their places. */
export const swapParameters: Attempt = async (project, server, chance) => {
  const firstTwo = (one: Definition): Parameter[] => {
    const places = (one.parameters ?? []).slice(boundOf(one));
    return places.slice(0, 2).filter(({ kind, default: value }) => kind === "place" && value === null);
  };
  const target = pickFunction(
    project,
    chance,
    (one) =>
      firstTwo(one).length === 2 &&
      !one.name.startsWith("__") &&
      one.decorators.every((text) => text.endsWith("method")),
  );
  const [first, second] = target === undefined ? [] : firstTwo(target);
  if (target === undefined || first === undefined || second === undefined) return undefined;
  const calls = callsOf(project, target, await server.references(target), undefined);
  if (calls === undefined || calls.some(({ call }) => call.starred || call.places === 1)) return undefined;
  const changed = (path: string, a: Stretch, b: Stretch): TextEdit[] => {
    const text = project.files.get(path)?.text ?? "";
    return [
      { path, ...over(a), text: between(text, b) },
      { path, ...over(b), text: between(text, a) },
    ];
  };
  const edits = calls.flatMap(({ path, call: { given } }) => {
    const [a, b] = given;
    return a === undefined || b === undefined ? [] : changed(path, a, b);
  });
  edits.push(...changed(target.path, { begin: first, end: first.end }, { begin: second, end: second.end }));
  const files = apply(project, edits);
  const what = `swaps parameters ${first.name} and ${second.name} of ${nameOf(target)}`;
  return files && { what, target, swapped: [first.name, second.name], files, moved: new Map() };
};

interface Stretch {
  readonly begin: Spot;
  readonly end: Spot;
}

const over = ({ begin, end }: Stretch): Omit<TextEdit, "path" | "text"> => ({
  line: begin.line,
  column: begin.column,
  endLine: end.line,
  endColumn: end.column,
});

function between(text: string, { begin, end }: Stretch): string {
  const lines = text.split("\n").slice(begin.line, end.line + 1);
  lines[lines.length - 1] = (lines.at(-1) ?? "").slice(0, end.column);
  lines[0] = (lines[0] ?? "").slice(begin.column);
  return lines.join("\n");
}

const boundOf = ({ owner, decorators }: Definition): number =>
  owner === null || decorators.includes("staticmethod") ? 0 : 1;

/** A plain function that awaits nothing, and all its calls. */
async function functionWithCalls(
  project: Project,
  server: LanguageServer,
  chance: Chance,
  { isAsync }: { isAsync: boolean },
) {
  const target = pickFunction(
    project,
    chance,
    (one) =>
      one.isAsync === isAsync && one.awaits === false && one.decorators.length === 0 && !one.name.startsWith("__"),
  );
  if (target?.keyword === undefined) return undefined;
  const calls = callsOf(project, target, await server.references(target), undefined);
  return calls === undefined ? undefined : { target, keyword: target.keyword, calls };
}

export const makeAsync: Attempt = async (project, server, chance) => {
  const found = await functionWithCalls(project, server, chance, { isAsync: false });
  if (found === undefined) return undefined;
  const { target, keyword, calls } = found;
  if (!calls.every(({ path, call }) => inAsync(project, path, call.begin))) return undefined;
  const edits: TextEdit[] = calls.flatMap(({ path, call }) => [
    { path, ...insert(call.begin, "(await ") },
    { path, ...insert(call.end, ")") },
  ]);
  const files = apply(project, [...edits, { path: target.path, ...insert(keyword, "async ") }]);
  return files && { what: `makes ${nameOf(target)} async`, target, isNowAsync: true, files, moved: new Map() };
};

export const makeSync: Attempt = async (project, server, chance) => {
  const found = await functionWithCalls(project, server, chance, { isAsync: true });
  if (found === undefined) return undefined;
  const { target, keyword, calls } = found;
  if (calls.some(({ call }) => !call.awaited)) return undefined;
  const without = ({ line, column }: Spot, length: number, back: boolean): Omit<TextEdit, "path"> =>
    back
      ? { line, column: column - length, endLine: line, endColumn: column, text: "" }
      : { line, column, endLine: line, endColumn: column + length, text: "" };
  const edits: TextEdit[] = calls.map(({ path, call }) => ({ path, ...without(call.begin, "await ".length, true) }));
  const files = apply(project, [...edits, { path: target.path, ...without(keyword, "async ".length, false) }]);
  return files && { what: `makes ${nameOf(target)} sync`, target, files, moved: new Map() };
};

export const makeProperty: Attempt = async (project, server, chance) => {
  const target = pickFunction(
    project,
    chance,
    (one) =>
      one.owner !== null &&
      one.decorators.length === 0 &&
      one.parameters?.length === 1 &&
      one.isAsync === false &&
      !one.name.startsWith("__"),
  );
  if (target?.keyword === undefined) return undefined;
  const calls = callsOf(project, target, await server.references(target), undefined);
  if (calls === undefined) return undefined;
  const edits: TextEdit[] = calls.map(({ path, call }) => ({
    path,
    ...call.name,
    endLine: call.end.line,
    endColumn: call.end.column,
    text: "",
  }));
  const files = apply(project, [
    ...edits,
    { path: target.path, ...insert(target.keyword, `@property\n${" ".repeat(target.indent)}`) },
  ]);
  return files && { what: `makes ${nameOf(target)} a property`, target, files, moved: new Map() };
};

export const makeStatic: Attempt = async (project, _server, chance) => {
  const target = pickFunction(
    project,
    chance,
    (one) =>
      one.owner !== null &&
      one.decorators.length === 0 &&
      one.usesFirst === false &&
      one.usesSuper === false &&
      !one.name.startsWith("__") &&
      (one.parameters?.length ?? 0) > 0,
  );
  const [first, second] = target?.parameters ?? [];
  const file = project.files.get(target?.path ?? "");
  if (target?.keyword === undefined || first === undefined || file === undefined || !/^(first|place)$/.test(first.kind))
    return undefined;
  if (second !== undefined && !/^(first|place)$/.test(second.kind)) return undefined;
  const until = second ?? first.end;
  const edits = [
    insert(target.keyword, `@staticmethod\n${" ".repeat(target.indent)}`),
    { line: first.line, column: first.column, endLine: until.line, endColumn: until.column, text: "" },
  ];
  const files = new Map([[target.path, edited(file.text, edits)]]);
  return { what: `makes ${nameOf(target)} static`, target, files, moved: new Map() };
};

/** Every use as a call; undefined when it is also handed on, so that nobody can say how it is called. */
export function callsOf(
  project: Project,
  target: Definition,
  uses: readonly Span[],
  home: Definition | undefined,
): { path: string; call: Call }[] | undefined {
  const found: { path: string; call: Call }[] = [];
  const seen = new Set<string>();
  for (const use of uses) {
    const key = `${use.path}:${use.line}:${use.column}`;
    const itself = [target, home].some((one) => one !== undefined && use.path === one.path && isAt(use, one));
    if (seen.has(key) || itself) continue;
    seen.add(key);
    const file = project.files.get(use.path);
    if (file === undefined) return undefined;
    const call = file.calls.find(({ name }) => endsAt(use, name));
    if (call !== undefined) found.push({ path: use.path, call });
    else if (home === undefined && !imported(file.imports, use) && !quoted(file.text, use)) return undefined;
  }
  return found;
}

const imported = (imports: readonly { line: number; end: Spot }[], use: Span): boolean =>
  imports.some(({ line, end }) => line <= use.line && use.endLine <= end.line);

const quoted = (text: string, use: Span): boolean => /["']/.test(text.split("\n")[use.line]?.[use.column - 1] ?? "");

/** The new argument, before the call's closing bracket. */
function argument(project: Project, path: string, call: Call): Omit<TextEdit, "path"> {
  const lines = project.files.get(path)?.text.split("\n") ?? [];
  const spot = { line: call.end.line, column: call.end.column - 1 };
  let row = spot.line;
  let before = (lines[row] ?? "").slice(0, spot.column).trimEnd();
  while (before === "" && row > 0) before = (lines[--row] ?? "").trimEnd();
  const comma = before.endsWith("(") ? "" : before.endsWith(",") ? " " : ", ";
  return insert(spot, `${comma}${extra}=None`);
}

export function pickFunction(
  project: Project,
  chance: { pick<T>(items: readonly T[]): T },
  fits: (one: Definition) => boolean,
): Definition | undefined {
  const candidates = project.own.filter((one) => one.kind === "function" && fits(one));
  return candidates.length === 0 ? undefined : chance.pick(candidates);
}

function classOf(project: Project, { path, owner }: Definition): Definition | undefined {
  return project.own.find((one) => one.kind === "class" && one.path === path && one.name === owner);
}

function inAsync(project: Project, path: string, { line }: Spot): boolean {
  const around = (project.files.get(path)?.definitions ?? []).filter(
    ({ kind, start, end }) => kind === "function" && start <= line && line <= end,
  );
  return around.toSorted((a, b) => b.start - a.start)[0]?.isAsync === true;
}
