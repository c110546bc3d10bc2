// Says what a change of a GraphQL schema does to those who use it, in a few words for the end of a sentence. GraphQL Inspector explains its
// grades too, at a length that no notice has room for.

import type { ContractVerdict } from "../format.ts";

const effects: readonly (readonly [RegExp, string])[] = [
  [/^FIELD_REMOVED$/, "operations that select it fail"],
  [/^FIELD_TYPE_CHANGED$/, "clients receive what they do not expect"],
  [/^FIELD_ARGUMENT_REMOVED$/, "operations that pass it fail"],
  [/^FIELD_ARGUMENT_TYPE_CHANGED$/, "operations that pass the old type fail"],
  [/^INPUT_FIELD_REMOVED$/, "operations that pass it fail"],
  [/^INPUT_FIELD_TYPE_CHANGED$/, "operations that pass the old type fail"],
  [/DEFAULT/, "operations that leave it out may get other results"],
  [/^ENUM_VALUE_REMOVED$/, "operations that use it fail, and clients no longer receive it"],
  [/^ENUM_VALUE_ADDED$/, "clients that handle each value may meet one they do not know"],
  [/^UNION_MEMBER_REMOVED$/, "operations with a fragment on it fail"],
  [/^UNION_MEMBER_ADDED$/, "clients may receive a type they do not know"],
  [/^OBJECT_TYPE_INTERFACE_REMOVED$/, "operations that reach it through the interface fail"],
  [/^OBJECT_TYPE_INTERFACE_ADDED$/, "clients may receive a type they do not know through the interface"],
  [/^TYPE_REMOVED$/, "operations that name it fail"],
  [/^TYPE_KIND_CHANGED$/, "operations that use it fail"],
  [/^SCHEMA_/, "operations of that kind fail"],
  [/^DIRECTIVE_LOCATION_REMOVED$/, "operations that use it there fail"],
  [/^DIRECTIVE_REPEATABLE_REMOVED$/, "operations that use it twice in one place fail"],
  [/^DIRECTIVE_REMOVED$/, "operations that use it fail"],
  [/^DIRECTIVE_ARGUMENT_REMOVED$/, "uses that pass it fail"],
  [/^DIRECTIVE_ARGUMENT_TYPE_CHANGED$/, "uses that pass the old type fail"],
  [/^DIRECTIVE_ARGUMENT_ADDED$/, "uses that do not pass it fail"],
  [/^DIRECTIVE_USAGE_INPUT_OBJECT_ADDED$/, "operations that set several fields may fail"],
  [/^DIRECTIVE_USAGE_/, "the server may treat it differently"],
];

export function effectOf(type: string, verdict: ContractVerdict): string {
  if (/^(?:FIELD_ARGUMENT|INPUT_FIELD)_ADDED$/.test(type)) {
    return verdict === "breaking"
      ? "operations that do not pass it fail"
      : "operations that leave it out may get other results";
  }
  return effects.find(([pattern]) => pattern.test(type))?.[1] ?? "clients that rely on the old form may fail";
}
