// Another version in the place of this one: verified before anything is changed, whole at every moment, and back by itself when it does not start.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestOf, gzipped, tar } from "../scripts/releasing/archive.ts";
import { publicKeyOf, type SigningKey } from "../scripts/releasing/minisign.ts";
import {
  type Candidate,
  changeVersion,
  type ChangeMachine,
  findRelease,
  keptHere,
  refuseNotNewer,
  released,
} from "../src/floor/release/change-version.ts";
import { filesOf, installedAs, otherWay, refuseByHand } from "../src/floor/release/installed-as.ts";
import { keptVersion } from "../src/floor/release/kept-version.ts";
import { readArchive } from "../src/floor/release/read-archive.ts";
import { goBack, switchProgram } from "../src/floor/release/switch-program.ts";
import { releaseFetcher } from "../src/host/release/fetch-release.ts";
import { oneChange } from "../src/host/release/one-change.ts";
import { TestHome } from "./kit/home.ts";
import { layRelease, marksFor, programOf, signingKey } from "./kit/made-release.ts";
import { rejection } from "./kit/rejection.ts";
import { SmallDisk, withoutSmallDisk } from "./kit/small-disk.ts";

let top: string;
let key: SigningKey;
const at = (...parts: string[]): string => join(top, ...parts);
const steps = ["laid", "named", "kept", "record", "files", "program", "started"] as const;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "constel-upgrade-"));
  key = signingKey();
  mkdirSync(at("prefix/bin"), { recursive: true });
  mkdirSync(at("prefix/lib/constel"), { recursive: true });
  writeFileSync(at("prefix/bin/constel"), programOf("0.1.0"), { mode: 0o755 });
  writeFileSync(
    at("prefix/lib/constel/installed"),
    "# installed by install.sh: constel 0.1.0 linux-x64\nbin/constel\nshare/man/man1/constel-gone.1\n",
  );
  layRelease(at("releases/download/v0.2.0"), { version: "0.2.0", key });
  layRelease(at("releases/latest/download"), { version: "0.2.0", key });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const said = (): string[] => (existsSync(at("log")) ? readFileSync(at("log"), "utf8").trim().split("\n") : []);

const installed = (): string => readFileSync(at("prefix/bin/constel"), "utf8");

function run(words: readonly string[]): { code: number | null; said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words], { env: { PATH: "/usr/bin:/bin", LOG: at("log") } });
  return { code: exitCode, said: `${stdout.toString()}${stderr.toString()}` };
}

const letWriteTo: string[] = [];
beforeEach(() => void letWriteTo.splice(0));

const files = () => ({
  prefix: at("prefix"),
  program: "bin/constel",
  keeping: "lib/constel",
  record: "lib/constel/installed",
});

async function upgrade(options: Partial<ChangeMachine> & { to?: string; candidate?: Candidate } = {}) {
  const { to, candidate, ...machine } = options;
  const marks = marksFor(key, at("releases"));
  const found = async (): Promise<Candidate> => {
    const fetchOf = releaseFetcher(at("releases"));
    const release = await findRelease(fetchOf, to, marks);
    return released(release, marks.target, fetchOf(release.version));
  };
  return changeVersion(
    {
      marks,
      version: "0.1.0",
      files: files(),
      alone: (work) => oneChange(files(), work),
      schema: async () => 3,
      backupFor: async () => undefined,
      letWrite: async (version) => void letWriteTo.push(version),
      run: async (words) => run(words),
      served: async () => true,
      say: () => undefined,
      ...machine,
    },
    candidate ?? (await found()),
  );
}

/** Everything below the prefix, but for directories. */
const everything = (): string[] =>
  readdirSync(at("prefix"), { recursive: true, withFileTypes: true })
    .filter((one) => !one.isDirectory())
    .map((one) => join(one.parentPath, one.name).slice(at("prefix/").length))
    .toSorted();

