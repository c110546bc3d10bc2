// What is inside the program, in CycloneDX: the packages that its dependencies lead to by bun.lock, with digest and licence, and the runtime.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";

const top = join(import.meta.dir, "../..");

type Locked = readonly [specifier: string, registry: string, about: About, integrity?: string];

interface About {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

export function billOfMaterials(version: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as Required<About>;
  const { packages } = parse(readFileSync(join(top, "bun.lock"), "utf8"), [], { allowTrailingComma: true }) as Lock;
  const found = reached(packages, Object.keys(dependencies));
  const components = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, locked]) => componentOf(locked));
  return `${JSON.stringify(
    {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      metadata: {
        component: {
          type: "application",
          name: "constel",
          version,
          "bom-ref": `pkg:npm/constel@${version}`,
          licenses: [{ license: { id: "MIT" } }],
        },
      },
      components,
      dependencies: [
        { ref: `pkg:npm/constel@${version}`, dependsOn: components.map((component) => component["bom-ref"]) },
      ],
    },
    undefined,
    1,
  )}\n`;
}

/** By the name under which bun.lock has them; a package that stands twice is listed twice. */
function reached(packages: Lock["packages"], roots: readonly string[]): Map<string, Locked> {
  const found = new Map<string, Locked>();
  const queue = roots.map((name) => ({ name, within: "" }));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const key = resolved(packages, next.name, next.within);
    const locked = key === undefined ? undefined : packages[key];
    if (key === undefined || locked === undefined || found.has(key)) continue;
    found.set(key, locked);
    const { dependencies = {}, optionalDependencies = {} } = locked[2];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) queue.push({ name, within: key });
  }
  return found;
}

/** As modules are resolved: the nearest one outwards. */
function resolved(packages: Lock["packages"], name: string, within: string): string | undefined {
  for (let place = within; place !== ""; place = place.slice(0, Math.max(0, place.lastIndexOf("/")))) {
    if (packages[`${place}/${name}`] !== undefined) return `${place}/${name}`;
  }
  return packages[name] === undefined ? undefined : name;
}

function componentOf([specifier, , , integrity]: Locked) {
  const at = specifier.lastIndexOf("@");
  const [name, version] = [specifier.slice(0, at), specifier.slice(at + 1)];
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const license = licenceOf(name);
  return {
    type: "library",
    name,
    version,
    "bom-ref": purl,
    purl,
    ...(integrity === undefined
      ? {}
      : {
          hashes: [
            { alg: "SHA-512", content: Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex") },
          ],
        }),
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
  };
}

/** What is not for this machine is not installed: its licence is unknown here, and left out. */
function licenceOf(name: string): string | undefined {
  const path = join(top, "node_modules", name, "package.json");
  if (!existsSync(path)) return undefined;
  const { license } = JSON.parse(readFileSync(path, "utf8")) as { license?: unknown };
  return typeof license === "string" ? license : undefined;
}
