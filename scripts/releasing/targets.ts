// The machines that constel is released for, and what the packages of others call them.

export interface Target {
  /** As it stands in the names of files: `constel-linux-x64`. */
  readonly name: string;
  readonly os: "linux" | "darwin";
  readonly cpu: "x64" | "arm64";
  /** As Bun names it when it compiles for another machine. */
  readonly bun: Bun.Build.CompileTarget;
  /** Packages with the pieces made for this machine alone. */
  readonly packages: { readonly runtime: string; readonly parser: string; readonly compiler: string };
  /** For npm, which tells the two C libraries of Linux apart. */
  readonly libc?: "glibc" | "musl";
}

function target(os: Target["os"], cpu: Target["cpu"], libc?: Target["libc"]): Target {
  const musl = libc === "musl" ? "-musl" : "";
  const bunCpu = cpu === "arm64" ? "aarch64" : "x64";
  const parserKind = os === "linux" ? `-${libc === "musl" ? "musl" : "gnu"}` : "";
  return {
    name: `${os}-${cpu}${musl}`,
    os,
    cpu,
    bun: `bun-${os}-${cpu}${musl}` as Bun.Build.CompileTarget,
    packages: {
      runtime: `@oven/bun-${os}-${bunCpu}${musl}`,
      parser: `@oxc-parser/binding-${os}-${cpu}${parserKind}`,
      compiler: `@typescript/typescript-${os}-${cpu}`,
    },
    ...(libc === undefined ? {} : { libc }),
  };
}

export const targets: readonly Target[] = [
  target("linux", "x64", "glibc"),
  target("linux", "arm64", "glibc"),
  target("linux", "x64", "musl"),
  target("linux", "arm64", "musl"),
  target("darwin", "arm64"),
  target("darwin", "x64"),
];

/** The machine this runs on. */
export function ownTarget(): Target {
  const musl = process.platform === "linux" && process.execPath.includes("-musl/") ? "-musl" : "";
  const name = `${process.platform}-${process.arch}${musl}`;
  const own = targets.find((one) => one.name === name);
  if (own === undefined) throw new Error(`constel is not released for ${name}`);
  return own;
}