test("the newest version takes the place of this one, and its daemon takes over", async () => {
  expect(await upgrade()).toEqual({ from: "0.1.0", to: "0.2.0", handedOver: true });
  expect(installed()).toBe(programOf("0.2.0"));
  expect(said()).toEqual(["0.2.0 daemon start"]);
  expect(readFileSync(at("prefix/share/man/man1/constel.1"), "utf8")).toBe("0.2.0");
  expect(readFileSync(at("prefix/lib/constel/earlier/bin/constel"), "utf8")).toBe(programOf("0.1.0"));
  expect(readFileSync(at("prefix/lib/constel/installed"), "utf8")).toBe(
    "# installed by install.sh: constel 0.2.0 linux-x64\nbin/constel\nshare/man/man1/constel-gone.1\nshare/man/man1/constel.1\n",
  );
});

test("where no daemon serves, none is started", async () => {
  expect(await upgrade({ served: async () => false })).toMatchObject({ handedOver: false });
  expect(said()).toEqual([]);
});

test("two at a time: the second is refused and takes nothing of the first's away", async () => {
  let second: unknown;
  const first = await upgrade({
    served: async () => {
      second = await rejection(upgrade());
      return true;
    },
  });
  expect(second).toMatchObject({ code: "release.busy" });
  expect(first).toEqual({ from: "0.1.0", to: "0.2.0", handedOver: true });
  expect(installed()).toBe(programOf("0.2.0"));
  expect(said()).toEqual(["0.2.0 daemon start"]);
  expect(everything()).not.toContain("lib/constel/.changing");
});

test("uninstalling and changing the version keep each other out of the same place, and what lies beside a single file is known", () => {
  expect(filesOf({ way: "script", prefix: at("prefix") }, "/anywhere/constel")).toEqual(files());
  expect(filesOf({ way: "file" }, "/opt/constel")).toEqual({
    prefix: "/opt",
    program: "constel",
    keeping: ".constel-earlier",
    record: undefined,
  });
});

describe("nothing is changed", () => {
  const unchanged = async (code: string, options: Parameters<typeof upgrade>[0] = {}): Promise<void> => {
    expect(await rejection(upgrade(options))).toMatchObject({ code });
    expect(installed()).toBe(programOf("0.1.0"));
    expect(readdirSync(at("prefix/lib/constel"))).toEqual(["installed"]);
    expect(said()).toEqual([]);
  };
  const flip = (name: string, offset: number): void => {
    const path = at("releases/latest/download", name);
    const bytes = readFileSync(path);
    const place = (bytes.length + offset) % bytes.length;
    bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
    writeFileSync(path, bytes);
    writeFileSync(at("releases/download/v0.2.0", name), bytes);
  };

  test("when one byte of an archive was flipped", async () => {
    flip("constel-0.2.0-linux-x64.tar.gz", 100);
    await unchanged("release.damaged");
  });
  test("when one byte of what is signed was flipped", async () => {
    flip("release.json", 40);
    await unchanged("release.not-signed");
  });
  test("when one byte of the signature was flipped", async () => {
    flip("release.json.minisig", 80);
    await unchanged("release.not-signed");
  });
  test("when another key signed it", async () => {
    layRelease(at("releases/latest/download"), { version: "0.2.0", key: signingKey() });
    await unchanged("release.not-signed");
  });
  test("when another release lies in its place", async () => {
    layRelease(at("releases/download/v0.3.0"), { version: "0.2.0", key });
    await unchanged("release.unknown-version", { to: "0.3.0" });
  });
  test("when there is no such release", async () => unchanged("release.unknown-version", { to: "0.9.0" }));
  test("when the new program does not say that it is what it should be", async () => {
    layRelease(at("releases/latest/download"), { version: "0.2.0", key, program: "#!/bin/sh\nexit 1\n" });
    rmSync(at("releases/download/v0.2.0"), { recursive: true });
    layRelease(at("releases/download/v0.2.0"), { version: "0.2.0", key, program: "#!/bin/sh\nexit 1\n" });
    await unchanged("release.did-not-start");
  });
  test("when the database has a schema that it does not know, and the backup to use is named", async () => {
    const options = { schema: async () => 4, backupFor: async (known: number) => `backup-of-schema-${known}.db` };
    await unchanged("release.newer-schema", options);
    expect(await rejection(upgrade(options))).toMatchObject({
      message: expect.stringContaining("the newest backup that it can read is backup-of-schema-3.db") as unknown,
    });
  });
});

