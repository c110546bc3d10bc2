// A program and a daemon of two builds: whoever meets the other one replaces it, or says so at once with what helps. Nothing goes on silently
// with answers of another shape.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CloneCopy } from "./kit/clone-copy.ts";
import { allMigrations } from "../src/store/migrations/all.ts";
import { type Ran, TestHome } from "./kit/home.ts";

let here: CloneCopy;
let there: CloneCopy;
beforeAll(() => {
  here = new CloneCopy();
  there = new CloneCopy();
});
afterAll(() => {
  here.close();
  there.close();
});

const from = (clone: CloneCopy, at: TestHome, ...words: string[]): Promise<Ran> =>
  at.constel(words, { program: clone.program });

/** Changes what a build is, and nothing that it does. */
function update(clone: CloneCopy): void {
  const path = clone.at("src/core/timeline/announce.ts");
  writeFileSync(path, `${readFileSync(path, "utf8")}// updated\n`);
}

function edit(clone: CloneCopy, name: string, before: string, after: string): void {
  const text = readFileSync(clone.at(name), "utf8");
  expect(text).toContain(before);
  writeFileSync(clone.at(name), text.replace(before, after));
}

const pidOf = async (clone: CloneCopy, at: TestHome): Promise<number> =>
  (JSON.parse((await from(clone, at, "daemon", "status", "--json")).stdout) as { pid: number }).pid;

const announced = async (clone: CloneCopy, at: TestHome): Promise<string[]> => {
  const { stdout } = await from(
    clone,
    at,
    "query",
    "--json",
    "select data from timeline where type = 'owner.announced'",
  );
  return [...stdout.matchAll(/text\\":\\"(\w+)/g)].map(([, word = ""]) => word);
};

test("a daemon from before an update of its clone is replaced by the next command, whatever it is", async () => {
  await using at = new TestHome();
  await from(here, at, "announce", "before");
  for (const words of [["announce", "after"], ["status"], ["task", "list"]]) {
    const old = await pidOf(here, at);
    update(here);
    const ran = await from(here, at, ...words);
    expect({ words, said: ran.stderr }).toEqual({
      words,
      said: expect.stringContaining("replaced the daemon, which was an older build") as unknown as string,
    });
    expect(ran.code).toBe(0);
    expect(await pidOf(here, at)).not.toBe(old);
  }
  expect(await announced(here, at)).toEqual(["before", "after"]);
  expect((await from(here, at, "announce", "again")).stderr).toBe("");
});

test("two commands that meet it at once replace it once", async () => {
  await using at = new TestHome();
  await from(here, at, "daemon", "start");
  update(here);
  const ran = await Promise.all(["one", "two", "three"].map((word) => from(here, at, "announce", word)));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect((await announced(here, at)).sort()).toEqual(["one", "three", "two"]);
});

test("a daemon of another installation is left alone: changes are refused in words, reads come from the database", async () => {
  await using at = new TestHome();
  update(there);
  for (const [old, other] of [
    [here, there],
    [there, here],
  ] as const) {
    await from(old, at, "announce", "mine");
    const pid = await pidOf(old, at);
    const refused = await from(other, at, "announce", "theirs");
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain(`the daemon (pid ${pid}) is`);
    expect(refused.stderr).toContain(old.top);
    expect(refused.stderr).toContain("[daemon.other-build]");
    expect(refused.stderr).toContain("constel daemon stop");
    const read = await from(other, at, "task", "list");
    expect([read.code, read.stderr]).toEqual([0, expect.stringContaining("is another build")]);
    expect(await from(other, at, "daemon", "start")).toMatchObject({ code: 3, stderr: refused.stderr });
    expect((await from(other, at, "doctor")).stdout).toContain(`another build of constel, started from ${old.top}`);
    expect(await pidOf(old, at)).toBe(pid);
    expect((await from(other, at, "daemon", "stop")).stdout).toContain("Stopped");
    expect((await from(other, at, "announce", "theirs")).code).toBe(0);
    expect((await from(other, at, "daemon", "stop")).code).toBe(0);
  }
});

/** The build after this one: one step more, and a question that needs what it adds. */
function withLaterStep(clone: CloneCopy): void {
  const path = clone.at("src/store/migrations/all.ts");
  const step = `import { sql } from "kysely";
const later: Migration = {
  version: ${allMigrations.length + 1},
  name: "later",
  async up(db) {
    await sql\`create table later_snoozes as select * from snoozes\`.execute(db);
  },
  async verify() {},
};
`;
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(
      /^export const [^\]]*\[\][^\]]*(?=\])/m,
      (list) => `${step}${list.replace(/,?\s*$/, "")}, later`,
    ),
  );
  edit(
    clone,
    "src/core/attention/attention.sql.ts",
    "from attention where constellation =",
    "from attention where (select count(*) from later_snoozes) = 0 and constellation =",
  );
}

