// The double's GitHub: the REST calls that constel makes, and the one of GraphQL for the merge queue.

import { type DoubleWish, field, json, pageOf } from "./dialect.ts";
import type { DoubleIssue, DoublePull, DoubleRemark, ForgeModel } from "./model.ts";

export function answerAsGithub(model: ForgeModel, wish: DoubleWish): Response {
  if (wish.path === "/graphql") return ofGraph(model, wish);
  if (wish.path === "/user") return json({ login: model.me });
  const base = `/repos/${model.owner}/${model.name}`;
  if (!wish.path.startsWith(`${base}/`)) return json({ message: "Not Found" }, 404);
  const path = wish.path.slice(base.length);
  const { method, query, body } = wish;
  const numbered = /^\/(pulls|issues)\/(\d+)(\/.*)?$/.exec(path);
  if (numbered !== null) return ofNumber(model, wish, Number(numbered[2]), numbered[1] ?? "", numbered[3] ?? "");
  if (path === "/pulls" && method === "GET") {
    const head = query.get("head")?.split(":")[1];
    const state = query.get("state") ?? "open";
    const found = model.pulls.filter(
      (one) =>
        (head === undefined || one.branch === head) &&
        (state === "all" || (one.state === "open") === (state === "open")),
    );
    return pageOf(
      found.map((one) => pullJson(model, one)),
      query,
    );
  }
  if (path === "/pulls" && method === "POST") {
    const pull = model.open({
      branch: field(body, "head") ?? "",
      base: field(body, "base") ?? "",
      title: field(body, "title") ?? "",
      body: field(body, "body") ?? "",
    });
    if (pull !== undefined) return json(pullJson(model, pull), 201);
    return json(
      {
        message: "Validation Failed",
        errors: [{ message: `A pull request already exists for ${model.owner}:${field(body, "head")}.` }],
      },
      422,
    );
  }
  if (path === "/issues" && method === "GET") {
    const label = query.get("labels");
    const found = model.issues.filter(
      (one) => (label === null || one.labels.includes(label)) && (query.get("state") === "all" || one.state === "open"),
    );
    return pageOf(
      found.map((one) => issueJson(model, one)),
      query,
    );
  }
  const comment = /^\/issues\/comments\/(\d+)$/.exec(path);
  if (comment !== null && method === "PATCH") {
    const found = model.remarks.find(({ id }) => id === Number(comment[1]));
    if (found === undefined) return json({ message: "Not Found" }, 404);
    if (found.author !== model.me) return json({ message: "Forbidden" }, 403);
    found.text = field(body, "body") ?? "";
    return json(remarkJson(found));
  }
  const checks = /^\/commits\/([0-9a-f]+)\/(check-runs|status)$/.exec(path);
  if (checks !== null) {
    if (checks[2] === "status") return json({ state: "pending", statuses: [], total_count: 0 });
    const runs = model.checksOf(checks[1] ?? "").map((one) => ({
      id: one.id,
      name: one.name,
      status: one.state === "pending" ? "in_progress" : "completed",
      conclusion: one.state === "pending" ? null : one.state === "green" ? "success" : "failure",
      html_url: `http://forge/${model.owner}/${model.name}/runs/${one.id}`,
      output: { title: null, summary: null, text: null },
    }));
    return json({ total_count: runs.length, check_runs: runs });
  }
  const log = /^\/actions\/jobs\/(\d+)\/logs$/.exec(path);
  if (log !== null) {
    const found = [...model.checks.values()].flat().find(({ id }) => id === Number(log[1]));
    return found === undefined ? json({ message: "Not Found" }, 404) : new Response(found.log);
  }
  return json({ message: "Not Found" }, 404);
}

function ofNumber(model: ForgeModel, wish: DoubleWish, number: number, kind: string, rest: string): Response {
  const { method, query, body } = wish;
  const said = model.remarks.filter(({ pull }) => pull === number);
  if (rest === "/comments" && kind === "issues") {
    if (method === "GET") return pageOf(said.filter((one) => one.kind === "comment").map(remarkJson), query);
    const remark = model.say({ pull: number, kind: "comment", author: model.me, text: field(body, "body") ?? "" });
    return json(remarkJson(remark), 201);
  }
  const issue = model.issues.find((one) => one.number === number);
  if (kind === "issues" && issue !== undefined && rest === "") return json(issueJson(model, issue));
  const pull = model.pull(number);
  if (pull === undefined) return json({ message: "Not Found" }, 404);
  if (kind === "issues" && rest === "")
    return json({
      number,
      state: pull.state === "open" ? "open" : "closed",
      closed_by: user(pull.endedBy),
      title: pull.title,
    });
  if (rest === "/comments") return pageOf(said.filter((one) => one.kind === "line").map(remarkJson), query);
  if (rest === "/reviews") return pageOf(said.filter((one) => one.kind === "review").map(remarkJson), query);
  if (rest === "/merge") return merge(model, pull, body);
  if (method === "PATCH") {
    for (const name of ["title", "body", "base"] as const) {
      const value = field(body, name);
      if (value !== undefined) pull[name] = value;
    }
    if (field(body, "state") === "closed") model.close(pull, model.me);
    return json(pullJson(model, pull));
  }
  if (pull.computing > 0) {
    pull.computing -= 1;
    return json({ ...pullJson(model, pull), mergeable: null, mergeable_state: "unknown" });
  }
  return json(pullJson(model, pull));
}

