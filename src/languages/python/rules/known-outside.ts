// The few things outside a project whose effect on classes and functions is known. All else outside is unknown, and unknown
// keeps the checker silent.

import { stdlibBases } from "./stdlib-bases.ts";

const tuple = ["_asdict", "_replace", "_fields", "_make", "_field_defaults", "count", "index"];
/** Bases that are no classes one could ask, or bring nothing. */
const special: ReadonlyMap<string, readonly string[]> = new Map([
  ["builtins.object", []],
  ["typing.Generic", []],
  ["typing.Protocol", []],
  ["typing.NamedTuple", tuple],
  ["typing.TypedDict", []],
]);
/** The other names that `typing` has for things. */
const renamedByTyping: ReadonlyMap<string, string> = new Map([
  ["Dict", "builtins.dict"],
  ["List", "builtins.list"],
  ["Set", "builtins.set"],
  ["FrozenSet", "builtins.frozenset"],
  ["Tuple", "builtins.tuple"],
  ["AbstractSet", "collections.abc.Set"],
  ["DefaultDict", "collections.defaultdict"],
  ["OrderedDict", "collections.OrderedDict"],
  ["Counter", "collections.Counter"],
  ["Deque", "collections.deque"],
  ["ChainMap", "collections.ChainMap"],
  ["ContextManager", "contextlib.AbstractContextManager"],
  ["AsyncContextManager", "contextlib.AbstractAsyncContextManager"],
]);

/** The attributes that a base outside the project brings; undefined when that is not known. */
export function attributesOf(base: string): readonly string[] | undefined {
  const plain = base.replace(/^typing_extensions\./, "typing.");
  const known = special.get(plain) ?? stdlibBases.get(plain);
  if (known !== undefined || !plain.startsWith("typing.")) return known;
  const name = plain.slice("typing.".length);
  return stdlibBases.get(renamedByTyping.get(name) ?? `collections.abc.${name}`);
}

export function isEnum(base: string): boolean {
  return base.startsWith("enum.");
}

export function isNamedTuple(base: string): boolean {
  return base.endsWith(".NamedTuple");
}

export function isTypedDict(base: string): boolean {
  return base.endsWith(".TypedDict");
}

/** Whoever inherits from it alone is constructed without arguments. */
export function bringsNoConstructor(base: string): boolean {
  return base === "abc.ABC" || base === "builtins.object" || /^typing(_extensions)?\.(Generic|Protocol)$/.test(base);
}

export const dataclassDecorators: ReadonlySet<string> = new Set(["dataclasses.dataclass"]);

/** After which a class is what is written of it. */
export function isHarmlessOnClass(decorator: string): boolean {
  // `@MutableMapping.register` only says that instances are of that kind, and gives the class back.
  return harmlessClassDecorators.has(decorator) || /^(collections\.abc|numbers)\.\w+\.register$/.test(decorator);
}

const harmlessClassDecorators: ReadonlySet<string> = new Set([
  "functools.total_ordering",
  "typing.final",
  "typing_extensions.final",
  "typing.runtime_checkable",
  "typing_extensions.runtime_checkable",
  "enum.unique",
  "enum.verify",
  "warnings.deprecated",
  "typing_extensions.deprecated",
]);

/** Function decorators after which a call still takes what the function takes. */
export const harmlessDecorators: ReadonlySet<string> = new Set([
  "abc.abstractmethod",
  "builtins.staticmethod",
  "builtins.classmethod",
  "functools.lru_cache",
  "functools.cache",
  "typing.final",
  "typing_extensions.final",
  "typing.override",
  "typing_extensions.override",
  "typing.no_type_check",
]);

/** Function decorators that make something for `with` of a generator, and leave its parameters as they are. */
export const managerDecorators: ReadonlySet<string> = new Set([
  "contextlib.contextmanager",
  "contextlib.asynccontextmanager",
]);

/** Function decorators that turn a method into an attribute. */
export const propertyDecorators: ReadonlySet<string> = new Set([
  "builtins.property",
  "functools.cached_property",
  "abc.abstractproperty",
]);
