// Tests what a confined clone can have done for it by those outside of its sandbox: the daemon and the gits that it starts work on
// directories that the clone writes. The clone lays links, borrows objects, swaps directories and names places, so that they show it what it
// cannot see.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfinedHome } from "./kit/confined-home.ts";
import { projectTop } from "./kit/home.ts";

const tried = Bun.spawnSync(["sh", join(projectTop, "scripts/bubblewrap.sh")]);
if (tried.exitCode !== 0) process.stderr.write(`\n*** confined agents are NOT TESTED: ${tried.stderr.toString()}\n`);

const at = new ConfinedHome("true");
/** A repository of the owner's that is nobody else's business. */
const hidden = join(at.top, "owners/repo");
const secret = "a-word-of-the-owners";

describe.skipIf(tried.exitCode !== 0)("a confined clone", () => {
  beforeAll(async () => {
    mkdirSync(hidden, { recursive: true });
    at.git(hidden, "init", "-q");
    at.commit(hidden, { "secret.txt": `${secret}\n` }, "the owner's");
    await at.start();
  });
  afterAll(() => at[Symbol.asyncDispose]());

  test("does not see a workspace before it is whole, so that it has no hand in how git makes it", async () => {
    const ran = join(at.top, "ran-outside");
    // A repository of its own with a filter, to be put in the place of the one that git is about to check out.
    const prepared = [
      `own='${at.own}'; git clone -q '${at.root}' "$own/prepared"; cd "$own/prepared"; git rm -rqf --cached .; rm -rf a.txt constel.toml .gitignore`,
      "echo 'ref: refs/heads/none' >.git/HEAD; rm -f .git/index; mkdir -p .git/info; echo '* filter=x' >.git/info/attributes",
      `git config filter.x.smudge 'id >${ran} && cat'`,
    ].join("\n");
    const swap =
      'for my $c (glob("$ARGV[0]/*/.making-*/.git/packed-refs")) { $c =~ s{/.git/packed-refs$}{}; open my $f, ">", "$ARGV[0]/seen"; rename $c, "$ARGV[0]/moved"; rename "$ARGV[0]/prepared", $c; exit }';
    const first = `${prepared}\n(perl -e 'while (-d $ARGV[0] && ! -e "$ARGV[0]/enough") { ${swap} }' "$own" >/dev/null 2>&1 &)`;
    const { number, workspace } = await at.given("Make it", first);
    await at.ordered(`: >'${at.own}/enough'`);
    expect({ ran: existsSync(ran), seen: existsSync(join(at.own, "seen")) }).toEqual({ ran: false, seen: false });
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    await at.run("task", "cancel", String(number));
  });

  /** Each makes its branch, its repository or its workspace lead to the owner's. `$1` is the workspace, `$2` its branch. */
  const leads: Readonly<Record<string, string>> = {
    "a branch that is a link, and borrowed objects": `echo '${hidden}/.git/objects' >.git/objects/info/alternates; rm -f ".git/refs/heads/$2"; ln -s '${hidden}/.git/refs/heads/main' ".git/refs/heads/$2"`,
    "a link to a repository": `rm -rf .git; ln -s '${hidden}/.git' .git; ready="--branch main"`,
    "a link to a workspace": `cd ..; mv repo away; ln -s '${hidden}' repo; ready="--branch main"`,
    "a link to what is above a workspace": `cd ../..; mv "$3" away-$3; ln -s '${dirname(hidden)}' "$3"; ready="--branch main"`,
  };
  for (const [how, order] of Object.entries(leads))
    test(`is given nothing of the owner's by ${how}`, async () => {
      const { number, workspace } = await at.given(how);
      const branch = at.git(workspace, "symbolic-ref", "--short", "HEAD");
      const script = `set -- '${workspace}' '${branch}' '${number}'; ready=; cd "$1"; ${order}; constel task ready ${number} $ready`;
      await at.ordered(script);
      const { task } = await at.ask<{ task: { state: string } }>("task", "show", String(number));
      expect(task.state).toBe("in_progress");
      await at.run("task", "cancel", String(number));
      await at.run("workspace", "rm", String(number));
      const all = ["cat-file", "--batch-all-objects", "--batch"];
      expect(at.git(at.root, ...all)).not.toContain(secret);
    });

  test("has nothing looked at for it that it does not see itself", async () => {
    const tries = [
      `constel repo add '${hidden}'`,
      `constel claim add x --path '${hidden}'`,
      `cd '${at.own}'; mkdir -p by-a-link; ln -sfn '${hidden}' by-a-link/it; constel repo add "$PWD/by-a-link/it"`,
      `cd '${at.own}'; mkdir -p by-a-file; echo 'gitdir: ${hidden}/.git' >by-a-file/.git; constel repo add "$PWD/by-a-file"`,
      `printf '{"event":"session-started","session":"s","cwd":"${hidden}"}' | constel hook script; constel repo ls`,
    ];
    for (const order of tries) await at.ordered(order);
    expect(await at.ordered(tries[0] ?? "")).toContain("[confined.out-of-sight]");
    expect(JSON.stringify(await at.ask("repo", "ls"))).not.toContain(hidden);
  });

  test("has its own workspace saved when it is removed, and brought back", async () => {
    const { number, workspace } = await at.given("Save it");
    await at.ordered(
      `cd '${workspace}'; echo noted >note.txt; git checkout -q -b side; echo b >b.txt; git add b.txt; git commit -qm side`,
    );
    expect(await at.run("workspace", "rm", String(number))).toMatchObject({ code: 0 });
    expect(existsSync(workspace)).toBe(false);
    expect(await at.run("workspace", "restore", String(number))).toMatchObject({ code: 0 });
    expect(readFileSync(join(workspace, "note.txt"), "utf8")).toBe("noted\n");
    expect(at.git(workspace, "log", "-1", "--format=%s", "side")).toBe("side");
  });
});
