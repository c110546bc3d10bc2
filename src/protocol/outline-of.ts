// Makes the outline of an operation from its shapes. Only for what runs ahead of time: it loads zod.

import { z } from "zod";
import { fieldKinds } from "./fields.ts";
import type { Operation } from "./operation.ts";
import type { FieldKind, FieldOutline, OperationOutline } from "./outline.ts";

export function outlineOf({ summary, may, effect, needsDaemon, speaks, input }: Operation): OperationOutline {
  const shape = input instanceof z.ZodObject ? (input.shape as Readonly<Record<string, z.ZodType>>) : {};
  // A list's columns are chosen by whoever draws it.
  const named = Object.entries(shape).filter(([name]) => name !== "columns");
  const fields = Object.fromEntries(named.map(([name, field]) => [name, fieldOutline(field)]));
  return { summary, may, effect, needsDaemon, speaks: speaks !== undefined, fields };
}

function fieldOutline(field: z.ZodType): FieldOutline {
  const layers = layersOf(field);
  const inner = layers.at(-1) ?? field;
  const about = layers.map((layer) => layer.description).find((one) => one !== undefined);
  const filled = layers.find((layer) => layer instanceof z.ZodDefault);
  const isOptional = layers.some((layer) => layer instanceof z.ZodOptional || layer instanceof z.ZodDefault);
  const isList = inner instanceof z.ZodArray;
  const element = isList ? (layersOf(inner.element as z.ZodType).at(-1) ?? inner) : inner;
  return {
    kind: kindOf(layers, element),
    ...(about === undefined ? {} : { about }),
    ...(isOptional ? {} : { required: true }),
    ...(isList ? { many: true } : {}),
    ...(element instanceof z.ZodEnum ? { oneOf: element.options.map(String) } : {}),
    ...limitsOf(element),
    ...(filled === undefined ? {} : { usual: filled.def.defaultValue }),
  };
}

/** The field and what it wraps, the outermost first. */
function layersOf(field: z.ZodType): z.ZodType[] {
  const layers = [field];
  for (let at = field; at instanceof z.ZodOptional || at instanceof z.ZodDefault || at instanceof z.ZodNullable;) {
    at = at.unwrap() as z.ZodType;
    layers.push(at);
  }
  return layers;
}

function kindOf(layers: readonly z.ZodType[], element: z.ZodType): FieldKind {
  const declared = [...layers, element].map((layer) => fieldKinds.get(layer)?.kind).find((kind) => kind !== undefined);
  if (declared !== undefined) return declared;
  if (element instanceof z.ZodEnum) return "choice";
  if (element instanceof z.ZodBoolean) return "switch";
  if (element instanceof z.ZodNumber) return "whole";
  return element instanceof z.ZodString ? "text" : "other";
}

function limitsOf(element: z.ZodType): Pick<FieldOutline, "least" | "most"> {
  const [least, most] =
    element instanceof z.ZodNumber
      ? [element.minValue, element.maxValue]
      : element instanceof z.ZodString
        ? [element.minLength, element.maxLength]
        : [null, null];
  const isBound = (limit: number | null): limit is number => limit !== null && Number.isSafeInteger(limit);
  return {
    ...(isBound(least) && Math.abs(least) < Number.MAX_SAFE_INTEGER ? { least } : {}),
    ...(isBound(most) && Math.abs(most) < Number.MAX_SAFE_INTEGER ? { most } : {}),
  };
}
