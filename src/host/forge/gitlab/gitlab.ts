// GitLab, by its REST interface. What others call a pull request is a merge request here; its pipelines are its checks, and
// `detailed_merge_status` says why it cannot be merged.

import { Refusal } from "../../../protocol/errors.ts";
import type {
  Forge,
  ForgeIssue,
  ForgePlace,
  MergeAnswer,
  PullRequest,
  PullState,
  Remark,
} from "../../../ports/forge.ts";
import type { ForgeClient } from "../client.ts";
import { commentDesk, putComment } from "../put-comment.ts";
import { checksOf, logAt, type ReadCheck, stateIn } from "../read-checks.ts";
import { addressAt, at, commitAt, listAt, numberAt, textAt } from "../read-answer.ts";

export function gitlabForge(client: ForgeClient, { repository }: ForgePlace): Forge {
  const base = `/projects/${encodeURIComponent(repository)}`;
  const request = (number: number): string => `${base}/merge_requests/${number}`;
  return {
    async find(branch) {
      const found = (await client.list(`${base}/merge_requests?state=all&source_branch=${encodeURIComponent(branch)}`))
        .filter((one) => textAt(one, "source_branch") === branch && isOwn(one))
        .map(pullOf);
      return found.find(({ state }) => state === "open") ?? found.sort((a, b) => b.number - a.number)[0];
    },
    async open({ branch, base: onto, title, body }) {
      const wish = { source_branch: branch, target_branch: onto, title, description: body };
      const answer = await client.ask({ method: "POST", path: `${base}/merge_requests`, body: wish, takes: [409] });
      if (answer.status === 409) throw new Refusal("forge.exists", `${branch} has an open merge request`, { branch });
      return pullOf(answer.body);
    },
    async update(number, { title, body, base: onto }) {
      const change = {
        ...(title === undefined ? {} : { title }),
        ...(body === undefined ? {} : { description: body }),
        ...(onto === undefined ? {} : { target_branch: onto }),
      };
      await client.ask({ method: "PUT", path: request(number), body: change });
    },
    async state(number) {
      const { body } = await client.get(request(number));
      const now = pullOf(body);
      const isOpen = now.state === "open";
      const approvals = isOpen ? (await client.get(`${request(number)}/approvals`, [403, 404])).body : undefined;
      const detail = textAt(body, "detailed_merge_status");
      const left = at(approvals, "approvals_left");
      const isWanted = (typeof left === "number" && left > 0) || detail === "not_approved";
      return {
        ...now,
        checks: isOpen ? await checksAt(client, base, now.head) : { state: "none", red: [] },
        review:
          detail === "requested_changes"
            ? "changes-requested"
            : isWanted
              ? "required"
              : listAt(approvals, "approved_by").length > 0
                ? "approved"
                : "none",
        merge: mergeOf(body, detail),
        isQueued: isOpen && at(body, "merge_when_pipeline_succeeds") === true,
        endedBy: textAt(body, "merged_by", "username") || textAt(body, "closed_by", "username") || undefined,
      } satisfies PullState;
    },
    async remarks(number) {
      const notes = await client.list(`${request(number)}/notes?sort=asc`);
      return notes
        .filter((one) => at(one, "system") !== true)
        .map((one): Remark => {
          const line = at(one, "position", "new_line");
          const path = textAt(one, "position", "new_path");
          return {
            id: `note:${numberAt(one, "id")}`,
            author: textAt(one, "author", "username"),
            text: textAt(one, "body"),
            path: path === "" ? undefined : path,
            line: typeof line === "number" ? line : undefined,
            kind: path === "" ? "comment" : "review",
          };
        });
    },
    async merge(number, { head, method }): Promise<MergeAnswer> {
      const body = { sha: head, squash: method === "squash", ...(method === "queue" ? { auto_merge: true } : {}) };
      const answer = await client.ask({
        method: "PUT",
        path: `${request(number)}/merge`,
        body,
        takes: [405, 409, 422],
      });
      if (answer.status === 409) return { kind: "moved" };
      const why = textAt(answer.body, "message") || `it answers ${answer.status}`;
      if (answer.status >= 300) return { kind: "not-yet", why };
      return textAt(answer.body, "state") === "merged" ? { kind: "merged" } : { kind: "queued" };
    },
    async close(number) {
      await client.ask({ method: "PUT", path: request(number), body: { state_event: "close" } });
    },
    async openPulls() {
      return (await client.list(`${base}/merge_requests?state=opened`)).map((one) => ({
        ...pullOf(one),
        author: textAt(one, "author", "username"),
        ref: `refs/merge-requests/${numberAt(one, "iid")}/head`,
      }));
    },
    async putComment(on, number, comment) {
      const all = on === "pull" ? `${request(number)}/notes` : `${base}/issues/${number}/notes`;
      const by = (person: unknown): string => textAt(person, "username");
      const place = { all, one: (id: number) => `${all}/${id}`, change: "PUT", author: "author", by } as const;
      await putComment(commentDesk(client, place), comment);
    },
    async issues({ label, state }) {
      const labels = label === undefined ? "" : `&labels=${encodeURIComponent(label)}`;
      const found = await client.list(`${base}/issues?state=${state === "open" ? "opened" : "all"}${labels}`);
      return found.map(issueOf);
    },
    async issue(number) {
      const { status, body } = await client.get(`${base}/issues/${number}`, [404]);
      return status === 200 ? issueOf(body) : undefined;
    },
    checks: (commit) => checksAt(client, base, commit),
  };
}

