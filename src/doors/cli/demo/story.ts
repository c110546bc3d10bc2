// The story of the demo, in order. Every command that is shown is run, and everything that is told is looked for.

import { Outage } from "../../../protocol/errors.ts";
import { mesh } from "./mesh.ts";
import type { Narrator } from "./narrator.ts";
import { projectFiles, tasks, tillFiles, tillWork } from "./project.ts";
import { review, reviewFiles } from "./review.ts";
import { rows } from "./rows.ts";
import type { Ran, Show, Stage } from "./stage.ts";

interface Finding {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
}

/** The parts that can be played alone. */
export const parts = ["collision", "contract", "night", "review", "mesh"] as const;
export type Part = (typeof parts)[number];

export interface StoryWish {
  /** Undefined plays the whole story. */
  readonly part?: Part | undefined;
  /** Shows a link to the dashboard, once there is one. */
  readonly showLink?: ((url: string) => void) | undefined;
}

export async function playStory(stage: Stage, narrator: Narrator, { showLink, part }: StoryWish = {}): Promise<void> {
  const show = async (words: readonly string[], most?: number, exits: readonly number[] = [0]): Promise<Ran> => {
    await narrator.command(words);
    const ran = await stage.run(words);
    await narrator.printed(ran.stdout === "" ? ran.stderr : ran.stdout, most);
    if (!exits.includes(ran.code)) throw new Outage("run", words.join(" "), ran.stderr.trim() || `exit ${ran.code}`);
    return ran;
  };
  if (part === "mesh") {
    await stage.build(projectFiles);
    return await mesh(stage, narrator);
  }
  await begin(stage, narrator, show, showLink, part === "review" ? reviewFiles : projectFiles);
  if (part === "review") return await review(stage, narrator, show);
  if (part === "night") return await night(stage, narrator, show);
  await dispatch(stage, narrator, show);
  if (part !== "contract") await collisions(stage, narrator, show);
  if (part !== "collision") await elsewhere(stage, narrator, show);
  if (part !== undefined) return;
  await harvest(stage, narrator, show);
  await questions(narrator, show);
}

/** The demo's own dashboard, on a port that is free. */
async function link(stage: Stage, showLink: (url: string) => void): Promise<void> {
  const { stdout } = await stage.run(["constel", "dashboard", "--no-open"]);
  showLink(stdout.trim());
}

async function begin(
  stage: Stage,
  narrator: Narrator,
  show: Show,
  showLink: StoryWish["showLink"],
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await narrator.tell(
    `A small shop in a git repository, and four agents to work on it.\nThey are scripts; git, tmux and constel are real. All of it is in\n${stage.top}`,
  );
  await stage.build({ ...files, ...Object.fromEntries(tasks.map(({ file, brief }) => [file, brief])) });
  if (showLink !== undefined)
    for (const [key, value] of [
      ["http.port", "0"],
      ["http.enabled", "true"],
    ] as const)
      await stage.run(["constel", "config", "set", key, value]);
  await show(["constel", "up", "4", "--type", "script", "--no-attach"]);
  if (showLink !== undefined) await link(stage, showLink);
  const idle = await stage.until(
    () => rows<{ state: string }>(stage, "select state from clones_now where role = 'clone'"),
    (clones) => clones.length === 4 && clones.every(({ state }) => state === "idle"),
  );
  narrator.seen("four agents, each in its own terminal, ready for work", idle !== undefined);
}

async function dispatch(stage: Stage, narrator: Narrator, show: Show): Promise<void> {
  await narrator.tell("A brief is a file. A task is a brief with a number.");
  const [first, ...others] = tasks;
  await show(["cat", first.file]);
  await show(["constel", "task", "create", first.title, "--brief", first.file]);
  await narrator.tell("Dispatched: it gets a clone of the repository, a branch, and an agent.");
  await show(["constel", "task", "dispatch", "1", "--agent", "1"]);
  await narrator.tell("Three more, for the others.");
  for (const [index, { title, file }] of others.entries()) {
    const number = String(index + 2);
    await show(["constel", "task", "create", title, "--brief", file]);
    await show(["constel", "task", "dispatch", number, "--agent", number], 1);
  }
  const delivered = await stage.until(
    () => rows<{ task: number }>(stage, "select task from task_events where type = 'brief_delivered'"),
    (events) => new Set(events.map(({ task }) => task)).size === 4,
  );
  const waiting = delivered === undefined ? await notArrived(stage) : [];
  narrator.seen("every brief arrived: each agent said so itself", delivered !== undefined, waiting);
}

/** Where the assignments stand of which nobody has proven that they arrived. */
async function notArrived(stage: Stage): Promise<string[]> {
  const lines: string[] = [];
  for (const number of tasks.keys()) {
    const { code, stdout } = await stage.run(["constel", "task", "show", String(number + 1), "--json"]);
    if (code !== 0) continue;
    const { dispatches, events } = JSON.parse(stdout) as {
      readonly dispatches: readonly {
        readonly agent: string;
        readonly state: string;
        readonly problem: string | null;
      }[];
      readonly events: readonly { readonly type: string }[];
    };
    if (events.some(({ type }) => type === "brief_delivered")) continue;
    const standing = dispatches.map(
      ({ agent, state, problem }) => `${agent}: ${state}${problem ? `, ${problem}` : ""}`,
    );
    lines.push(`task ${number + 1} has not arrived (${standing.join("; ") || "it was given to nobody"})`);
  }
  return lines;
}

