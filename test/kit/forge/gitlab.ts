// The double's GitLab: merge requests, notes, pipelines with jobs, approvals.

import { type DoubleWish, field, json, pageOf } from "./dialect.ts";
import type { DoubleIssue, DoublePull, DoubleRemark, ForgeModel } from "./model.ts";

export function answerAsGitlab(model: ForgeModel, wish: DoubleWish): Response {
  if (wish.path === "/user") return json({ username: model.me });
  const base = `/projects/${model.owner}%2F${model.name}`;
  if (!wish.path.startsWith(`${base}/`)) return json({ message: "404 Project Not Found" }, 404);
  const path = wish.path.slice(base.length);
  const { method, query, body } = wish;
  const numbered = /^\/(merge_requests|issues)\/(\d+)(\/.*)?$/.exec(path);
  if (numbered?.[1] === "issues" && numbered[3] === undefined) {
    const issue = model.issues.find((one) => one.number === Number(numbered[2]));
    return issue === undefined ? json({ message: "404 Not Found" }, 404) : json(issueJson(issue));
  }
  if (numbered !== null) return ofNumber(model, wish, Number(numbered[2]), numbered[3] ?? "");
  if (path === "/merge_requests" && method === "GET") {
    const branch = query.get("source_branch");
    const found = model.pulls.filter(
      (one) => (branch === null || one.branch === branch) && (query.get("state") === "all" || one.state === "open"),
    );
    return pageOf(
      found.map((one) => requestJson(model, one)),
      query,
    );
  }
  if (path === "/merge_requests" && method === "POST") {
    const pull = model.open({
      branch: field(body, "source_branch") ?? "",
      base: field(body, "target_branch") ?? "",
      title: field(body, "title") ?? "",
      body: field(body, "description") ?? "",
    });
    return pull === undefined
      ? json({ message: ["Another open merge request already exists for this source branch"] }, 409)
      : json(requestJson(model, pull), 201);
  }
  if (path === "/issues") {
    const label = query.get("labels");
    const found = model.issues.filter(
      (one) => (label === null || one.labels.includes(label)) && (query.get("state") === "all" || one.state === "open"),
    );
    return pageOf(found.map(issueJson), query);
  }
  if (path === "/pipelines") {
    const checks = model.checksOf(query.get("sha") ?? "");
    if (checks.length === 0) return json([]);
    const status = checks.some(({ state }) => state === "red")
      ? "failed"
      : checks.some(({ state }) => state === "pending")
        ? "running"
        : "success";
    return json([{ id: checks[0]?.id, status, web_url: "http://forge/pipelines/1" }]);
  }
  const jobs = /^\/pipelines\/(\d+)\/jobs$/.exec(path);
  if (jobs !== null) {
    const found = [...model.checks.values()].find((all) => all[0]?.id === Number(jobs[1])) ?? [];
    return pageOf(
      found.map((one) => ({
        id: one.id,
        name: one.name,
        status: one.state === "red" ? "failed" : "success",
        web_url: `http://forge/jobs/${one.id}`,
      })),
      query,
    );
  }
  const trace = /^\/jobs\/(\d+)\/trace$/.exec(path);
  if (trace !== null)
    return new Response([...model.checks.values()].flat().find(({ id }) => id === Number(trace[1]))?.log ?? "");
  return json({ message: "404 Not Found" }, 404);
}

const issueJson = (one: DoubleIssue) => ({
  iid: one.number,
  title: one.title,
  description: one.body,
  web_url: `http://forge/issues/${one.number}`,
  author: { username: one.author },
  state: one.state === "open" ? "opened" : "closed",
  labels: one.labels,
});

