// Maps the first word of a command to the file that declares it. The fast path loads one of these files; help, completion and the reference
// load all.

import type { CommandDeclaration } from "../input/command.ts";

type Load = () => Promise<readonly CommandDeclaration[]>;

const agents: Load = async () => (await import("./agents.ts")).commands;
const runtime: Load = async () => (await import("./runtime.ts")).commands;
const watchdog: Load = async () => (await import("./watchdog.ts")).commands;
const restart: Load = async () => (await import("./restart.ts")).commands;
const service: Load = async () => (await import("./service.ts")).commands;
const config: Load = async () => (await import("./config.ts")).commands;
const daemon: Load = async () => (await import("./daemon.ts")).commands;
const query: Load = async () => (await import("./query.ts")).commands;
const channel: Load = async () => (await import("./channel.ts")).commands;
const session: Load = async () => (await import("./session.ts")).commands;
const status: Load = async () => (await import("./status.ts")).commands;
const timeline: Load = async () => (await import("./timeline.ts")).commands;
const database: Load = async () => (await import("./database.ts")).commands;
const clock: Load = async () => (await import("./clock.ts")).commands;
const doctor: Load = async () => (await import("./doctor.ts")).commands;
const complete: Load = async () => (await import("./complete.ts")).commands;
const conflicts: Load = async () => (await import("./conflicts.ts")).commands;
const notices: Load = async () => (await import("./notices.ts")).commands;
const claim: Load = async () => (await import("./claim.ts")).commands;
const worker: Load = async () => (await import("./worker.ts")).commands;
const approvals: Load = async () => (await import("./approvals.ts")).commands;
const cost: Load = async () => (await import("./cost.ts")).commands;
const schedules: Load = async () => (await import("./schedules.ts")).commands;
const repo: Load = async () => (await import("./repo.ts")).commands;
const review: Load = async () => (await import("./review.ts")).commands;
const task: Load = async () => (await import("./task.ts")).commands;
const pull: Load = async () => (await import("./pull.ts")).commands;
const a2a: Load = async () => (await import("./a2a.ts")).commands;
const mesh: Load = async () => (await import("./mesh.ts")).commands;
const issue: Load = async () => (await import("./issue.ts")).commands;
const workspace: Load = async () => (await import("./workspace.ts")).commands;
const contract: Load = async () => (await import("./contract.ts")).commands;
const services: Load = async () => (await import("./services.ts")).commands;
const check: Load = async () => (await import("./check.ts")).commands;
const tryIt: Load = async () => (await import("./try.ts")).commands;
const drill: Load = async () => (await import("./drill.ts")).commands;
const demo: Load = async () => (await import("./demo.ts")).commands;
const evaluation: Load = async () => (await import("./eval.ts")).commands;
const told: Load = async () => (await import("./told.ts")).commands;
const mcp: Load = async () => (await import("./mcp.ts")).commands;
const trust: Load = async () => (await import("./trust.ts")).commands;
const attention: Load = async () => (await import("./attention.ts")).commands;
const morning: Load = async () => (await import("./morning.ts")).commands;
const dashboard: Load = async () => (await import("./dashboard.ts")).commands;
const docs: Load = async () => (await import("./docs.ts")).commands;
const release: Load = async () => (await import("./release.ts")).commands;
const serve: Load = async () => (await import("./serve.ts")).commands;
const version: Load = async () => (await import("./version.ts")).commands;
const bench: Load = async () => (await import("./bench.ts")).commands;

/** By what somebody wants to do, as help lists them: for each first word, the file that declares its commands. */
const groups = {
  Begin: {
    try: tryIt,
    demo,
    "demo-agent": demo,
    status,
    watch: status,
    attention,
    morning,
    dashboard,
    onboard: session,
    doctor,
  },
  Align: {
    check,
    conflicts,
    plan: conflicts,
    notices,
    why: notices,
    claim,
    publish: told,
    decision: told,
    memory: told,
    repo,
    contract,
    services,
  },
  Agents: {
    up: agents,
    down: agents,
    agents,
    agent: agents,
    agentinfinity: agents,
    attach: agents,
    screen: agents,
    restart,
    "restart-run": restart,
    handoffs: restart,
    tell: channel,
    channel,
    session,
    escalate: session,
    quiet: session,
    notify: session,
    approvals,
    worker,
  },
  Tasks: { task, review, pull, issue, a2a, workspace, cron: schedules, loop: schedules, firing: schedules },
  Ask: { cost, query, explain: query, events: timeline, announce: timeline, audit: timeline },
  Trust: { keys: trust, owner: trust, token: trust, mesh },
  System: {
    daemon,
    serve,
    login: serve,
    logout: serve,
    config,
    db: database,
    clock,
    watchdog,
    drill,
    service,
    "script-agent": watchdog,
    "adopt-orphans": watchdog,
    runtime,
    install: runtime,
    mcp,
    completion: complete,
    docs,
    version,
    upgrade: release,
    downgrade: release,
    uninstall: release,
    complete,
    bench,
    eval: evaluation,
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Load>>>>;

const byFirstWord: Readonly<Record<string, Load>> = Object.assign({}, ...Object.values(groups));

export const firstWords = Object.keys(byFirstWord);

/** The headings of help, and the first words below each. */
export const helpGroups: readonly (readonly [heading: string, words: readonly string[]])[] = Object.entries(groups).map(
  ([heading, words]) => [heading, Object.keys(words)],
);

/** The commands that begin with this word; none when it begins no command. */
export async function commandsFor(word: string): Promise<readonly CommandDeclaration[]> {
  const load = Object.hasOwn(byFirstWord, word) ? byFirstWord[word] : undefined;
  const commands = await load?.();
  return (commands ?? []).filter((command) => command.name === word || command.name.startsWith(`${word} `));
}

export async function allCommands(): Promise<readonly CommandDeclaration[]> {
  const loaded = await Promise.all([...new Set(Object.values(byFirstWord))].map((load) => load()));
  return loaded.flat();
}