const issueOf = (body: unknown): ForgeIssue => ({
  number: numberAt(body, "iid"),
  title: textAt(body, "title"),
  body: textAt(body, "description"),
  url: addressAt(body, "web_url"),
  author: textAt(body, "author", "username"),
  state: textAt(body, "state") === "opened" ? "open" : "closed",
  labels: listAt(body, "labels").filter((has): has is string => typeof has === "string"),
});

function pullOf(body: unknown): PullRequest {
  const state = textAt(body, "state");
  return {
    number: numberAt(body, "iid"),
    url: addressAt(body, "web_url"),
    state: state === "merged" ? "merged" : state === "closed" ? "closed" : "open",
    head: commitAt(body, "sha"),
    base: textAt(body, "target_branch"),
    title: textAt(body, "title"),
    body: textAt(body, "description"),
  };
}

function isOwn(one: unknown): boolean {
  const from = at(one, "source_project_id");
  return from === undefined || from === at(one, "target_project_id");
}

function mergeOf(body: unknown, detail: string): PullState["merge"] {
  if (at(body, "draft") === true || detail === "draft_status") return "draft";
  if (at(body, "has_conflicts") === true || detail === "conflict") return "conflicts";
  if (["unchecked", "checking", "preparing", "approvals_syncing", ""].includes(detail)) return "computing";
  return detail === "mergeable" ? "can" : detail === "need_rebase" ? "behind" : "blocked";
}

/** The newest pipeline of a commit speaks for it, and its failed jobs for why. */
async function checksAt(client: ForgeClient, base: string, commit: string) {
  const { body } = await client.get(`${base}/pipelines?sha=${commit}&order_by=id&sort=desc`);
  const newest = listAt({ body }, "body")[0];
  if (newest === undefined) return await checksOf([]);
  const state = stateOf(textAt(newest, "status"));
  const whole: ReadCheck = { name: "pipeline", url: addressAt(newest, "web_url"), state, tail: () => "" };
  if (state !== "red") return await checksOf([whole]);
  const jobs = await client.list(`${base}/pipelines/${numberAt(newest, "id")}/jobs`);
  const failed = jobs
    .filter((one) => textAt(one, "status") === "failed" && at(one, "allow_failure") !== true)
    .map((job): ReadCheck => ({
      name: textAt(job, "name"),
      url: addressAt(job, "web_url"),
      state,
      tail: () => logAt(client, `${base}/jobs/${numberAt(job, "id")}/trace`),
    }));
  return await checksOf(failed.length > 0 ? failed : [whole]);
}

const stateOf = stateIn({ green: ["success"], red: ["failed", "canceled", "skipped"] });
