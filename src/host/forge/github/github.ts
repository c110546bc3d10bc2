// GitHub, by its REST interface; its merge queue by the one GraphQL call there is for it.
//
// `mergeable_state` is the forge's own word on whether its rules let a pull request in. With an administrator's token the call
// to merge would pass over these rules, so what is called blocked is not even asked to be merged.

import { Outage, Refusal } from "../../../protocol/errors.ts";
import type { Forge, ForgePlace, MergeAnswer, PullRequest, PullState } from "../../../ports/forge.ts";
import type { ForgeClient } from "../client.ts";
import { hubComments, issueOf, lineRemarkOf, openPullOf, pullOf, remarkOf, reviewOf } from "../hub-shapes.ts";
import { putComment } from "../put-comment.ts";
import { checksOf, logAt, type ReadCheck, stateIn } from "../read-checks.ts";
import { addressAt, at, listAt, numberAt, textAt } from "../read-answer.ts";
import { decide } from "../review-decision.ts";

export function githubForge(client: ForgeClient, { repository, api }: ForgePlace): Forge {
  const base = `/repos/${repository}`;
  const owner = repository.split("/")[0] ?? "";
  const pull = (number: number): string => `${base}/pulls/${number}`;
  const reviews = (number: number) => client.list(`${pull(number)}/reviews`);
  return {
    async find(branch) {
      const head = encodeURIComponent(`${owner}:${branch}`);
      const found = (await client.list(`${base}/pulls?state=all&head=${head}`))
        .filter((one) => textAt(one, "head", "ref") === branch)
        .map(pullOf);
      return found.find(({ state }) => state === "open") ?? found.sort((a, b) => b.number - a.number)[0];
    },
    async open({ branch, base: onto, title, body }) {
      const wish = { title, body, head: branch, base: onto };
      const answer = await client.ask({ method: "POST", path: `${base}/pulls`, body: wish, takes: [422] });
      if (answer.status === 422) throw refusedOpening(branch, answer.body);
      return pullOf(answer.body);
    },
    async update(number, change) {
      await client.ask({ method: "PATCH", path: pull(number), body: change });
    },
    async state(number, { mayBeQueued } = { mayBeQueued: false }) {
      const { body } = await client.get(pull(number));
      const now = pullOf(body);
      const checks =
        now.state === "open" ? await checksAt(client, base, now.head) : { state: "none" as const, red: [] };
      const said = now.state === "open" ? await reviews(number) : [];
      const review = decide(said.map((one) => ({ by: textAt(one, "user", "login"), says: textAt(one, "state") })));
      const merge = mergeOf(body);
      const requested = listAt(body, "requested_reviewers").length > 0;
      const endedBy = await whoEnded(client, base, number, body, now);
      return {
        ...now,
        checks,
        review: review === "none" && requested && merge === "blocked" ? "required" : review,
        merge,
        isQueued:
          at(body, "auto_merge") instanceof Object ||
          (mayBeQueued && now.state === "open" && (await isInQueue(client, api, textAt(body, "node_id")))),
        endedBy,
      } satisfies PullState;
    },
    async remarks(number) {
      const [said, onLines, comments] = await Promise.all([
        reviews(number),
        client.list(`${pull(number)}/comments`),
        client.list(`${base}/issues/${number}/comments`),
      ]);
      return [
        ...said.map(reviewOf),
        ...onLines.map((one) => lineRemarkOf(one, at(one, "line") ?? at(one, "original_line"))),
        ...comments.map((one) => remarkOf("comment", one)),
      ];
    },
    async merge(number, { head, method }): Promise<MergeAnswer> {
      if (method === "queue") return await enqueue(client, api, pull(number), head);
      const body = { sha: head, merge_method: method };
      const answer = await client.ask({ method: "PUT", path: `${pull(number)}/merge`, body, takes: [405, 409, 422] });
      const why = textAt(answer.body, "message") || `it answers ${answer.status}`;
      if (answer.status < 300) return { kind: "merged" };
      if (answer.status === 409) return { kind: "moved" };
      return /merge queue/i.test(why) ? await enqueue(client, api, pull(number), head) : { kind: "not-yet", why };
    },
    async close(number) {
      await client.ask({ method: "PATCH", path: pull(number), body: { state: "closed" } });
    },
    openPulls: async () => (await client.list(`${base}/pulls?state=open`)).map(openPullOf),
    // The token of a workflow run may not ask who it is; its comments are the robot's.
    putComment: (_, number, comment) => putComment(hubComments(client, base, number, "github-actions[bot]"), comment),
    async issues({ label, state }) {
      const labels = label === undefined ? "" : `&labels=${encodeURIComponent(label)}`;
      const found = await client.list(`${base}/issues?state=${state}${labels}`);
      return found.flatMap((one) => issueOf(one) ?? []);
    },
    async issue(number) {
      const { status, body } = await client.get(`${base}/issues/${number}`, [404, 410]);
      return status === 200 ? issueOf(body) : undefined;
    },
    checks: (commit) => checksAt(client, base, commit),
  };
}

