import { allowSecretFlag } from "../allow-secret.ts";
import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const own = () => import("../commands/a2a.ts");
const cards = () => import("../commands/a2a-card.ts");

export const commands: readonly CommandDeclaration[] = [
  asking("a2a.requests", {
    name: "a2a ls",
    summary: "What outside agents ask for over A2A, and which of it waits for you",
    flags: { all: { field: "all", short: "a" }, limit: { field: "limit", short: "n" } },
    examples: ["constel a2a ls", "constel a2a ls --all --json"],
    load: async () => (await own()).list,
  }),
  asking("a2a.accept", {
    name: "a2a accept",
    summary: "Let a request become a task, or its further words reach the agent that works on it",
    details:
      "Nothing that an outside agent writes reaches a model before. The setting `a2a.accept` names senders and skills that need no word of yours.",
    arguments: [{ field: "id" }],
    flags: {
      repository: { field: "repository", short: "r" },
      agent: { field: "agent" },
      title: { field: "title" },
      accept: { field: "accept" },
    },
    examples: ["constel a2a accept 4k7zq2", 'constel a2a accept 4k7zq2 --repository . --accept "bun test"'],
    load: async () => (await own()).accept,
  }),
  asking("a2a.refuse", {
    name: "a2a refuse",
    summary: "Refuse a request, or further words; the outside agent is told the reason",
    arguments: [{ field: "id" }],
    flags: { reason: { field: "reason" } },
    examples: ['constel a2a refuse 4k7zq2 --reason "not in this repository"'],
    load: async () => (await own()).refuse,
  }),
  asking("a2a.answer", {
    name: "a2a answer",
    summary: "Say something to the outside agent that asked: a word, a question, or the answer itself",
    details:
      "Name the request, or its task with --task. A file is handed over with --artefact; what is in a .json file as data.",
    arguments: [{ name: "words", summary: "The request's id, and what to say", rest: true }],
    flags: {
      task: { field: "task" },
      asks: { field: "asks" },
      done: { field: "done" },
      alone: { field: "alone" },
      artefact: { summary: "Hand this file over with it", value: "FILE", repeat: true },
    },
    examples: [
      'constel a2a answer 4k7zq2 "Which of the two pages?" --asks',
      'constel a2a answer 4k7zq2 "It is 42." --done',
      'constel a2a answer 4k7zq2 "No, it never was." --alone',
    ],
    load: async () => (await own()).answer,
  }),
  {
    name: "a2a ask",
    summary: "Ask an agent of somebody else's for something, over A2A",
    details:
      "Named by its address, or as in `a2a.remotes`. Answers when it has taken the message; with --wait when it is done, asks something, or gives up. Exits 1 if it failed, was refused or was stopped. docs/guides/a2a.md says how a clone stands for such an agent, so that tasks can be given to it.",
    tier: "floor",
    may: "owner",
    effect: "writes",
    arguments: [
      { name: "remote", summary: "Its address, or its name in `a2a.remotes`" },
      { name: "words", summary: "What to ask", rest: true },
    ],
    flags: {
      wait: { summary: "Wait until it is done, and print what it hands over" },
      skill: { summary: "For this skill of its card", value: "SKILL" },
      task: { summary: "Further words about this task of its", value: "ID" },
      "token-file": { summary: "The file with the token that its owner made for you", value: "FILE" },
      key: { summary: "A public key that must have signed its card: a word, or a file", value: "KEY", repeat: true },
      ...allowSecretFlag,
    },
    examples: [
      'constel a2a ask theirs "Which versions of the API are still served?" --wait',
      'constel a2a ask https://agents.example.org "Fix the login test" --token-file ~/.their-token',
    ],
    load: async () => (await import("../commands/a2a-ask.ts")).ask,
  },
  {
    name: "a2a card",
    summary: "Print the public keys of your agent card, or judge another's card by keys that you were given",
    details:
      "Your keys are printed as words; hand them to whoever is to know your card. With --verify the card of another agent is fetched and judged by the keys of --key, or of its entry in `a2a.remotes`: never by a key, or an address of keys, that the card itself names. Exits 1 if none of them signed it.",
    tier: "floor",
    may: "owner",
    effect: "reads",
    flags: {
      verify: { summary: "The agent's address, or its name in `a2a.remotes`", value: "URL" },
      key: {
        summary: "A public key that you were given: a word, or a file with a JWK or PEM",
        value: "KEY",
        repeat: true,
      },
    },
    examples: [
      "constel a2a card",
      "constel a2a card --verify https://agents.example.org --key EdDSA:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    ],
    load: async () => (await cards()).card,
  },
];
