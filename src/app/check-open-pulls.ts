// `constel check --open-prs`: which open pull requests will collide with one. No daemon, no account. The commits of all of them
// come into a repository of ours in a temporary directory, which borrows the objects of the clone we stand in; nothing is checked
// out, no gate and no compiler of the repository's is asked, so that nothing of a stranger's branch ever runs.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ForgeSetting } from "../host/forge/forge-setting.ts";
import { systemForges } from "../host/forge/forges.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import { Git } from "../host/git/git.ts";
import { talk } from "../host/git/talk.ts";
import { childEnvironment } from "../host/process/child-environment.ts";
import { systemProcesses } from "../host/process/run.ts";
import { withTemporaryDirectory } from "../host/process/temporary-directory.ts";
import type { OpenPull } from "../ports/forge.ts";
import { messageOf, Outage, Refusal } from "../protocol/errors.ts";
import type { OpenPullsReport, OpenPullsRequest, PullCollision } from "../protocol/open-pulls.ts";
import { checkPair } from "./look-apart.ts";
import { collisionsMarker, commentText } from "./open-pulls-comment.ts";

export async function checkOpenPulls(request: OpenPullsRequest): Promise<OpenPullsReport> {
  const { cwd, environment, pull: number } = request;
  const git = new Git({ processes: systemProcesses, environment, signal: request.signal });
  const origin = await originOf(git, cwd);
  const forges = systemForges({
    settings: request.hosts as readonly ForgeSetting[],
    processes: systemProcesses,
    environment: childEnvironment(environment),
    clock: systemClock,
    ...(request.token === undefined ? {} : { token: request.token }),
  });
  const forge = forges.open(forges.placeOf(origin));
  const all = await forge.openPulls();
  const mine = all.find((one) => one.number === number);
  if (mine === undefined)
    throw new Refusal("check.no-pull", `${origin} has no open pull request ${number}`, { pull: number });
  const others = all
    .filter((one) => one.number !== number && one.base === mine.base)
    .sort((a, b) => b.number - a.number);
  const compared = others.slice(0, request.most);
  const report = await withTemporaryDirectory("open-prs", async (directory) => {
    const place = await makePlace(git, request, { directory, origin, pulls: [mine, ...compared] });
    return await compareAll(request, place, mine, compared);
  });
  const left = others
    .slice(request.most)
    .map((one) => ({ number: one.number, why: `only ${request.most} are compared` }));
  const said = { ...report, open: [...report.open, ...left] };
  if (request.comment) await forge.putComment("pull", number, { marker: collisionsMarker, text: commentText(said) });
  return { ...said, commented: request.comment };
}

interface Place {
  readonly path: string;
  /** The commits that could not be brought, by number. */
  readonly missing: ReadonlyMap<number, string>;
}

async function originOf(git: Git, cwd: string): Promise<string> {
  const told = await git.try({ cwd, args: ["config", "--get", "remote.origin.url"] });
  const origin = Buffer.from(told.stdout).toString("utf8").trim();
  if (told.code !== 0 || origin === "")
    throw new Refusal("check.no-origin", `${cwd} is in no clone that has an origin`, { path: cwd });
  return origin;
}

/** A repository without a file in it, in which each pull request is a branch `pr-<number>`. */
async function makePlace(
  git: Git,
  { cwd, environment }: OpenPullsRequest,
  wish: { readonly directory: string; readonly origin: string; readonly pulls: readonly OpenPull[] },
): Promise<Place> {
  const path = join(wish.directory, "repository");
  mkdirSync(path);
  await run(git, { args: ["init", "-q", "--template=", path] });
  const common = await run(git, { cwd, args: ["rev-parse", "--path-format=absolute", "--git-common-dir"] });
  writeFileSync(join(path, ".git", "objects", "info", "alternates"), `${join(common, "objects")}\n`);
  const variables = { GIT_DIR: join(path, ".git") };
  const missing = new Map<number, string>();
  for (const { number, head, ref } of wish.pulls) {
    const isHere = async (): Promise<boolean> =>
      (await git.try({ args: ["cat-file", "-e", `${head}^{tree}`], variables })).code === 0;
    if (!(await isHere())) {
      const options = ["-c", "fetch.fsckObjects=true", "fetch", "-q", "--no-tags", "--no-write-fetch-head"];
      const talking = { processes: systemProcesses, environment };
      const args = [...options, "--", wish.origin, `+${ref}:refs/constel/brought/${number}`];
      const brought = await talk(git, talking, { args, variables, isUnasked: true });
      if (brought.code !== 0 || !(await isHere())) {
        missing.set(
          number,
          brought.stderr.trim().split("\n").at(-1)?.slice(0, 200) || "the forge shows another commit",
        );
        continue;
      }
    }
    await run(git, { args: ["update-ref", `refs/heads/pr-${number}`, head], variables });
  }
  return { path, missing };
}

async function run(git: Git, call: Parameters<Git["try"]>[0]): Promise<string> {
  const outcome = await git.try(call);
  if (outcome.code !== 0) throw new Outage("git", call.args.join(" "), outcome.stderr.trim().slice(-500));
  return Buffer.from(outcome.stdout).toString("utf8").trim();
}

async function compareAll(
  request: OpenPullsRequest,
  { path, missing }: Place,
  mine: OpenPull,
  others: readonly OpenPull[],
): Promise<Omit<OpenPullsReport, "commented">> {
  const { number, title, base } = mine;
  const own = missing.get(number);
  if (own !== undefined) throw new Outage("fetch", `pull request ${number}`, own);
  const collisions: PullCollision[] = [];
  const open: { number: number; why: string }[] = [];
  let compared = 0;
  for (const other of others) {
    request.told(compared, others.length);
    const gone = missing.get(other.number);
    if (gone !== undefined) {
      open.push({ number: other.number, why: gone });
      continue;
    }
    const found = await compare(request, path, mine, other);
    compared += 1;
    if (found.why !== undefined) open.push({ number: other.number, why: found.why });
    const { author, url } = other;
    if (found.findings.length > 0)
      collisions.push({ number: other.number, title: other.title, author, url, findings: found.findings });
  }
  return { pull: { number, title, base }, compared, collisions, open };
}

async function compare(
  { environment, budget, signal }: OpenPullsRequest,
  cwd: string,
  mine: OpenPull,
  other: OpenPull,
): Promise<{ findings: PullCollision["findings"]; why: string | undefined }> {
  try {
    const sides = { ours: `pr-${mine.number}`, theirs: `pr-${other.number}` };
    const request = { cwd, ...sides, gate: false, gateCommand: undefined, fetch: false, environment, budget, signal };
    const { verdict } = await checkPair(request);
    const alarms = verdict.findings.filter(({ severity }) => severity !== "context");
    const findings = alarms.map((one) => ({ kind: one.kind, severity: one.severity, title: one.title }));
    const why = verdict.open[0]?.why;
    return { findings, why };
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.code !== "check.not-comparable") throw cause;
    return { findings: [], why: messageOf(cause) };
  }
}
