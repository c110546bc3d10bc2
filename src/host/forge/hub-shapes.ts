// What GitHub and Gitea answer in the same words: pull requests, remarks, issues, and the comments of both.

import type { ForgeIssue, OpenPull, PullRequest, Remark } from "../../ports/forge.ts";
import type { ForgeClient } from "./client.ts";
import { type CommentDesk, commentDesk } from "./put-comment.ts";
import { addressAt, at, commitAt, listAt, numberAt, textAt } from "./read-answer.ts";

export function pullOf(body: unknown): PullRequest {
  const isMerged = at(body, "merged") === true || textAt(body, "merged_at") !== "";
  return {
    number: numberAt(body, "number"),
    url: addressAt(body, "html_url"),
    state: isMerged ? "merged" : textAt(body, "state") === "open" ? "open" : "closed",
    head: commitAt(body, "head", "sha"),
    base: textAt(body, "base", "ref"),
    title: textAt(body, "title"),
    body: textAt(body, "body"),
  };
}

export const openPullOf = (body: unknown): OpenPull => ({
  ...pullOf(body),
  author: textAt(body, "user", "login"),
  ref: `refs/pull/${numberAt(body, "number")}/head`,
});

export function remarkOf(prefix: string, body: unknown): Remark {
  return {
    id: `${prefix}:${numberAt(body, "id")}`,
    author: textAt(body, "user", "login"),
    text: textAt(body, "body"),
    path: undefined,
    line: undefined,
    kind: prefix === "comment" ? "comment" : "review",
  };
}

export const reviewOf = (body: unknown): Remark => ({
  ...remarkOf("review", body),
  kind: kindOf(textAt(body, "state")),
});

/** A remark on a line; the two name the line differently. */
export function lineRemarkOf(body: unknown, line: unknown): Remark {
  return {
    ...remarkOf("line", body),
    path: textAt(body, "path") || undefined,
    line: typeof line === "number" && line > 0 ? line : undefined,
  };
}

const kindOf = (state: string): Remark["kind"] =>
  state === "CHANGES_REQUESTED" || state === "REQUEST_CHANGES"
    ? "changes-requested"
    : state === "APPROVED"
      ? "approved"
      : "review";

/** Undefined: it is a pull request, which both count among the issues. */
export function issueOf(body: unknown): ForgeIssue | undefined {
  if (at(body, "pull_request") instanceof Object) return undefined;
  return {
    number: numberAt(body, "number"),
    title: textAt(body, "title"),
    body: textAt(body, "body"),
    url: addressAt(body, "html_url"),
    author: textAt(body, "user", "login"),
    state: textAt(body, "state") === "open" ? "open" : "closed",
    labels: listAt(body, "labels").map((label) => (typeof label === "string" ? label : textAt(label, "name"))),
  };
}

/** The comments of an issue or a pull request: both are numbered alike, and commented on in one place. */
export const hubComments = (client: ForgeClient, base: string, number: number, me?: string): CommentDesk =>
  commentDesk(client, {
    all: `${base}/issues/${number}/comments`,
    one: (id) => `${base}/issues/comments/${id}`,
    change: "PATCH",
    by: (person) => textAt(person, "login"),
    author: "user",
    ...(me === undefined ? {} : { me }),
  });
