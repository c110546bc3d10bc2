// One side's work: a refactoring of real code with every use of it, as far as pyright knows of them. Whether it is sound is
// for the judge to say; an attempt that cannot be carried out is undefined.

import type { Attempt } from "./attempt.ts";
import type { Definition } from "./project.ts";
import { dropExport, moveFunction, renameModule, renamePackage } from "./refactor-modules.ts";
import { wrapResult } from "./refactor-results.ts";
import { dropBase, wrapValue } from "./refactor-values.ts";
import { deleteUnused, renameSymbol, renameParameter } from "./refactor-names.ts";
import {
  addField,
  addParameter,
  makeAsync,
  makeKeywordOnly,
  makeProperty,
  makeStatic,
  makeSync,
  removeParameter,
  swapParameters,
} from "./refactor-signatures.ts";

const plain = ({ name }: Definition): boolean => !name.startsWith("__") && name !== "_";
const top =
  (kind: Definition["kind"]) =>
  (one: Definition): boolean =>
    one.kind === kind && one.owner === null && plain(one);
const member =
  (kind: Definition["kind"]) =>
  (one: Definition): boolean =>
    one.kind === kind &&
    one.owner !== null &&
    plain(one) &&
    !one.decorators.some((text) => /setter|overload/.test(text));

export const refactorings: Readonly<Record<string, Attempt>> = {
  "rename function": renameSymbol(top("function")),
  "rename class": renameSymbol(top("class")),
  "rename method": renameSymbol(member("function")),
  "rename attribute": renameSymbol(member("attribute")),
  "rename constant": renameSymbol(top("constant")),
  "rename class constant": renameSymbol(member("constant")),
  "rename parameter": renameParameter,
  "delete unused function": deleteUnused(top("function")),
  "delete unused method": deleteUnused(member("function")),
  "delete unused class": deleteUnused(top("class")),
  "add parameter to function": addParameter(top("function")),
  "add parameter to method": addParameter(member("function")),
  "add parameter to __init__": addParameter(
    (one) => one.kind === "function" && one.name === "__init__" && one.owner !== null,
  ),
  "add field": addField,
  "remove parameter": removeParameter,
  "make keyword-only": makeKeywordOnly,
  "swap parameters": swapParameters,
  "make async": makeAsync,
  "make sync": makeSync,
  "make property": makeProperty,
  "result in a tuple": wrapResult("tuple"),
  "result in a mapping": wrapResult("dict"),
  "constant of another type": wrapValue(top("constant")),
  "attribute of another type": wrapValue(member("attribute")),
  "drop base": dropBase,
  "make static": makeStatic,
  "move function": moveFunction,
  "rename module": renameModule,
  "rename package": renamePackage,
  "drop export": dropExport,
};
