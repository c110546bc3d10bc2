// An empty Debian to install into: the files of git, tmux, ca-certificates, dpkg and what they depend on, as the package database of this machine lists them,
// and nothing else. Commands run in it by bubblewrap, without a network and without anything of this machine.

import { existsSync, mkdirSync, lstatSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a machine has anyway, and what constel asks for. */
const wanted = [
  "git",
  "tmux",
  "ca-certificates",
  "dpkg",
  "coreutils",
  "dash",
  "bash",
  "sed",
  "grep",
  "gzip",
  "tar",
  "findutils",
];
const alsoWanted = [
  "diffutils",
  "hostname",
  "libc-bin",
  "base-files",
  "base-passwd",
  "login",
  "passwd",
  "debianutils",
  "procps",
  "libstdc++6", // what Node needs
];

export interface RunInRoot {
  readonly root: string;
  /** The account inside. */
  readonly as: "you" | "root";
  readonly env?: Readonly<Record<string, string>>;
  /** Directories of this machine that are seen inside, and cannot be changed from there. */
  readonly shown?: Readonly<Record<string, string>>;
}

export interface RanInRoot {
  readonly code: number;
  readonly said: string;
}

export async function makeEmptyRoot(root: string): Promise<void> {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const packages = await withDependencies([...wanted, ...alsoWanted]);
  const listed = await output(["dpkg-query", "-L", ...packages]);
  const paths = [...new Set(listed.split("\n").filter((line) => line.startsWith("/") && existsSync(line)))];
  // Documentation and languages are of no use here.
  const files = paths.filter(
    (path) => !/^\/usr\/share\/(doc|man|locale|info|lintian|bug)\//.test(path) && !lstatSync(path).isDirectory(),
  );
  const list = join(root, ".files");
  const links = ["bin", "sbin", "lib", "lib64"].filter((name) =>
    lstatSync(`/${name}`, { throwIfNoEntry: false })?.isSymbolicLink(),
  );
  const extra = [
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/ssl/certs",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
  ];
  for (const name of links) {
    mkdirSync(join(root, "usr", name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  writeFileSync(list, [...extra.filter((path) => existsSync(path)), ...files].map((one) => `.${one}`).join("\n"));
  await output(["sh", "-c", `tar -C / -cf - -T "$1" 2>/dev/null | tar -C "$2" -xf -`, "sh", list, root]);
  rmSync(list);
  for (const name of [
    "home/you",
    "root",
    "tmp",
    "proc",
    "dev",
    "run",
    "var/lib/dpkg/info",
    "var/lib/dpkg/updates",
    "var/log",
    "usr/share/man/man1",
  ])
    mkdirSync(join(root, name), { recursive: true });
  const status = await output(["dpkg-query", "-s", ...packages]);
  writeFileSync(join(root, "var/lib/dpkg/status"), status);
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/bash\nyou:x:1000:1000::/home/you:/bin/bash\n");
  writeFileSync(join(root, "etc/group"), "root:x:0:\nyou:x:1000:\n");
}

/** By the package database, so that nothing is there that they do not need. */
async function withDependencies(names: readonly string[]): Promise<string[]> {
  const fields = await output([
    "dpkg-query",
    "-W",
    "-f",
    "${Package}\t${Pre-Depends}, ${Depends}\t${Provides}\t${Status}\n",
  ]);
  const known = new Map<string, readonly string[]>();
  const provided = new Map<string, string>();
  for (const line of fields.split("\n")) {
    const [name = "", depends = "", provides = "", status = ""] = line.split("\t");
    if (!status.endsWith(" installed")) continue;
    known.set(
      name,
      depends.split(",").map((one) => plain(one.split("|")[0] ?? "")),
    );
    for (const one of provides.split(",")) provided.set(plain(one), name);
  }
  const found = new Set<string>();
  const queue = [...names];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const own = known.has(name) ? name : provided.get(name);
    if (own === undefined || found.has(own)) continue;
    found.add(own);
    queue.push(...(known.get(own) ?? []).filter((one) => one !== ""));
  }
  const missing = names.filter((name) => !found.has(name) && wanted.includes(name));
  if (missing.length > 0) throw new Error(`not installed on this machine: ${missing.join(", ")}`);
  return [...found];
}

const plain = (text: string): string => text.trim().replace(/[\s(:].*$/s, "");

async function output(words: readonly string[]): Promise<string> {
  const child = Bun.spawn([...words], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  // dpkg-query ends with 1 when one of many names has no files.
  if ((await child.exited) > 1) throw new Error(`${words[0]} failed: ${stderr.slice(0, 400)}`);
  return stdout;
}

/** Every process that was started in it ends with it. */
export async function runInRoot(
  { root, as, env = {}, shown = {} }: RunInRoot,
  words: readonly string[],
): Promise<RanInRoot> {
  const id = as === "you" ? "1000" : "0";
  const home = as === "you" ? "/home/you" : "/root";
  const variables = {
    PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
    HOME: home,
    LC_ALL: "C.UTF-8",
    TERM: "xterm",
    ...env,
  };
  const command = [
    "bwrap",
    "--unshare-user",
    "--uid",
    id,
    "--gid",
    id,
    "--unshare-net",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    "--bind",
    root,
    "/",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/dev/shm",
    ...Object.entries(shown).flatMap(([inside, outside]) => ["--ro-bind", outside, inside]),
    ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]),
    "--chdir",
    home,
    "--",
    ...words,
  ];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, said: `${stdout}${stderr}` };
}

/** Every file and directory of it, for what is left behind. Links are not followed: they lead out of it. */
export function everythingIn(root: string): Set<string> {
  const found = Bun.spawnSync(["find", root, "-mindepth", "1", "-printf", "%P\\n"], { stdout: "pipe" });
  return new Set(
    found.stdout
      .toString()
      .split("\n")
      .filter((name) => name !== ""),
  );
}

export const copyRoot = async (from: string, to: string): Promise<void> => {
  rmSync(to, { recursive: true, force: true });
  await output(["cp", "-a", "--reflink=auto", from, to]);
};
