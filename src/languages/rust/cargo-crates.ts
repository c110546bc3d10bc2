// Chooses the crates of a workspace that may be compiled: with the owner's leave all of them, else those for which nothing runs. A build
// script or a procedural macro runs when the crate that has it is compiled, or one that depends on that crate, however far away.

export interface CargoMetadata {
  readonly packages: readonly {
    readonly id: string;
    readonly name: string;
    readonly manifest_path: string;
    readonly targets: readonly { readonly kind: readonly string[] }[];
  }[];
  readonly workspace_members: readonly string[];
  readonly workspace_root: string;
  readonly resolve: {
    readonly nodes: readonly { readonly id: string; readonly dependencies: readonly string[] }[];
  } | null;
}

export interface ChosenCrates {
  /** As `-p` names them. */
  readonly asked: readonly string[];
  /** The number of members that are left out. */
  readonly left: number;
  /** The reason why they are left out, when there are any. */
  readonly why: string;
}

export function chosenCrates(metadata: CargoMetadata, mayRunCode: boolean): ChosenCrates {
  const packages = new Map(metadata.packages.map((one) => [one.id, one]));
  const needs = new Map((metadata.resolve?.nodes ?? []).map(({ id, dependencies }) => [id, dependencies]));
  const runner = (start: string): string | undefined => {
    const seen = new Set([start]);
    for (const id of seen) {
      const one = packages.get(id);
      // What is not listed cannot be judged.
      if (one === undefined) return id;
      if (one.targets.some(({ kind }) => kind.some((word) => word === "custom-build" || word === "proc-macro")))
        return one.name;
      for (const next of needs.get(id) ?? []) seen.add(next);
    }
    return undefined;
  };
  const asked: string[] = [];
  const left: (readonly [crate: string, because: string])[] = [];
  for (const id of metadata.workspace_members) {
    const because = mayRunCode ? undefined : runner(id);
    if (because === undefined) asked.push(id);
    else left.push([packages.get(id)?.name ?? id, because]);
  }
  const [first] = left;
  if (first === undefined) return { asked, left: 0, why: asked.length === 0 ? "the workspace has no crates" : "" };
  const others = left.length === 1 ? "" : `, and ${left.length - 1} more crates,`;
  const through = first[0] === first[1] ? "has" : `depends on ${first[1]}, which has`;
  const why = `${first[0]}${others} ${left.length === 1 ? "was" : "were"} not checked: ${first[0]} ${through} a build script or a procedural macro, which is code that runs, and compilers.build_code does not name this repository`;
  return { asked, left: left.length, why };
}