test("a daemon of a build with fewer tables: nothing crashes, what needs the new ones says how to get them, and the stop helps", async () => {
  await using at = new TestHome();
  const later = new CloneCopy();
  const isNoBug = expect.not.stringMatching(/is a bug|TypeError|no such table/) as unknown as string;
  try {
    withLaterStep(later);
    expect(await from(here, at, "announce", "first")).toMatchObject({ code: 0 });
    for (const words of [["status"], ["doctor"], ["task", "list"], ["plan"], ["agents"], ["attention"]]) {
      const ran = await from(later, at, ...words);
      expect([words, ran.stderr]).toEqual([words, isNoBug]);
      if (words[0] !== "attention") continue;
      expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining("[store.older-schema]")]);
      expect(ran.stderr).toContain("ends it, and the next command starts the daemon of this build");
    }
    expect((await from(later, at, "daemon", "stop")).stdout).toContain("Stopped");
    expect(await from(later, at, "announce", "later")).toMatchObject({ code: 0 });
    expect(await from(later, at, "attention")).toMatchObject({ code: 0 });
    expect(readdirSync(join(at.home, "backups")).filter((name) => name.startsWith("meta-v"))).toHaveLength(1);
    // And back: the earlier build cannot write what it does not know, says so, and changes nothing.
    for (const words of [
      ["announce", "earlier"],
      ["status"],
      ["daemon", "stop"],
      ["announce", "earlier"],
      ["status"],
    ]) {
      const ran = await from(here, at, ...words);
      expect([words, ran.stderr]).toEqual([words, isNoBug]);
      if (words[0] === "announce") expect([words, ran.code]).toEqual([words, 3]);
    }
    expect(await announced(later, at)).toEqual(["first", "later"]);
  } finally {
    later.close();
  }
});

/** Another version, which does what this one does. */
function atVersion(clone: CloneCopy, version: string): CloneCopy {
  const manifest = JSON.parse(readFileSync(clone.at("package.json"), "utf8")) as object;
  writeFileSync(clone.at("package.json"), JSON.stringify({ ...manifest, version }));
  return clone;
}

test("an older version leaves the home of a newer one alone and names it, both ways, and goes back only when it is let", async () => {
  await using at = new TestHome();
  const [older, newer] = [atVersion(new CloneCopy(), "0.8.0"), atVersion(new CloneCopy(), "0.9.1")];
  try {
    expect(await from(older, at, "announce", "older")).toMatchObject({ code: 0 });
    // While the daemon of the one serves, the other names its version too.
    const met = await from(newer, at, "announce", "met");
    expect([met.code, met.stderr]).toEqual([3, expect.stringContaining("constel 0.8.0, build ")]);
    await from(older, at, "daemon", "stop");
    expect(await from(newer, at, "announce", "newer")).toMatchObject({ code: 0 });
    const alsoMet = await from(older, at, "announce", "met");
    expect([alsoMet.code, alsoMet.stderr]).toEqual([3, expect.stringContaining("constel 0.9.1, build ")]);
    await from(newer, at, "daemon", "stop");
    for (const words of [
      ["announce", "again"],
      ["daemon", "start"],
      ["task", "create", "x"],
      ["repo", "add"],
      ["db", "undo"],
    ]) {
      const refused = await from(older, at, ...words);
      expect([words, refused.code]).toEqual([words, 3]);
      expect([words, refused.stderr]).toEqual([words, expect.stringContaining("last written by constel 0.9.1")]);
      expect(refused.stderr).toContain("[store.newer-version]");
      expect(refused.stderr).toContain("constel downgrade --accept");
    }
    // Looking needs no leave, and doctor says what is so.
    expect(await announced(older, at)).toEqual(["older", "newer"]);
    const doctor = await from(older, at, "doctor");
    expect(doctor.stdout).toContain("last written by constel 0.9.1");
    expect(await from(newer, at, "announce", "still")).toMatchObject({ code: 0 });
    await from(newer, at, "daemon", "stop");
    const accepted = await from(older, at, "downgrade", "--accept");
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining("0.8.0 writes to this home again") });
    expect((await from(older, at, "downgrade", "--accept")).stdout).toContain("Nothing keeps constel 0.8.0");
    expect(await from(older, at, "announce", "back")).toMatchObject({ code: 0 });
    await from(older, at, "daemon", "stop");
    expect(await from(newer, at, "announce", "forth")).toMatchObject({ code: 0 });
    expect(await announced(newer, at)).toEqual(["older", "newer", "still", "back", "forth"]);
  } finally {
    older.close();
    newer.close();
  }
});