function ofNumber(model: ForgeModel, wish: DoubleWish, number: number, rest: string): Response {
  const { method, query, body } = wish;
  const said = model.remarks.filter((one) => one.pull === number && one.text !== "");
  const note = /^\/notes\/(\d+)$/.exec(rest);
  if (note !== null) {
    const found = said.find(({ id }) => id === Number(note[1]));
    if (found === undefined) return json({ message: "404 Note Not Found" }, 404);
    found.text = field(body, "body") ?? "";
    return json(noteJson(found));
  }
  if (rest === "/notes") {
    if (method === "GET") return pageOf(said.map(noteJson), query);
    return json(
      noteJson(model.say({ pull: number, kind: "comment", author: model.me, text: field(body, "body") ?? "" })),
      201,
    );
  }
  const pull = model.pull(number);
  if (pull === undefined) return json({ message: "404 Not found" }, 404);
  if (rest === "/approvals") {
    const yes = Math.max(0, model.approvals(number));
    return json({
      approved: yes >= model.rules.reviews,
      approvals_left: Math.max(0, model.rules.reviews - yes),
      approved_by: Array.from({ length: yes }, () => ({ user: { username: "mona" } })),
    });
  }
  if (rest === "/merge") return merge(model, pull, body);
  if (method === "PUT") {
    pull.title = field(body, "title") ?? pull.title;
    pull.body = field(body, "description") ?? pull.body;
    pull.base = field(body, "target_branch") ?? pull.base;
    if (field(body, "state_event") === "close") model.close(pull, model.me);
  }
  return json(requestJson(model, pull));
}

function merge(model: ForgeModel, pull: DoublePull, body: unknown): Response {
  if (pull.state !== "open") return json({ message: "405 Method Not Allowed" }, 405);
  if (pull.computing > 0) {
    pull.computing -= 1;
    return json({ message: "405 Method Not Allowed" }, 405);
  }
  if (field(body, "sha") !== model.headOf(pull))
    return json({ message: "SHA does not match HEAD of source branch" }, 409);
  const { squash, auto_merge: auto } = body as { squash?: boolean; auto_merge?: boolean };
  if (auto === true) {
    pull.queued = true;
    return json(requestJson(model, pull));
  }
  if (model.blocked(pull) !== undefined || model.conflictOf(pull))
    return json({ message: "405 Method Not Allowed" }, 405);
  model.merge(pull, squash === true ? "squash" : "merge", model.me);
  return json(requestJson(model, pull));
}

function requestJson(model: ForgeModel, pull: DoublePull) {
  const isOpen = pull.state === "open";
  const conflicts = isOpen && model.conflictOf(pull);
  const computing = pull.computing > 0;
  if (computing) pull.computing -= 1;
  const detail = computing
    ? "checking"
    : conflicts
      ? "conflict"
      : model.approvals(pull.number) < 0
        ? "requested_changes"
        : isOpen && model.approvals(pull.number) < model.rules.reviews
          ? "not_approved"
          : isOpen && model.blocked(pull) !== undefined
            ? "ci_must_pass"
            : "mergeable";
  return {
    iid: pull.number,
    web_url: `http://forge/${model.owner}/${model.name}/-/merge_requests/${pull.number}`,
    state: isOpen ? "opened" : pull.state,
    sha: model.headOf(pull),
    source_branch: pull.branch,
    target_branch: pull.base,
    source_project_id: pull.forkHead === undefined ? 1 : 2,
    target_project_id: 1,
    title: pull.title,
    description: pull.body,
    author: { username: pull.author },
    draft: pull.draft,
    has_conflicts: conflicts,
    detailed_merge_status: detail,
    merge_when_pipeline_succeeds: pull.queued,
    merged_by: pull.state === "merged" ? { username: pull.endedBy } : null,
    closed_by: pull.state === "closed" ? { username: pull.endedBy } : null,
  };
}

const noteJson = (one: DoubleRemark) => ({
  id: one.id,
  body: one.text,
  author: { username: one.author },
  system: false,
  ...(one.kind === "line" ? { position: { new_path: one.path, new_line: one.line } } : {}),
});