function merge(model: ForgeModel, pull: DoublePull, body: unknown): Response {
  if (pull.state !== "open") return json({ message: "Pull Request is not mergeable" }, 405);
  if (pull.computing > 0) {
    pull.computing -= 1;
    return json({ message: "Base branch was modified. Review and try the merge again." }, 405);
  }
  if (field(body, "sha") !== model.headOf(pull))
    return json({ message: "Head branch was modified. Review and try the merge again." }, 409);
  if (model.rules.queue) return json({ message: "Changes must be made through the merge queue" }, 405);
  const why = model.blocked(pull) ?? (model.conflictOf(pull) ? "Pull Request is not mergeable" : undefined);
  if (why !== undefined) return json({ message: why }, 405);
  const method = field(body, "merge_method") as "merge" | "squash" | "rebase";
  return json({ merged: true, sha: model.merge(pull, method, model.me) });
}

function ofGraph(model: ForgeModel, wish: DoubleWish): Response {
  const { query = "", variables = {} } = wish.body as { query?: string; variables?: { id?: string; head?: string } };
  const pull = model.pull(Number(variables.id?.replace("PR_", "")));
  if (query.includes("isInMergeQueue"))
    return json({ data: { node: pull === undefined ? null : { isInMergeQueue: pull.queued } } });
  return enqueue(model, pull, variables.head);
}

function enqueue(model: ForgeModel, pull: DoublePull | undefined, head: string | undefined): Response {
  if (pull === undefined) return json({ errors: [{ message: "Could not resolve to a node" }] });
  if (head !== model.headOf(pull)) return json({ errors: [{ message: "The expected head does not match" }] });
  const why = model.blocked(pull);
  if (why !== undefined) return json({ errors: [{ message: why }] });
  pull.queued = true;
  return json({ data: { enqueuePullRequest: { mergeQueueEntry: { position: 1 } } } });
}

const user = (login: string | undefined) => (login === undefined ? null : { login });

export function pullJson(model: ForgeModel, pull: DoublePull) {
  const isOpen = pull.state === "open";
  const conflicts = isOpen && model.conflictOf(pull);
  const state = conflicts
    ? "dirty"
    : model.rules.upToDate && isOpen && model.isBehind(pull)
      ? "behind"
      : isOpen && model.blocked(pull) !== undefined
        ? "blocked"
        : "clean";
  return {
    number: pull.number,
    node_id: `PR_${pull.number}`,
    html_url: `http://forge/${model.owner}/${model.name}/pull/${pull.number}`,
    state: isOpen ? "open" : "closed",
    merged: pull.state === "merged",
    merged_at: pull.state === "merged" ? "2026-01-01T00:00:00Z" : null,
    merged_by: pull.state === "merged" ? user(pull.endedBy) : null,
    merge_commit_sha: pull.mergeCommit ?? null,
    mergeable: isOpen ? !conflicts : null,
    mergeable_state: state,
    draft: pull.draft,
    title: pull.title,
    body: pull.body,
    user: user(pull.author),
    requested_reviewers: model.rules.reviews > 0 ? [{ login: "mona" }] : [],
    head: { ref: pull.branch, sha: model.headOf(pull), label: `${model.owner}:${pull.branch}` },
    base: { ref: pull.base, sha: model.baseOf(pull) },
  };
}

export const remarkJson = (one: DoubleRemark) => ({
  id: one.id,
  user: user(one.author),
  body: one.text,
  ...(one.kind === "review" ? { state: one.verdict ?? "COMMENTED" } : {}),
  ...(one.kind === "line" ? { path: one.path, line: one.line } : {}),
});

export const issueJson = (model: ForgeModel, one: DoubleIssue) => ({
  number: one.number,
  title: one.title,
  body: one.body,
  html_url: `http://forge/${model.owner}/${model.name}/issues/${one.number}`,
  user: user(one.author),
  state: one.state,
  labels: one.labels.map((name) => ({ name })),
});