function refusedOpening(branch: string, body: unknown): Refusal {
  const why = [textAt(body, "message"), ...listAt(body, "errors").map((one) => textAt(one, "message"))].join("; ");
  return /already exists/i.test(why)
    ? new Refusal("forge.exists", `${branch} has an open pull request`, { branch })
    : new Refusal("forge.refused", `the forge opens no pull request for ${branch}: ${why.slice(0, 300)}`, { branch });
}

function mergeOf(body: unknown): PullState["merge"] {
  if (at(body, "draft") === true) return "draft";
  const state = textAt(body, "mergeable_state");
  if (at(body, "mergeable") === false || state === "dirty") return "conflicts";
  if (at(body, "mergeable") !== true || state === "unknown") return "computing";
  return state === "behind" ? "behind" : state === "blocked" ? "blocked" : "can";
}

async function whoEnded(
  client: ForgeClient,
  base: string,
  number: number,
  body: unknown,
  { state }: PullRequest,
): Promise<string | undefined> {
  if (state === "open") return undefined;
  const merged = textAt(body, "merged_by", "login");
  if (merged !== "") return merged;
  const closed = textAt((await client.get(`${base}/issues/${number}`, [404, 410])).body, "closed_by", "login");
  return closed === "" ? undefined : closed;
}

/** Check runs and commit statuses are two ways of saying it, and one repository may use both. */
async function checksAt(client: ForgeClient, base: string, commit: string) {
  const runs = listAt((await client.get(`${base}/commits/${commit}/check-runs?per_page=100`)).body, "check_runs");
  const statuses = listAt((await client.get(`${base}/commits/${commit}/status`, [404])).body, "statuses");
  return await checksOf([
    ...runs.map((run): ReadCheck => ({
      name: textAt(run, "name"),
      url: addressAt(run, "html_url"),
      state: textAt(run, "status") === "completed" ? endedAs(textAt(run, "conclusion")) : "pending",
      tail: () => tailOfRun(client, base, run),
    })),
    ...statuses.map((one): ReadCheck => ({
      name: textAt(one, "context"),
      url: addressAt(one, "target_url"),
      state: stateOf(textAt(one, "state")),
      tail: () => textAt(one, "description"),
    })),
  ]);
}

const green = ["success", "neutral", "skipped"];
const stateOf = stateIn({ green, red: ["failure", "error"] });
/** A run that has ended in any other way did not pass. */
const endedAs = (conclusion: string): ReadCheck["state"] => (green.includes(conclusion) ? "green" : "red");

/** A workflow's check run has the number of its job, whose log can be read; others say something of themselves at best. */
async function tailOfRun(client: ForgeClient, base: string, run: unknown): Promise<string> {
  const own = [textAt(run, "output", "title"), textAt(run, "output", "summary"), textAt(run, "output", "text")];
  const log = await logAt(client, `${base}/actions/jobs/${numberAt(run, "id")}/logs`);
  return log || own.filter((part) => part !== "").join("\n");
}

async function enqueue(client: ForgeClient, api: string, path: string, head: string): Promise<MergeAnswer> {
  const { body } = await client.get(path);
  if (textAt(body, "head", "sha") !== head) return { kind: "moved" };
  const query =
    "mutation($id: ID!, $head: GitObjectID!) { enqueuePullRequest(input: {pullRequestId: $id, expectedHeadOid: $head}) { mergeQueueEntry { position } } }";
  const variables = { id: textAt(body, "node_id"), head };
  const answer = await client.ask({ method: "POST", path: graphqlOf(api), body: { query, variables } });
  const errors = listAt(answer.body, "errors").map((one) => textAt(one, "message"));
  if (errors.length === 0) return { kind: "queued" };
  const why = errors.join("; ").slice(0, 300);
  return /already/i.test(why) ? { kind: "queued" } : { kind: "not-yet", why };
}

/** Servers of one's own keep it beside the directory of the REST interface. */
const graphqlOf = (api: string): string => (api.endsWith("/v3") ? "/../graphql" : "/graphql");

/** REST says nothing of the queue. */
async function isInQueue(client: ForgeClient, api: string, id: string): Promise<boolean> {
  const query = "query($id: ID!) { node(id: $id) { ... on PullRequest { isInMergeQueue } } }";
  const { body } = await client.ask({ method: "POST", path: graphqlOf(api), body: { query, variables: { id } } });
  const answer = at(body, "data", "node", "isInMergeQueue");
  if (typeof answer === "boolean") return answer;
  throw new Outage("ask", "the forge's queue", "it does not say whether the pull request is queued", {
    mayRetry: false,
  });
}