test("a copy with the same sources is the same build", async () => {
  await using at = new TestHome();
  const copy = new CloneCopy();
  const other = new CloneCopy();
  try {
    await from(copy, at, "announce", "one");
    expect(await from(other, at, "announce", "two")).toMatchObject({ code: 0, stderr: "" });
    const { build } = JSON.parse((await from(copy, at, "daemon", "status", "--json")).stdout) as { build: string };
    expect((await from(other, at, "version")).stdout).toContain(`(build ${build}), from ${other.top}`);
    expect(await announced(copy, at)).toEqual(["one", "two"]);
  } finally {
    copy.close();
    other.close();
  }
});

test("a daemon from before builds had names is known by the program that it runs", async () => {
  await using at = new TestHome();
  const words = " ${ownWords}";
  edit(here, "src/daemon/door/passes.ts", words, "");
  await from(here, at, "announce", "old");
  edit(here, "src/daemon/door/passes.ts", "${proofFor(nonce, pass)}", `\${proofFor(nonce, pass)}${words}`);
  const foreign = await from(there, at, "announce", "theirs");
  expect([foreign.code, foreign.stderr]).toEqual([3, expect.stringContaining("a build without a name")]);
  const ran = await from(here, at, "announce", "new");
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("replaced the daemon")]);
});

/** Holds a home as a daemon does, says that it is ready, and understands nobody. */
async function holder(at: TestHome, clone: CloneCopy) {
  const script = clone.at("scripts/hold-home.ts");
  writeFileSync(
    script,
    `import { writeFileSync } from "node:fs";
import { tryLock } from "../src/host/process/file-lock.ts";
const home = process.argv[2];
const lock = tryLock(home, "state/daemon.lock");
writeFileSync(home + "/state/daemon.json", JSON.stringify({ pid: process.pid }));
console.log(lock === undefined ? "no" : "held");
process.on("SIGTERM", () => process.exit(0));
setInterval(() => lock, 1000);
`,
  );
  const child = Bun.spawn([process.execPath, script, at.home], { stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toContain("held");
  return child;
}

test("what holds the home and cannot be talked to is named at once and can be ended", async () => {
  await using at = new TestHome();
  await from(here, at, "announce", "first");
  await from(here, at, "daemon", "stop");
  const child = await holder(at, there);
  const refused = await from(here, at, "announce", "second");
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining(`the daemon (pid ${child.pid})`)]);
  expect((await from(here, at, "daemon", "stop")).stdout).toContain("Stopped");
  expect(await child.exited).toBe(0);

  const own = await holder(at, here);
  expect(await from(here, at, "announce", "third")).toMatchObject({ code: 0 });
  expect(await own.exited).toBe(0);
  expect(await announced(here, at)).toEqual(["first", "third"]);
});

test("the quick program of a clone that was copied runs as quick; the first source that differs ends that", async () => {
  await using at = new TestHome();
  const clone = new CloneCopy();
  try {
    await clone.buildQuick();
    const copy = `${clone.top}-copy`;
    await Bun.$`cp -a ${clone.top} ${copy}`;
    try {
      const program: readonly [string] = [join(copy, "bin/constel")];
      const quick = join(copy, "node_modules/.constel/quick");
      const runs = async (): Promise<string> => {
        await at.constel(["daemon", "start"], { program });
        const exe = readFileSync(`/proc/${at.daemonPid}/cmdline`, "utf8").split("\0")[0] ?? "";
        await at.constel(["daemon", "stop"], { program });
        return exe;
      };
      expect(await runs()).toBe(quick);
      expect(Object.keys(JSON.parse(readFileSync(`${quick}.times`, "utf8")) as object).length).toBeGreaterThan(500);
      expect(await runs()).toBe(quick);
      const path = join(copy, "src/core/timeline/announce.ts");
      writeFileSync(path, `${readFileSync(path, "utf8")}// edited\n`);
      expect(await runs()).not.toBe(quick);
    } finally {
      await Bun.$`rm -rf ${copy}`;
    }
  } finally {
    clone.close();
  }
});
