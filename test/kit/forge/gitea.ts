// The double's Gitea, as release 1.22 is: `head` and `draft` are ignored when pull requests are listed or opened.

import { type DoubleWish, field, json, pageOf } from "./dialect.ts";
import { issueJson, pullJson, remarkJson } from "./github.ts";
import type { DoublePull, ForgeModel } from "./model.ts";

export function answerAsGitea(model: ForgeModel, wish: DoubleWish): Response {
  if (wish.path === "/user") return json({ login: model.me });
  const base = `/repos/${model.owner}/${model.name}`;
  if (!wish.path.startsWith(`${base}/`)) return json({ message: "GetUserByName" }, 404);
  const path = wish.path.slice(base.length);
  const { method, query, body } = wish;
  const numbered = /^\/(pulls|issues)\/(\d+)(\/.*)?$/.exec(path);
  if (numbered !== null) return ofNumber(model, wish, Number(numbered[2]), numbered[1] ?? "", numbered[3] ?? "");
  if (path === "/pulls" && method === "GET") {
    const isOpen = query.get("state") !== "closed";
    const found = model.pulls.filter((one) => (one.state === "open") === isOpen);
    return pageOf(
      found.map((one) => giteaPull(model, one)),
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
    return pull === undefined
      ? json({ message: "pull request already exists for these targets" }, 409)
      : json(giteaPull(model, pull), 201);
  }
  if (path === "/issues" && method === "GET") {
    const label = query.get("labels");
    const found = model.issues.filter(
      (one) => (label === null || one.labels.includes(label)) && (query.get("state") === "all" || one.state === "open"),
    );
    return pageOf(
      found.map((one) => ({ ...issueJson(model, one), pull_request: null })),
      query,
    );
  }
  const comment = /^\/issues\/comments\/(\d+)$/.exec(path);
  if (comment !== null && method === "PATCH") {
    const found = model.remarks.find(({ id }) => id === Number(comment[1]));
    if (found === undefined) return json({ message: "not found" }, 404);
    found.text = field(body, "body") ?? "";
    return json(remarkJson(found));
  }
  const branch = /^\/branches\/(.+)$/.exec(path);
  if (branch !== null) {
    const tip = model.tip(`refs/heads/${decodeURIComponent(branch[1] ?? "")}`);
    if (tip === undefined) return json({ message: "branch does not exist" }, 404);
    return json({ name: branch[1], commit: { id: tip }, protected: true, required_approvals: model.rules.reviews });
  }
  const status = /^\/commits\/([0-9a-f]+)\/status$/.exec(path);
  if (status !== null) {
    const statuses = model.checksOf(status[1] ?? "").map((one) => ({
      id: one.id,
      context: one.name,
      status: { pending: "pending", green: "success", red: "failure" }[one.state],
      description: one.log,
      target_url: `http://forge/runs/${one.id}`,
    }));
    return json({ state: "pending", statuses, total_count: statuses.length });
  }
  return json({ message: "not found" }, 404);
}

function ofNumber(model: ForgeModel, wish: DoubleWish, number: number, kind: string, rest: string): Response {
  const { method, query, body } = wish;
  const said = model.remarks.filter(({ pull }) => pull === number);
  if (rest === "/comments" && kind === "issues") {
    if (method === "GET") return pageOf(said.filter((one) => one.kind === "comment").map(remarkJson), query);
    return json(
      remarkJson(model.say({ pull: number, kind: "comment", author: model.me, text: field(body, "body") ?? "" })),
      201,
    );
  }
  const issue = model.issues.find((one) => one.number === number);
  if (kind === "issues" && rest === "" && issue !== undefined)
    return json({ ...issueJson(model, issue), pull_request: null });
  const pull = model.pull(number);
  if (pull === undefined) return json({ message: "not found" }, 404);
  if (rest === "/reviews")
    return pageOf(
      said
        .filter((one) => one.kind === "review")
        .map((one) => ({
          ...remarkJson(one),
          state: one.verdict === "CHANGES_REQUESTED" ? "REQUEST_CHANGES" : (one.verdict ?? "COMMENT"),
        })),
      query,
    );
  const review = /^\/reviews\/(\d+)\/comments$/.exec(rest);
  if (review !== null)
    return pageOf(
      said
        .filter((one) => one.kind === "line" && one.review === Number(review[1]))
        .map((one) => ({ ...remarkJson(one), position: one.line })),
      query,
    );
  if (rest === "/merge") return merge(model, pull, body);
  if (method === "PATCH") {
    for (const name of ["title", "body", "base"] as const) {
      const value = field(body, name);
      if (value !== undefined) pull[name] = value;
    }
    if (field(body, "state") === "closed") model.close(pull, model.me);
    return json(giteaPull(model, pull), 201);
  }
  return json(giteaPull(model, pull));
}

function merge(model: ForgeModel, pull: DoublePull, body: unknown): Response {
  if (pull.state !== "open") return json({ message: "The pull request is closed" }, 405);
  if (pull.computing > 0) {
    pull.computing -= 1;
    return json({ message: "Please try again later" }, 405);
  }
  if (field(body, "head_commit_id") !== model.headOf(pull)) return json({ message: "head out of date" }, 409);
  const why = model.blocked(pull) ?? (model.conflictOf(pull) ? "not mergeable" : undefined);
  if (why !== undefined) return json({ message: why }, 405);
  model.merge(pull, field(body, "Do") as "merge" | "squash" | "rebase", model.me);
  return new Response(null, { status: 200 });
}

const giteaPull = (model: ForgeModel, pull: DoublePull) => {
  const { node_id: _, mergeable_state: __, ...rest } = pullJson(model, pull);
  const isFork = pull.forkHead !== undefined;
  return {
    ...rest,
    mergeable: pull.state === "open" && !model.conflictOf(pull),
    merge_base: model.git("merge-base", model.baseOf(pull), model.headOf(pull)).trim(),
    head: { ...rest.head, repo_id: isFork ? 2 : 1 },
    base: { ...rest.base, repo_id: 1 },
  };
};