async function collisions(stage: Stage, narrator: Narrator, show: Show): Promise<void> {
  await narrator.tell("They edit. Nobody has merged anything, and two have not even committed.");
  const wanted = ["semantic", "textual"];
  const findings =
    (await stage.until(
      () => rows<Finding>(stage, "select id, kind, title from open_findings order by kind"),
      (open) => wanted.every((kind) => open.some((one) => one.kind === kind)),
    )) ?? [];
  await show(["constel", "conflicts"], undefined, [0, 1]);
  const textual = findings.find(({ kind }) => kind === "textual");
  const semantic = findings.find(({ kind }) => kind === "semantic");
  narrator.seen("two collisions are foreseen, and no third is made up", findings.length === 2);

  await narrator.tell("Two change the same line: both sides' lines, before any merge.");
  const both = await explain(textual, show);
  const sees = (text: string, ...words: string[]): boolean => words.every((word) => text.includes(word));
  narrator.seen("the line of one side, and of the other", sees(both, "Math.round(", "* 1.07"));

  await narrator.tell("One renames what another has just begun to use. git would merge these two\nwithout a word.");
  const names = await explain(semantic, show);
  narrator.seen(
    "the new name, and the use of the old one",
    sees(names, "formatMoney", "formatPrice", "src/receipt.ts"),
  );

  await narrator.tell("agent4 also edited src/cart.ts, the file of agent1, on other lines.");
  const quiet = await show(["constel", "check", "workspaces/1/repo", "workspaces/4/repo"], undefined, [0, 1]);
  narrator.seen(
    "silence: editing the same file is not a collision",
    quiet.code === 0 && quiet.stdout.includes("nothing collides"),
  );
}

/** Shows what no merge can see: the code that breaks is in another repository. */
async function elsewhere(stage: Stage, narrator: Narrator, show: Show): Promise<void> {
  await narrator.tell(
    "Another repository, till, asks the shop for orders. agent3 also renamed a field\nof the shop's API: no merge of the shop will notice.",
  );
  await stage.buildBeside("till", tillFiles, tillWork);
  await show(["constel", "repo", "add", "../till"], 2);
  const broken = await stage.until(
    () => rows<Finding>(stage, "select id, kind, title from open_findings where kind = 'contract'"),
    (open) => open.length > 0,
  );
  const told = await explain(broken?.[0], show);
  narrator.seen(
    "till hears of it before it lands, with its own line",
    told.includes("src/pay.ts:3") && told.includes("total"),
  );
}

/** Shows what happens while nobody looks: something fires, something crashes, and a page tells of it in the morning. */
async function night(stage: Stage, narrator: Narrator, show: Show): Promise<void> {
  await narrator.tell(
    "Nobody is at the keyboard. A cron tells agent1 something every night;\nfired now, it arrives with proof.",
  );
  await show(["constel", "cron", "add", "tidy", "0 3 * * *", "agent1", "Look at the day and tidy up"]);
  await show(["constel", "cron", "run", "tidy"]);
  const heard = await stage.until(
    () => rows<{ state: string }>(stage, "select state from messages where receiver = 'agent1'"),
    (messages) => messages.some(({ state }) => state === "delivered" || state === "acked"),
  );
  narrator.seen("agent1 heard it, and said so itself", heard !== undefined);

  await narrator.tell("An agent crashes, and the daemon after it. Nobody is called.");
  const drilled = await show(["constel", "drill", "agent2", "daemon", "--yes"], undefined, [0, 1]);
  narrator.seen("both came back by themselves", drilled.code === 0);

  await narrator.tell("In the morning one page says what happened; no model is asked.");
  const page = await show(["constel", "morning"], undefined, [0, 1]);
  narrator.seen("the page", page.stdout.includes("Landed in the last 12h"));
}

async function explain(finding: Finding | undefined, show: Show): Promise<string> {
  if (finding === undefined) return "";
  return (await show(["constel", "conflicts", "--explain", finding.id.slice(-6)], 24)).stdout;
}

async function harvest(stage: Stage, narrator: Narrator, show: Show): Promise<void> {
  await narrator.tell("agent1 said that it is done. Its work lands when the gate (check.sh) is green.");
  await stage.until(
    () => rows<{ state: string }>(stage, "select state from tasks where number = 1"),
    ([task]) => task?.state === "ready",
  );
  const landed = await show(["constel", "task", "harvest", "1"], undefined, [0, 1]);
  const gates = await rows<{ n: number }>(
    stage,
    "select count(*) as n from task_events where task = 1 and type = 'gate_passed'",
  );
  const log = await show(["git", "ls-remote", "origin", "main"]);
  const sha = /\b[0-9a-f]{40}\b/.exec(log.stdout)?.[0] ?? "none";
  const isOn = landed.code === 0 && landed.stdout.includes(sha.slice(0, 12));
  narrator.seen("it passed the gate and is on main", isOn && Number(gates[0]?.n) === 1);
}

async function questions(narrator: Narrator, show: Show): Promise<void> {
  await narrator.tell("Everything is in a database. What is everyone doing?");
  const doing = await show([
    "constel",
    "query",
    "select c.agent, c.state, t.number as task, t.state as work, t.title from clones_now c left join tasks t on t.agent = c.agent where c.role = 'clone' order by c.agent",
  ]);
  const agents = ["agent1", "agent2", "agent3", "agent4"];
  narrator.seen(
    "all four, with their work",
    agents.every((agent) => doing.stdout.includes(agent)),
  );
  await narrator.tell("What landed today?");
  const landed = await show(["constel", "query", "select task, title, agent, target from landed_today"]);
  narrator.seen("the task that landed, and who did it", /Round the total +agent1/.test(landed.stdout));
}
