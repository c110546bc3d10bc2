// The few things outside a project whose effect on classes and functions is known. All else outside is unknown, and unknown
// keeps the checker silent.

/** Bases that add only these attributes. */
export const knownBases: Readonly<Record<string, readonly string[]>> = (() => {
  const enumMembers = ["name", "value", "_name_", "_value_"];
  const errors = ["args", "with_traceback", "add_note"];
  const tuple = ["_asdict", "_replace", "_fields", "_make", "_field_defaults", "count", "index"];
  const table: Record<string, readonly string[]> = { "builtins.object": [], "abc.ABC": [] };
  for (const name of ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"]) table[`enum.${name}`] = enumMembers;
  for (const from of ["typing", "typing_extensions"]) {
    table[`${from}.Generic`] = [];
    table[`${from}.Protocol`] = [];
    table[`${from}.NamedTuple`] = tuple;
  }
  for (const name of `Exception BaseException ValueError TypeError RuntimeError KeyError LookupError IndexError
    NotImplementedError ArithmeticError AssertionError Warning UserWarning`.split(/\s+/)) {
    table[`builtins.${name}`] = errors;
  }
  return table;
})();

export function isEnum(base: string): boolean {
  return base.startsWith("enum.");
}

export function isNamedTuple(base: string): boolean {
  return base.endsWith(".NamedTuple");
}

/** Built-in exceptions take any positional arguments. */
export function isException(base: string): boolean {
  return base.startsWith("builtins.") && base !== "builtins.object";
}

export const dataclassDecorators: ReadonlySet<string> = new Set(["dataclasses.dataclass"]);

export const harmlessClassDecorators: ReadonlySet<string> = new Set([
  "functools.total_ordering",
  "typing.final",
  "typing_extensions.final",
  "typing.runtime_checkable",
  "typing_extensions.runtime_checkable",
  "enum.unique",
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

/** Function decorators that turn a method into an attribute. */
export const propertyDecorators: ReadonlySet<string> = new Set([
  "builtins.property",
  "functools.cached_property",
  "abc.abstractproperty",
]);
