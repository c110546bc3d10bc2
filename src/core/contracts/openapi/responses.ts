// The responses of an operation. A status code is looked up as clients would: the code itself, its range (2XX), then `default`.

import { field, fieldsOf, isRecord, sameValue, textOf } from "../json-value.ts";
import { directionOf, type InOperation, type OpenApiComparing, report } from "./comparing.ts";
import { compareContent } from "./content.ts";
import { compareHeaders } from "./headers.ts";

type Responses = Readonly<Record<string, unknown>>;

export function compareResponses(
  comparing: OpenApiComparing,
  inside: InOperation,
  before: unknown,
  after: unknown,
): void {
  const [were, are] = [
    responsesOf(comparing.before.shapes.follow(before)),
    responsesOf(comparing.after.shapes.follow(after)),
  ];
  for (const code of Object.keys(were)) {
    const found = applying(code, are);
    if (found !== undefined) compareResponse(comparing, inside, code, field(were, code), field(are, found));
    // A range that has become single codes promises less, which those codes tell.
    else if (!Object.keys(are).some((one) => rangeOf(one) === code)) reportGone(comparing, inside, code, were);
  }
  for (const code of Object.keys(are)) {
    if (Object.hasOwn(were, code)) continue;
    const found = applying(code, were);
    // `default` describes errors, so a new success is new and not a change of it.
    const described = found !== undefined && !(found === "default" && isSuccess(code));
    if (described) compareResponse(comparing, inside, code, field(were, found), field(are, code));
    else if (!Object.keys(were).some((one) => rangeOf(one) === code)) {
      const told = {
        path: `${inside.label} response ${code}`,
        name: code,
        after: code,
        direction: directionOf("response", inside.turned),
      };
      report(comparing, isSuccess(code) ? "response-success-added" : "response-error-added", inside.turned, told);
    }
  }
}

function responsesOf(value: unknown): Responses {
  const found: Record<string, unknown> = {};
  for (const [code, response] of Object.entries(fieldsOf(value))) {
    if (!code.startsWith("x-")) found[code === "default" ? code : code.toUpperCase()] = response;
  }
  return found;
}

function rangeOf(code: string): string {
  return `${code.charAt(0)}XX`;
}

function applying(code: string, responses: Responses): string | undefined {
  return [code, rangeOf(code), "default"].find((key) => Object.hasOwn(responses, key));
}

function isSuccess(code: string): boolean {
  return code.startsWith("2");
}

function reportGone(comparing: OpenApiComparing, inside: InOperation, code: string, were: Responses): void {
  // Where only `default` is described, it describes success.
  const success = isSuccess(code) || (code === "default" && !Object.keys(were).some(isSuccess));
  report(comparing, success ? "response-success-removed" : "response-error-removed", inside.turned, {
    path: `${inside.label} response ${code}`,
    name: code,
    before: code,
    names: inside.names,
    direction: directionOf("response", inside.turned),
  });
}

function compareResponse(
  comparing: OpenApiComparing,
  inside: InOperation,
  code: string,
  before: unknown,
  after: unknown,
): void {
  const was = comparing.before.shapes.follow(before);
  const is = comparing.after.shapes.follow(after);
  const path = `${inside.label} response ${code}`;
  const direction = directionOf("response", inside.turned);
  const place = { part: "response" as const, path, direction };
  compareHeaders(
    comparing,
    inside,
    place,
    comparing.before.shapes.fields(was, "headers"),
    comparing.after.shapes.fields(is, "headers"),
  );
  compareLinks(
    comparing,
    inside,
    path,
    comparing.before.shapes.fields(was, "links"),
    comparing.after.shapes.fields(is, "links"),
  );
  const wasContent = comparing.before.shapes.fields(was, "content");
  const isContent = comparing.after.shapes.fields(is, "content");
  const [wasEmpty, isEmpty] = [Object.keys(wasContent).length === 0, Object.keys(isContent).length === 0];
  if (wasEmpty && isEmpty) return;
  const told = { path, name: code, direction, names: inside.names };
  if (isEmpty)
    return report(comparing, "response-body-removed", inside.turned, {
      ...told,
      before: Object.keys(wasContent).join(", "),
    });
  if (wasEmpty)
    return report(comparing, "response-body-added", inside.turned, {
      ...told,
      after: Object.keys(isContent).join(", "),
    });
  compareContent(comparing, inside, { ...place, path: `${path} body`, before: wasContent, after: isContent });
}

function compareLinks(
  comparing: OpenApiComparing,
  inside: InOperation,
  path: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const told = {
      path: `${path} link ${name}`,
      name,
      names: [name],
      direction: directionOf("response", inside.turned),
    };
    const was = comparing.before.shapes.follow(field(before, name));
    const is = comparing.after.shapes.follow(field(after, name));
    if (!isRecord(was)) report(comparing, "response-link-added", inside.turned, { ...told, after: name });
    else if (!isRecord(is)) report(comparing, "response-link-removed", inside.turned, { ...told, before: name });
    else if (!sameLink(was, is))
      report(comparing, "response-link-changed", inside.turned, { ...told, before: target(was), after: target(is) });
  }
}

function sameLink(was: unknown, is: unknown): boolean {
  return ["operationId", "operationRef", "parameters", "requestBody"].every((name) =>
    sameValue(field(was, name), field(is, name)),
  );
}

function target(link: unknown): string {
  return textOf(link, "operationId") ?? textOf(link, "operationRef") ?? "the same operation";
}