test("a daemon that does not start brings the version of before back, and that one serves", async () => {
  for (const place of ["releases/latest/download", "releases/download/v0.2.0"])
    layRelease(at(place), { version: "0.2.0", key, program: programOf("0.2.0", "echo broken >&2; exit 4") });
  const refused = await rejection(upgrade());
  expect(refused).toMatchObject({ code: "release.did-not-start" });
  expect(String(refused)).toContain("broken");
  expect(String(refused)).toContain("0.1.0 is back and serves");
  expect(installed()).toBe(programOf("0.1.0"));
  expect(said()).toEqual(["0.2.0 daemon start", "0.1.0 daemon start"]);
});

describe("a daemon that changed the schema before it failed", () => {
  const failing = 'case "$*" in "daemon start") exit 4;; "db undo") echo 3 >"$LOG.schema";; esac';
  const broken = (daemon = failing): void => {
    for (const place of ["releases/latest/download", "releases/download/v0.2.0"])
      layRelease(at(place), { version: "0.2.0", key, program: programOf("0.2.0", daemon), schema: 4 });
  };
  const schema = async (): Promise<number> =>
    existsSync(at("log.schema")) ? 3 : said().includes("0.2.0 daemon start") ? 4 : 3;

  test("takes it back itself, and the version of before serves", async () => {
    broken();
    expect(String(await rejection(upgrade({ schema })))).toContain("0.1.0 is back and serves");
    expect(said()).toEqual(["0.2.0 daemon start", "0.2.0 daemon stop", "0.2.0 db undo", "0.1.0 daemon start"]);
    expect([installed(), letWriteTo]).toEqual([programOf("0.1.0"), ["0.1.0"]]);
  });

  test("says so where it cannot, and the version of before is in place all the same", async () => {
    broken("exit 4");
    const told: string[] = [];
    await rejection(upgrade({ schema, say: (line) => void told.push(line) }));
    expect(told.join("\n")).toContain("schema 4 could not be taken back");
    expect([installed(), letWriteTo]).toEqual([programOf("0.1.0"), []]);
  });

  test("a home that cannot be asked keeps no program from going back", async () => {
    broken("exit 4");
    const letWrite = () => Promise.reject(new Error("locked"));
    expect(await rejection(upgrade({ schema: async () => 3, letWrite }))).toMatchObject({
      code: "release.did-not-start",
    });
    expect(installed()).toBe(programOf("0.1.0"));
  });
});

test("an older version is let write before it stands there, a newer one needs no leave", async () => {
  await upgrade();
  expect(letWriteTo).toEqual([]);
  writeFileSync(at("prefix/bin/constel"), programOf("0.3.0"), { mode: 0o755 });
  const stood: string[] = [];
  const letWrite = async (version: string): Promise<void> => void stood.push(version, installed());
  await upgrade({ to: "0.2.0", version: "0.3.0", letWrite });
  expect(stood).toEqual(["0.2.0", programOf("0.3.0")]);
  expect(installed()).toBe(programOf("0.2.0"));
});

describe("killed at any step", () => {
  const child = (killAt: string | undefined): number | null => {
    const script = join(import.meta.dir, "kit/change-version-child.ts");
    const words = [process.execPath, script, at("prefix"), at("releases"), publicKeyOf(key), "0.2.0"];
    const env = {
      PATH: process.env["PATH"] ?? "",
      LOG: at("log"),
      ...(killAt === undefined ? {} : { CONSTEL_KILL_AT: killAt }),
    };
    return Bun.spawnSync(words, { env }).exitCode;
  };
  const record = "lib/constel/installed";
  const standing = (): string[] => everything().filter((name) => !name.startsWith("lib/constel/"));

  for (const step of steps)
    test(`${step}: one version or the other stands there whole, all of it is recorded, and doing it again completes it`, () => {
      expect(child(`upgrade.${step}`)).not.toBe(0);
      const isDone = step === "program" || step === "started";
      expect(run([at("prefix/bin/constel"), "--version"])).toEqual({
        code: 0,
        said: `constel ${isDone ? "0.2.0" : "0.1.0"}\n`,
      });
      // Whoever uninstalls now would take away everything that stands there.
      const recorded = readFileSync(at("prefix", record), "utf8").split("\n");
      expect(standing().filter((name) => !recorded.includes(name))).toEqual([]);
      if (!isDone) expect(child(undefined)).toBe(0);
      expect(installed()).toBe(programOf("0.2.0"));
      expect(standing()).toEqual(["bin/constel", "share/man/man1/constel.1"]);
    });

  test("laid: the next one takes away what lies there", () => {
    expect(child("upgrade.laid")).not.toBe(0);
    expect(everything()).toContain("lib/constel/.fresh/bin/constel");
    expect(child(undefined)).toBe(0);
    expect(everything()).toEqual([
      "bin/constel",
      "lib/constel/earlier/.version.json",
      "lib/constel/earlier/bin/constel",
      record,
      "share/man/man1/constel.1",
    ]);
  });
});

