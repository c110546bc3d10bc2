// A parameter of a Python function. Files are kept with it as a short text, which only this file writes and reads.

export interface PythonParameter {
  readonly name: string;
  readonly kind: "plain" | "by place" | "by keyword" | "more arguments" | "more keywords";
  readonly hasDefault: boolean;
}

/** As it is kept: `name`, `name=` (has a default), `/name` (by place only), `&name` (by keyword only), `*args`, `**kwargs`. */
export type ParameterText = string;

const signs: Readonly<Record<PythonParameter["kind"], string>> = {
  plain: "",
  "by place": "/",
  "by keyword": "&",
  "more arguments": "*",
  "more keywords": "**",
};

export function printParameter({ name, kind, hasDefault }: PythonParameter): ParameterText {
  return `${signs[kind]}${name}${hasDefault ? "=" : ""}`;
}

export function readParameter(text: ParameterText): PythonParameter {
  const [, sign = "", name = "", end = ""] = /^(\*\*|[*/&]?)(.*?)(=?)$/.exec(text) ?? [];
  const kinds = Object.keys(signs) as PythonParameter["kind"][];
  return { name, kind: kinds.find((kind) => signs[kind] === sign) ?? "plain", hasDefault: end === "=" };
}
