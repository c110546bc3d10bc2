// Gitea and Forgejo, by their REST interface. Where an older server ignores a filter, the list is filtered here as well.
//
// Gitea has one word on mergeability, and says it before it has computed it: a merge that is answered with 405 is tried again.

import { Refusal } from "../../../protocol/errors.ts";
import type { Forge, ForgePlace, MergeAnswer, PullState } from "../../../ports/forge.ts";
import type { ForgeClient } from "../client.ts";
import { hubComments, issueOf, lineRemarkOf, openPullOf, pullOf, remarkOf, reviewOf } from "../hub-shapes.ts";
import { putComment } from "../put-comment.ts";
import { checksOf, type ReadCheck, stateIn } from "../read-checks.ts";
import { addressAt, at, listAt, numberAt, textAt } from "../read-answer.ts";
import { decide } from "../review-decision.ts";

export function giteaForge(client: ForgeClient, { repository }: ForgePlace): Forge {
  const base = `/repos/${repository}`;
  const pull = (number: number): string => `${base}/pulls/${number}`;
  return {
    async find(branch) {
      const mine = (list: readonly unknown[]) =>
        list.filter((one) => textAt(one, "head", "ref") === branch && isOwn(one)).map(pullOf);
      const open = mine(await client.list(`${base}/pulls?state=open`));
      if (open[0] !== undefined) return open[0];
      const closed = mine(await client.list(`${base}/pulls?state=closed&sort=recentupdate`));
      return closed.sort((a, b) => b.number - a.number)[0];
    },
    async open({ branch, base: onto, title, body }) {
      const wish = { title, body, head: branch, base: onto };
      const answer = await client.ask({ method: "POST", path: `${base}/pulls`, body: wish, takes: [409] });
      if (answer.status === 409) throw new Refusal("forge.exists", `${branch} has an open pull request`, { branch });
      return pullOf(answer.body);
    },
    async update(number, change) {
      await client.ask({ method: "PATCH", path: pull(number), body: change });
    },
    async state(number) {
      const { body } = await client.get(pull(number));
      const now = pullOf(body);
      const isOpen = now.state === "open";
      const said = isOpen ? await client.list(`${pull(number)}/reviews`) : [];
      const decision = decide(
        said
          .filter((one) => at(one, "dismissed") !== true && at(one, "stale") !== true)
          .map((one) => ({ by: textAt(one, "user", "login"), says: textAt(one, "state") })),
      );
      const checks = isOpen ? await checksAt(client, base, now.head) : { state: "none" as const, red: [] };
      const rules = isOpen
        ? (await client.get(`${base}/branches/${encodeURIComponent(now.base)}`, [404])).body
        : undefined;
      const wanted = at(rules, "required_approvals");
      const yes = said.filter((one) => textAt(one, "state") === "APPROVED" && at(one, "dismissed") !== true).length;
      const isMissing = typeof wanted === "number" && wanted > yes;
      return {
        ...now,
        checks,
        review: decision === "changes-requested" ? decision : isMissing ? "required" : decision,
        merge:
          at(body, "draft") === true
            ? "draft"
            : at(body, "mergeable") === false
              ? await unmergeable(client, base, body)
              : "can",
        isQueued: false,
        endedBy: textAt(body, "merged_by", "login") || textAt(body, "closed_by", "login") || undefined,
      } satisfies PullState;
    },
    async remarks(number) {
      const said = await client.list(`${pull(number)}/reviews`);
      const onLines: unknown[] = [];
      for (const one of said.slice(-20))
        onLines.push(...(await client.list(`${pull(number)}/reviews/${numberAt(one, "id")}/comments`)));
      const comments = await client.list(`${base}/issues/${number}/comments`);
      return [
        ...said.map(reviewOf),
        ...onLines.map((one) => lineRemarkOf(one, at(one, "position") ?? at(one, "original_position"))),
        ...comments.map((one) => remarkOf("comment", one)),
      ];
    },
    async merge(number, { head, method }): Promise<MergeAnswer> {
      const body = { Do: method === "queue" ? "merge" : method, head_commit_id: head };
      const answer = await client.ask({ method: "POST", path: `${pull(number)}/merge`, body, takes: [405, 409, 422] });
      if (answer.status < 300) return { kind: "merged" };
      const why = textAt(answer.body, "message") || `it answers ${answer.status}`;
      return answer.status === 409 && /head|out of date/i.test(why) ? { kind: "moved" } : { kind: "not-yet", why };
    },
    async close(number) {
      await client.ask({ method: "PATCH", path: pull(number), body: { state: "closed" } });
    },
    openPulls: async () => (await client.list(`${base}/pulls?state=open`)).map(openPullOf),
    putComment: (_, number, comment) => putComment(hubComments(client, base, number), comment),
    async issues({ label, state }) {
      const labels = label === undefined ? "" : `&labels=${encodeURIComponent(label)}`;
      const found = (await client.list(`${base}/issues?type=issues&state=${state}${labels}`)).flatMap(
        (one) => issueOf(one) ?? [],
      );
      return label === undefined ? found : found.filter(({ labels: has }) => has.includes(label));
    },
    async issue(number) {
      const { status, body } = await client.get(`${base}/issues/${number}`, [404]);
      return status === 200 ? issueOf(body) : undefined;
    },
    checks: (commit) => checksAt(client, base, commit),
  };
}

/** A fork's branch of the same name is not ours. */
function isOwn(one: unknown): boolean {
  const from = at(one, "head", "repo_id");
  const to = at(one, "base", "repo_id");
  return from === undefined || to === undefined || from === to;
}

/** False is also what it says while it has not looked: only a base that the branch's own merge base is not at can conflict. */
async function unmergeable(client: ForgeClient, base: string, body: unknown): Promise<PullState["merge"]> {
  const branch = await client.get(`${base}/branches/${encodeURIComponent(textAt(body, "base", "ref"))}`, [404]);
  return textAt(body, "merge_base") === textAt(branch.body, "commit", "id") ? "computing" : "conflicts";
}

async function checksAt(client: ForgeClient, base: string, commit: string) {
  const { body } = await client.get(`${base}/commits/${commit}/status`, [404]);
  return await checksOf(
    listAt(body, "statuses").map((one): ReadCheck => ({
      name: textAt(one, "context"),
      url: addressAt(one, "target_url"),
      state: stateOf(textAt(one, "status") || textAt(one, "state")),
      tail: () => textAt(one, "description"),
    })),
  );
}

const stateOf = stateIn({ green: ["success", "warning", "skipped"], red: ["failure", "error"] });
