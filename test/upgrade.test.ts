// Another version in the place of this one: verified before anything is changed, whole at every moment, and back by itself when it does not start.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestOf, gzipped, tar } from "../scripts/releasing/archive.ts";
import { publicKeyOf, type SigningKey } from "../scripts/releasing/minisign.ts";
import { changeVersion, type ChangeMachine, findRelease, refuseNotNewer } from "../src/floor/release/change-version.ts";
import { installedAs, otherWay, refuseByHand } from "../src/floor/release/installed-as.ts";
import { readArchive } from "../src/floor/release/read-archive.ts";
import { goBack, switchProgram } from "../src/floor/release/switch-program.ts";
import { releaseFetcher } from "../src/host/release/fetch-release.ts";
import { TestHome } from "./kit/home.ts";
import { layRelease, marksFor, programOf, signingKey } from "./kit/made-release.ts";
import { rejection } from "./kit/rejection.ts";

let top: string;
let key: SigningKey;
const at = (...parts: string[]): string => join(top, ...parts);
const steps = ["laid", "named", "kept", "files", "record", "program", "started"] as const;

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

async function upgrade(options: Partial<ChangeMachine> & { to?: string } = {}) {
  const { to, ...machine } = options;
  const fetchOf = releaseFetcher(at("releases"));
  const marks = marksFor(key, at("releases"));
  const release = await findRelease(fetchOf, to, marks);
  return changeVersion(
    {
      marks,
      version: "0.1.0",
      files: { prefix: at("prefix"), program: "bin/constel", keeping: "lib/constel", record: "lib/constel/installed" },
      fetch: fetchOf(release.version),
      schema: async () => 3,
      backupFor: async () => undefined,
      letWrite: async (version) => void letWriteTo.push(version),
      run: async (words) => run(words),
      served: async () => true,
      say: () => undefined,
      ...machine,
    },
    release,
  );
}

test("the newest version takes the place of this one, and its daemon takes over", async () => {
  expect(await upgrade()).toEqual({ from: "0.1.0", to: "0.2.0", handedOver: true });
  expect(installed()).toBe(programOf("0.2.0"));
  expect(said()).toEqual(["0.2.0 daemon start"]);
  expect(readFileSync(at("prefix/share/man/man1/constel.1"), "utf8")).toBe("0.2.0");
  expect(readFileSync(at("prefix/lib/constel/constel-0.1.0"), "utf8")).toBe(programOf("0.1.0"));
  expect(readFileSync(at("prefix/lib/constel/installed"), "utf8")).toBe(
    "# installed by install.sh: constel 0.2.0 linux-x64\nbin/constel\nshare/man/man1/constel-gone.1\nshare/man/man1/constel.1\n",
  );
});

test("where no daemon serves, none is started", async () => {
  expect(await upgrade({ served: async () => false })).toMatchObject({ handedOver: false });
  expect(said()).toEqual([]);
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

test("killed at any step, one version or the other stands there whole, and doing it again completes it", async () => {
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
  for (const step of steps) {
    writeFileSync(at("prefix/bin/constel"), programOf("0.1.0"), { mode: 0o755 });
    expect(child(`upgrade.${step}`)).not.toBe(0);
    const isDone = step === "program" || step === "started";
    expect({ step, ...run([at("prefix/bin/constel"), "--version"]) }).toEqual({
      step,
      code: 0,
      said: `constel ${isDone ? "0.2.0" : "0.1.0"}\n`,
    });
    expect(child(undefined)).toBe(0);
    expect(installed()).toBe(programOf("0.2.0"));
    expect(readdirSync(at("prefix/lib/constel")).toSorted()).toEqual(["constel-0.1.0", "installed"]);
  }
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
  const files = { prefix: at("prefix"), program: "bin/constel", keeping: "lib/constel", record: undefined };
  const coded = (code: string): Error => expect.objectContaining({ code }) as Error;
  expect(() => goBack(files, "0.0.9")).toThrow(coded("release.nothing-kept"));
  rmSync(at("prefix/bin/constel"));
  const fresh = { version: "0.2.0", target: "linux-x64", program: Buffer.from("x"), others: new Map() };
  expect(() => switchProgram(files, fresh, { from: "0.1.0" })).toThrow(coded("release.not-here"));
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
