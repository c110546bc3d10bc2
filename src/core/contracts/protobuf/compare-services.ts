// Services and their methods.

import { compareDeprecated } from "./compare-traits.ts";
import { optionValue } from "./features.ts";
import type { LinkedMethod, LinkedService } from "./linked.ts";
import type { Pairing } from "./pairing.ts";
import { sameType } from "./pairing.ts";
import { pairDefinitions } from "./presence.ts";
import type { Report } from "./report.ts";
import { lastName } from "./report.ts";

export function compareServices(pairing: Pairing, report: Report): void {
  const { before, after } = pairing;
  for (const [old, young] of pairDefinitions("service", before.services, after.services, pairing, report)) {
    if (!report.mayCompare(young.fullName, old.methods.size + young.methods.size)) continue;
    compareMethods(old, young, pairing, report);
    compareDeprecated(
      "service",
      young.fullName,
      [lastName(young.fullName)],
      old.syntax.options,
      young.syntax.options,
      report,
    );
  }
}

function compareMethods(old: LinkedService, young: LinkedService, pairing: Pairing, report: Report): void {
  const service = lastName(young.fullName);
  for (const [name, method] of old.methods) {
    const now = young.methods.get(name);
    const path = `${young.fullName}/${name}`;
    if (now !== undefined) {
      compareMethod(path, [name, service], method, now, pairing, report);
      continue;
    }
    const text = `The method ${path} was deleted: its callers no longer compile, and their calls fail.`;
    report.breaking("method-deleted", { path, before: signature(method), text, names: [name, service] });
  }
  for (const [name, method] of young.methods) {
    if (old.methods.has(name)) continue;
    const path = `${young.fullName}/${name}`;
    report.compatible("method-added", {
      path,
      after: signature(method),
      text: `The method ${path} was added.`,
      names: [name, service],
    });
  }
}

function compareMethod(
  path: string,
  names: readonly string[],
  old: LinkedMethod,
  young: LinkedMethod,
  pairing: Pairing,
  report: Report,
): void {
  if (!sameType(pairing, old.input, young.input)) {
    const text = `${path} takes ${young.input.name} instead of ${old.input.name}: callers no longer compile, and requests are read wrongly.`;
    report.breaking("method-request-type-changed", {
      path,
      names,
      direction: "request",
      before: old.input.name,
      after: young.input.name,
      text,
    });
  }
  if (!sameType(pairing, old.output, young.output)) {
    const text = `${path} returns ${young.output.name} instead of ${old.output.name}: callers no longer compile, and answers are read wrongly.`;
    report.breaking("method-response-type-changed", {
      path,
      names,
      direction: "response",
      before: old.output.name,
      after: young.output.name,
      text,
    });
  }
  compareStreaming(path, names, old, young, report);
  compareOptions(path, names, old, young, report);
}

function compareStreaming(
  path: string,
  names: readonly string[],
  old: LinkedMethod,
  young: LinkedMethod,
  report: Report,
): void {
  const sides = [
    ["client", "request", old.syntax.clientStreams, young.syntax.clientStreams],
    ["server", "response", old.syntax.serverStreams, young.syntax.serverStreams],
  ] as const;
  for (const [who, direction, was, is] of sides) {
    if (was === is) continue;
    const text = `The ${who} of ${path} ${is ? "streams now" : "no longer streams"}: callers no longer compile, and calls fail.`;
    const [before, after] = [was, is].map((streams) => (streams ? "stream" : "single"));
    report.breaking(`method-${who}-streaming-changed`, {
      path,
      names,
      direction,
      before: before ?? null,
      after: after ?? null,
      text,
    });
  }
}

function compareOptions(
  path: string,
  names: readonly string[],
  old: LinkedMethod,
  young: LinkedMethod,
  report: Report,
): void {
  const level = ({ syntax }: LinkedMethod): string =>
    optionValue(syntax.options, "idempotency_level") ?? "IDEMPOTENCY_UNKNOWN";
  if (level(old) !== level(young)) {
    const text = `idempotency_level of ${path} changed from ${level(old)} to ${level(young)}: another HTTP verb may be used, and retries differ.`;
    report.breaking("method-idempotency-level-changed", { path, names, before: level(old), after: level(young), text });
  }
  compareHttp(path, names, old, young, report);
  compareDeprecated("method", path, names, old.syntax.options, young.syntax.options, report);
}

/** Compares how a gateway serves the method as HTTP. Only the gateway's callers notice, and whether there is one is not known. */
function compareHttp(
  path: string,
  names: readonly string[],
  old: LinkedMethod,
  young: LinkedMethod,
  report: Report,
): void {
  const http = ({ syntax }: LinkedMethod): string | null => {
    const said = syntax.options.filter(({ name }) => /^\(\.?google\.api\.http\)/.test(name));
    return said.length === 0
      ? null
      : said
          .map(({ name, value }) => `${name} = ${value}`)
          .toSorted()
          .join("; ");
  };
  const [was, is] = [http(old), http(young)];
  if (was === is) return;
  const told = { path, names, before: was, after: is };
  if (was === null) report.compatible("method-http-rule-added", { ...told, text: `${path} is served as HTTP now.` });
  else
    report.dangerous("method-http-rule-changed", {
      ...told,
      text: `The HTTP route of ${path} changed: those who call it through a gateway must follow.`,
    });
}

function signature({ syntax, input, output }: LinkedMethod): string {
  return `(${syntax.clientStreams ? "stream " : ""}${input.name}) returns (${syntax.serverStreams ? "stream " : ""}${output.name})`;
}