describe("the version that was replaced", () => {
  const back = (version = "0.2.0"): Promise<unknown> => {
    const kept = keptVersion(files());
    if (kept === undefined) throw new Error("nothing was kept");
    return upgrade({ version, candidate: keptHere(kept, "linux-x64", files()) });
  };

  test("comes back without a network, with all that belongs to it, and the newer one is kept instead", async () => {
    mkdirSync(at("prefix/share/man/man1"), { recursive: true });
    writeFileSync(at("prefix/share/man/man1/constel-gone.1"), "0.1.0");
    await upgrade();
    expect(keptVersion(files())).toMatchObject({ version: "0.1.0", schema: 3 });
    rmSync(at("releases"), { recursive: true });
    expect(await back()).toEqual({ from: "0.2.0", to: "0.1.0", handedOver: true });
    expect([installed(), letWriteTo]).toEqual([programOf("0.1.0"), ["0.1.0"]]);
    expect(readFileSync(at("prefix/share/man/man1/constel-gone.1"), "utf8")).toBe("0.1.0");
    expect(keptVersion(files())).toMatchObject({ version: "0.2.0" });
    expect(readFileSync(at("prefix/lib/constel/earlier/bin/constel"), "utf8")).toBe(programOf("0.2.0"));
  });

  test("is the only one that is kept, however many were there", async () => {
    await upgrade();
    layRelease(at("releases/download/v0.3.0"), { version: "0.3.0", key });
    await upgrade({ version: "0.2.0", to: "0.3.0" });
    expect(everything().filter((name) => name.includes("earlier"))).toEqual([
      "lib/constel/earlier/.version.json",
      "lib/constel/earlier/bin/constel",
      "lib/constel/earlier/share/man/man1/constel.1",
    ]);
    expect(keptVersion(files())).toMatchObject({ version: "0.2.0" });
  });

  test("is not taken when a byte of it is another", async () => {
    await upgrade();
    const path = at("prefix/lib/constel/earlier/bin/constel");
    writeFileSync(path, `${readFileSync(path, "utf8")}#`);
    expect(await rejection(back())).toMatchObject({ code: "release.damaged" });
    expect(installed()).toBe(programOf("0.2.0"));
  });

  test("counts as not kept when its note is half", async () => {
    await upgrade();
    writeFileSync(at("prefix/lib/constel/earlier/.version.json"), '{"version":"0.1');
    expect(keptVersion(files())).toBeUndefined();
  });
});

test("a program that another change put there meanwhile is not taken for the one of before", async () => {
  const machine = {
    reached: (step: string) => {
      if (step === "laid") writeFileSync(at("prefix/bin/constel"), programOf("0.3.0"), { mode: 0o755 });
    },
  };
  expect(await rejection(upgrade(machine))).toMatchObject({ code: "release.not-here" });
  expect(installed()).toBe(programOf("0.3.0"));
  expect(keptVersion(files())).toBeUndefined();
});

test.skipIf(withoutSmallDisk !== undefined)(
  "a full disk changes nothing before the switch, and keeps no version from going back",
  async () => {
    using disk = new SmallDisk(16);
    const prefix = join(disk.path, "prefix");
    cpSync(at("prefix"), prefix, { recursive: true });
    const onDisk = { ...files(), prefix };
    const large = programOf("0.2.0", `exit 4\n# ${"x".repeat(2_000_000)}`);
    for (const place of ["releases/latest/download", "releases/download/v0.2.0"])
      layRelease(at(place), { version: "0.2.0", key, program: large });
    const standing = (): string => readFileSync(join(prefix, "bin/constel"), "utf8");
    disk.fill();
    expect(String(await rejection(upgrade({ files: onDisk })))).toMatch(/the disk is full/);
    expect(standing()).toBe(programOf("0.1.0"));
    expect(readdirSync(join(prefix, "lib/constel"))).toEqual(["installed"]);
    disk.makeRoom();
    // It fills when the new program stands there and its daemon does not start.
    const reached = (step: string): void => {
      if (step === "program") disk.fill();
    };
    const refused = String(await rejection(upgrade({ files: onDisk, reached })));
    expect(refused).toContain("0.1.0 is back and serves");
    expect(standing()).toBe(programOf("0.1.0"));
  },
);

