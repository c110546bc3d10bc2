// Reads `services.yaml` (docs/guides/contracts.md says what it may hold). Every complaint names its line; a service with a complaint of
// its own is left out, the others count.

import { isRecord } from "../contracts/json-value.ts";
import { type LinedDocument, pathInside, readLines } from "./read-lines.ts";
import {
  type Declarations,
  type DeclaredService,
  type DeclaredUse,
  isName,
  type ServiceProblem,
  uses,
  type Use,
} from "./service.ts";

export function readServicesYaml(path: string, text: string): Declarations {
  const documents = readLines(path, text);
  if ("message" in documents) return { services: [], apis: [], problems: [documents] };
  const problems: ServiceProblem[] = [];
  const services: DeclaredService[] = [];
  for (const document of documents) {
    const reading = new Reading(path, document);
    services.push(...reading.services());
    problems.push(...reading.problems);
  }
  const names = new Set<string>();
  const kept = services.filter(({ name, line }) => {
    if (names.has(name)) problems.push({ path, line, message: `${name} is declared twice` });
    const isNew = !names.has(name);
    names.add(name);
    return isNew;
  });
  return { services: kept, apis: [], problems };
}

type At = readonly (string | number)[];

class Reading {
  readonly problems: ServiceProblem[] = [];
  readonly #path: string;
  readonly #document: LinedDocument;

  constructor(path: string, document: LinedDocument) {
    this.#path = path;
    this.#document = document;
  }

  services(): DeclaredService[] {
    const { value } = this.#document;
    if (!isRecord(value) || !Array.isArray(value["services"])) {
      this.#complain([], "must hold `services:` with a list");
      return [];
    }
    this.#knownKeys(value, ["services"], []);
    return value["services"].flatMap((one: unknown, index) => this.#service(one, ["services", index]) ?? []);
  }

  #service(value: unknown, at: At): DeclaredService | undefined {
    const before = this.problems.length;
    if (!isRecord(value)) return this.#complain(at, "each service is a mapping with a `name`");
    this.#knownKeys(value, ["name", "repository", "provides", "consumes"], at);
    const { name, repository = null } = value;
    if (!isName(name)) this.#complain([...at, "name"], "a service needs a `name`: one word");
    if (repository !== null && !isName(repository)) this.#complain([...at, "repository"], "`repository` is one word");
    const provides = this.#list(value, "provides", at).flatMap((one, index) =>
      this.#contract(one, [...at, "provides", index]),
    );
    const consumes = this.#list(value, "consumes", at).flatMap((one, index) =>
      this.#use(one, [...at, "consumes", index]),
    );
    if (this.problems.length > before || !isName(name)) return undefined;
    return {
      name,
      repository: isName(repository) ? repository : null,
      provides,
      providesApis: [],
      consumes,
      source: "services.yaml",
      path: this.#path,
      line: this.#document.lineOf(...at),
    };
  }

  #contract(value: unknown, at: At): string[] {
    const written = isRecord(value) ? value["contract"] : value;
    if (isRecord(value)) this.#knownKeys(value, ["contract"], at);
    return this.#inside(written, at);
  }

  #inside(written: unknown, at: At): string[] {
    const path = typeof written === "string" ? pathInside("", written) : undefined;
    if (path !== undefined) return [path];
    this.#complain(at, "`contract` is a path from the top of the service's repository");
    return [];
  }

  #use(value: unknown, at: At): DeclaredUse[] {
    const line = this.#document.lineOf(...at);
    if (isName(value)) return [{ service: value, how: "direct", line }];
    if (!isRecord(value)) {
      this.#complain(at, "each entry of `consumes` names a `service` or a `contract`");
      return [];
    }
    this.#knownKeys(value, ["service", "contract", "how", "generated"], at);
    const { service, contract, how = "direct" } = value;
    if (service === undefined && contract === undefined) {
      this.#complain(at, "each entry of `consumes` names a `service` or a `contract`");
    }
    if (service !== undefined && !isName(service)) this.#complain([...at, "service"], "`service` is one word");
    if (!isUse(how)) this.#complain([...at, "how"], `\`how\` is ${uses.join(" or ")}, not ${shown(how)}`);
    const [path] = contract === undefined ? [] : this.#inside(contract, [...at, "contract"]);
    const generated = this.#generated(value["generated"], [...at, "generated"]);
    const what = { service: isName(service) ? service : undefined, contract: path, generated };
    return [{ ...what, how: isUse(how) ? how : "direct", line }];
  }

  #generated(written: unknown, at: At): string[] {
    const paths: readonly unknown[] = Array.isArray(written) ? written : written === undefined ? [] : [written];
    return paths.flatMap((one) => {
      const path = typeof one === "string" ? pathInside("", one) : undefined;
      if (path === undefined)
        this.#complain(at, "`generated` is a path, or several, from the top of the consumer's repository");
      return path ?? [];
    });
  }

  #list(value: Readonly<Record<string, unknown>>, key: string, at: At): readonly unknown[] {
    const list = value[key] ?? [];
    if (Array.isArray(list)) return list;
    this.#complain([...at, key], `\`${key}\` is a list`);
    return [];
  }

  #knownKeys(value: Readonly<Record<string, unknown>>, known: readonly string[], at: At): void {
    for (const key of Object.keys(value)) {
      if (!known.includes(key)) this.#complain([...at, key], `${shown(key)} is not known here: ${known.join(", ")}`);
    }
  }

  #complain(at: At, message: string): undefined {
    this.problems.push({ path: this.#path, line: this.#document.lineOf(...at), message });
  }
}

const isUse = (value: unknown): value is Use => uses.some((one) => one === value);

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? "nothing";
