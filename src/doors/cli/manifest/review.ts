import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/review.ts");

const task = { field: "task" } as const;
const read = { field: "read", value: "HEAD" } as const;

export const commands: readonly CommandDeclaration[] = [
  asking("review.list", {
    name: "review ls",
    elsewhere: true,
    summary: "Reviews that were asked for and not answered",
    flags: {
      task: { field: "task" },
      reviewer: { field: "reviewer", value: "WHO" },
      all: { field: "all", short: "a" },
      limit: { field: "limit", short: "n" },
    },
    examples: ["constel review ls", "constel review ls --all --task 12"],
    load: async () => (await load()).list,
  }),
  asking("review.show", {
    name: "review show",
    elsewhere: true,
    summary: "What a reviewer reads: brief, acceptance, the changes, open findings, earlier answers",
    details:
      "The changes are those of the commits that were called ready, as they would land; uncommitted ones are not in them. The last lines name the head to answer about.",
    arguments: [task],
    flags: { stat: { summary: "Only the files, with how many lines" } },
    examples: ["constel review show 12", "constel review show 12 --stat"],
    load: async () => (await load()).show,
  }),
  asking("review.answer", {
    name: "review approve",
    elsewhere: true,
    summary: "Approve the commits that you read",
    details:
      "The answer counts for the head that --read names and for no later commit. Nobody approves their own work, and an agent only what it was asked to review.",
    fixed: { verdict: "approved" },
    arguments: [task, { field: "text", rest: true }],
    flags: { read },
    examples: ["constel review approve 12 --read 3fa2b1c04d5e"],
    load: async () => (await load()).approve,
  }),
  asking("review.answer", {
    name: "review changes",
    elsewhere: true,
    summary: "Ask for changes; the task's agent gets all of it as one message",
    fixed: { verdict: "changes" },
    arguments: [task, { field: "text", rest: true }],
    flags: {
      read,
      on: { summary: "A line and what is to be changed there: FILE:LINE: TEXT", value: "PLACE", repeat: true },
    },
    examples: [
      'constel review changes 12 --read 3fa2b1c04d5e "The total is wrong for refunds"',
      'constel review changes 12 --read 3fa2b1c04d5e --on "src/cart.ts:12: round half up, as the contract says"',
    ],
    load: async () => (await load()).changes,
  }),
];