test("what is put below a prefix that several accounts use can be read by them", async () => {
  const before = process.umask(0o022);
  try {
    await upgrade();
  } finally {
    process.umask(before);
  }
  const mode = (name: string): string => (statSync(at("prefix", name)).mode & 0o777).toString(8);
  expect(["bin/constel", "share/man/man1", "share/man/man1/constel.1", "lib/constel/installed"].map(mode)).toEqual([
    "755",
    "755",
    "644",
    "644",
  ]);
});

test("an archive that holds anything but plain files below one directory is refused", () => {
  const packed = (name: string): Buffer => gzipped(tar([{ name, content: "x" }]));
  expect([...readArchive(packed("constel-1/bin/constel")).keys()]).toEqual(["bin/constel"]);
  for (const name of ["constel-1/../../etc/passwd", "constel-1//etc/passwd", "constel-1/.ssh", "constel-1/dir/"])
    expect(() => readArchive(packed(name))).toThrow("is no plain file");
  const link = tar([{ name: "constel-1/bin/constel", content: "" }]);
  link.write("2", 156, "latin1");
  expect(() => readArchive(gzipped(link))).toThrow("is no plain file");
  expect(digestOf("constel")).toHaveLength(64);
});

test("an older version is no upgrade, and what others installed is changed by them", async () => {
  refuseNotNewer("0.2.0", "0.1.0");
  expect(() => refuseNotNewer("0.1.0", "0.2.0")).toThrow(
    expect.objectContaining({ code: "release.not-newer" }) as Error,
  );
  const as = (program: string, exists: (path: string) => boolean = () => false) =>
    installedAs({ program, clone: undefined, exists });
  expect(as("/home/you/.npm/lib/node_modules/constel-linux-x64/constel")).toEqual({ way: "npm" });
  expect(as("/opt/homebrew/Cellar/constel/0.1.0/bin/constel")).toEqual({ way: "homebrew" });
  expect(as("/usr/bin/constel", (path) => path.endsWith("constel.list"))).toEqual({ way: "debian" });
  expect(as("/usr/bin/constel")).toEqual({ way: "file" });
  expect(as("/a/bin/constel", (path) => path === "/a/lib/constel/installed")).toEqual({ way: "script", prefix: "/a" });
  expect(installedAs({ program: "/c/x", clone: "/c", exists: () => true })).toEqual({ way: "clone", top: "/c" });
  expect(() => refuseByHand("debian", "0.2.0")).toThrow(
    expect.objectContaining({ code: "release.other-way" }) as Error,
  );
  refuseByHand("npm", "0.2.0");
  expect(otherWay("npm", "0.2.0")?.join(" ")).toBe("npm install --global --ignore-scripts constel@0.2.0");
  expect(otherWay("script", "0.2.0")).toBeUndefined();
});

test("where nothing was kept there is no way back, and a program that is gone is named", () => {
  const single = { ...files(), record: undefined };
  const coded = (code: string): Error => expect.objectContaining({ code }) as Error;
  expect(() => goBack(single, "0.0.9")).toThrow(coded("release.nothing-kept"));
  rmSync(at("prefix/bin/constel"));
  const fresh = { version: "0.2.0", target: "linux-x64", others: new Map() };
  expect(() => switchProgram(single, fresh, { from: { version: "0.1.0", schema: 3 } })).toThrow(
    coded("release.not-here"),
  );
});

test("a clone says how it is updated", async () => {
  await using home = new TestHome();
  for (const words of [["upgrade"], ["upgrade", "--check"], ["downgrade"]]) {
    const ran = await home.constel(words);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain("scripts/install.sh");
    expect(ran.stderr).toContain("[release.not-released]");
  }
});
