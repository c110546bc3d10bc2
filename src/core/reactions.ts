// All that constel does by itself, in one list: what each thing waits for, which verb it calls, and how often it is done in any
// case. daemon/loops/react.ts drives it, and daemon/compose.ts gives each entry its verb.
//
// Three things make a round come soon: an event on the timeline (`task.*` is any that begins so), a hint (a watch on
// files, a word from a terminal or from another round), and time. Events and hints only hasten: a daemon that was not there
// missed them and watches are lost, so every entry also comes by time alone. For the same reason every verb here is safe to
// run twice: it reads what is wanted and what is so, and does what is left to do. A round that only time called for may leave out
// looking where a watch heard nothing, or asking the database when nothing was written, for some ten seconds.

export interface Reaction {
  /** In one sentence. */
  readonly does: string;
  /** The verb that a round calls, and where it is. */
  readonly calls: string;
  /** Types of events after which a round comes at once. */
  readonly events: readonly string[];
  /** The other things that hasten a round. */
  readonly hints: readonly Hint[];
  /** So long after the last round another comes, unless the round itself says when. */
  readonly everyMs: number;
  /** Everything that happens within this time is answered by one round. */
  readonly gatherMs?: number;
}

export type Hint =
  | "hook files" // what agents' hooks append
  | "launch files" // what is wanted of agents
  | "guest files" // sessions that people started
  | "inboxes" // messages for agents
  | "terminals" // an agent's screen or title changed
  | "agents seen" // an agent is in another state than before
  | "a delivery" // a message was handed over, or could not be
  | "a budget"; // an agent has used up its day

const secondMs = 1_000;
const hourMs = 3_600_000;

export const reactions = {
  agents: {
    does: "Sees how every agent is, ends what dead programs left, and tells those whose limit has lifted to go on.",
    calls: "Fleet.sweep (daemon/agents/fleet.ts)",
    events: [],
    hints: ["hook files", "launch files", "terminals", "a delivery"],
    everyMs: secondMs,
  },
  deliver: {
    does: "Brings messages to agents that can take them, and looks for proof that they arrived.",
    calls: "Deliveries.round (daemon/agents/deliveries.ts)",
    events: [],
    hints: ["inboxes", "agents seen", "a delivery", "a budget"],
    everyMs: 2 * secondMs,
  },
  guests: {
    does: "Sees the sessions that people started themselves, and lays their messages where their hooks find them.",
    calls: "SeenGuests.look (daemon/guests/see-guests.ts), GuestMessages.attend (daemon/guests/guest-messages.ts)",
    events: [],
    hints: ["guest files", "hook files", "inboxes"],
    everyMs: 2 * secondMs,
  },
  usage: {
    does: "Counts what agents use, and holds back those whose budget is reached.",
    calls: "UsageAccount.round (daemon/agents/usage.ts)",
    events: [],
    hints: [],
    everyMs: 5 * secondMs,
  },
  dispatch: {
    does: "Delivers assignments, gives queued tasks to clones as they become free, and finishes what was left half done.",
    calls: "dispatchRound (core/tasks/assigning/dispatch-round.ts)",
    events: ["task.*", "agent.seen-changed"],
    hints: [],
    everyMs: 2 * secondMs,
  },
  harvest: {
    does: "Lands what was asked for, one train after the other, and tidies up after itself.",
    calls: "harvestRound (core/tasks/landing/harvest.ts)",
    events: ["harvest.asked"],
    hints: [],
    everyMs: 5 * secondMs,
  },
  pulls: {
    does: "Opens and follows pull requests: pushes branches, tells agents what is missing, merges what is green, asks the origin what landed.",
    calls: "pullsRound (core/pulls/round.ts)",
    events: ["task.proposed", "task.ready", "task.cancelled", "task.closed"],
    hints: [],
    everyMs: 5 * secondMs,
  },
  a2a: {
    does: "Gives out what outside agents were granted, tells them what becomes of it, and sends that to the addresses they named.",
    calls: "a2aRound (core/a2a/round.ts), pushRound (core/a2a/push-round.ts)",
    events: ["a2a.*", "task.*"],
    hints: [],
    everyMs: 15 * secondMs,
  },
  issues: {
    does: "Makes tasks of new issues with a followed label, and writes to each issue where its task stands.",
    calls: "issuesRound (core/issues/round.ts)",
    events: ["task.*", "issue.followed"],
    hints: [],
    everyMs: 15 * secondMs,
    gatherMs: 2 * secondMs,
  },
  reviews: {
    does: "Tells the agents that were asked for a review, and asks again when other commits are ready.",
    calls: "reviewsRound (core/reviews/tell-reviewers.ts)",
    events: ["review.asked", "task.ready"],
    hints: [],
    everyMs: 5 * secondMs,
  },
  pushed: {
    does: "Treats a pushed branch plus an idle clone as `task ready`, where the settings say so.",
    calls: "takePushed (core/tasks/assigning/pushed.ts)",
    events: [],
    hints: [],
    everyMs: 3 * secondMs,
  },
  workspaces: {
    does: "Has the workspaces of tasks watched, from the moment they are made until their work has landed or was given up.",
    calls: "observedWorkspaces (core/tasks/workspaces/observed-workspaces.ts)",
    events: ["task.*", "workspace.*"],
    hints: [],
    everyMs: 30 * secondMs,
    // A fresh workspace holds nothing to see yet, and looking at it takes a dozen git commands: the task's brief reaches its
    // agent first (docs/decisions/0016-what-a-dispatch-costs.md). An edit that a hook tells of is looked at in any case.
    gatherMs: 500,
  },
  observe: {
    does: "Keeps what is watched over in step with which repositories are wanted.",
    calls: "observedClones (core/worktrees/list.ts)",
    events: [],
    hints: [],
    everyMs: 30 * secondMs,
  },
  origins: {
    does: "Has the origins asked where their default branch stands, at once when something landed.",
    calls: "FollowedOrigin.hint (sensing/followed-origin.ts)",
    events: ["task.harvested", "task.taken_back", "task.landed_again"],
    hints: [],
    // Each origin is asked by its own time as well (`repo.fetch_seconds`).
    everyMs: hourMs,
  },
  hooks: {
    does: "Passes on what agents' hooks say of files: their worktree is watched, and an edit is looked at right away.",
    calls: "SensingClient.touch (daemon/sensing-client.ts)",
    events: [],
    hints: ["hook files"],
    everyMs: secondMs,
  },
  claims: {
    does: "Tells sensing what is claimed: when a claim is made or dropped, when one ends, and when agents and worktrees come or move.",
    calls: "heldClaims (core/claims/claim.ts)",
    // A claim counts where its holder works: with a repository that is forgotten and added again both were gone.
    events: ["claim.*", "worktree.*", "repository.*"],
    hints: [],
    everyMs: 30 * secondMs,
  },
  contracts: {
    does: "Compares the contracts that services provide, and opens findings for the worktrees of consumers that a change breaks.",
    calls: "contractsRound (core/services/contracts-round.ts)",
    // A keystroke leaves no event; what became of worktrees is read in any case.
    events: ["worktree.*", "repository.*"],
    hints: [],
    everyMs: secondMs,
  },
  notices: {
    does: "Addresses findings, claims and events to the agents concerned, takes the proof that they were told, and lays ready what each is to hear next.",
    calls: "noticesRound (core/notices/round.ts)",
    events: [
      "finding.*",
      "claim.*",
      "decision.*",
      "event.*",
      "task.*",
      "workspace.*",
      "worktree.entered",
      "worktree.gone",
      "agent.seen-changed",
    ],
    hints: ["hook files"],
    everyMs: secondMs,
  },
  approvals: {
    does: "Denies permission requests that nobody answered in time, lets go of those whose agent no longer asks, and wakes agents that did not hear how theirs ended.",
    calls: "endApprovals (core/approvals/approve.ts), wakeAskers (core/approvals/wake-askers.ts)",
    events: ["approval.asked", "approval.answered"],
    hints: [],
    everyMs: 10 * secondMs,
  },
  schedules: {
    does: "Fires crons and loops that are due, and carries out what they say.",
    calls: "scheduleRound (core/schedules/round.ts)",
    events: ["schedule.*", "loop.*", "agent.seen-changed", "task.*"],
    hints: [],
    everyMs: 15 * secondMs,
    // Its own events come one after another, and agents change all the time.
    gatherMs: secondMs,
  },
  owner: {
    does: "Notes what needs the owner, and tells them of it by their rules, once.",
    calls: "noteNeeds, duePages (core/owner/note-needs.ts)",
    events: ["approval.*", "agent.*", "task.*", "schedule.*", "loop.*", "worker.parked", "worker.started"],
    hints: [],
    everyMs: 15 * secondMs,
    gatherMs: 3 * secondMs,
  },
  replies: {
    does: "Fetches the owner's replies from Telegram, if a channel is set up and somebody may reply.",
    calls: "takeReply (core/owner/take-reply.ts)",
    events: [],
    hints: [],
    everyMs: 15 * secondMs,
  },
  mesh: {
    does: "Exchanges messages, pages and how things are with other constellations, and does what they sent.",
    calls: "meshLoop (daemon/mesh/mesh-loop.ts), arrivalsRound (core/mesh/arrivals.ts)",
    events: [],
    hints: ["inboxes"],
    everyMs: 2 * secondMs,
  },
  messages: {
    does: "Mirrors the bus into the database, and hears what clones say about their tasks.",
    calls: "accountFor (core/messages/account.ts)",
    events: [],
    hints: [],
    everyMs: secondMs,
  },
  sharing: {
    does: "Sends what other constellations need of repositories that the owner shared, and takes in their side of each pair.",
    calls: "SharingRound.round (core/sharing/round.ts)",
    events: ["repository.shared", "repository.unshared", "worktree.observed"],
    hints: [],
    everyMs: 5 * secondMs,
    gatherMs: secondMs,
  },
  workers: {
    does: "Gives a worker a turn when something has woken it, sends its answer, and parks it where a guard says so.",
    calls: "workersRound (core/workers/round.ts)",
    events: ["worker.*", "agent.seen-changed"],
    hints: ["hook files"],
    everyMs: 10 * secondMs,
  },
  intake: {
    does: "Takes in the records that commands left in files while no daemon ran.",
    calls: "takeInFile (daemon/intake/take-in-file.ts)",
    events: [],
    hints: [],
    everyMs: 2 * secondMs,
  },
  audit: {
    does: "Signs where the timeline stands and anchors it outside the database; notes on the timeline which keys there are.",
    calls: "Anchoring.round (core/audit/anchor.ts)",
    events: [],
    hints: [],
    everyMs: 10 * secondMs,
  },
  prune: {
    does: "Lets go of findings, claims, gate results, notices, published events, MCP calls, permission requests, firings, events, messages, commands and usage that are older than the settings keep.",
    calls:
      "prune (core/findings/prune.ts), pruneNotices (core/notices/prune.ts), pruneEvents (core/events/prune.ts), forgetOld (core/owner/forget-old.ts), letGo (core/retention/let-go.ts)",
    events: [],
    hints: [],
    everyMs: hourMs,
  },
  publish: {
    does: "Puts copies of published events into the inboxes of the agents they name; routes blocking ones that the owner allowed, and tells their publishers.",
    calls: "settleHeld (core/events/held.ts), deliverCopies (core/events/deliver-copies.ts)",
    events: ["event.published", "event.released", "approval.answered", "approval.timed-out"],
    hints: [],
    everyMs: 10 * secondMs,
  },
  recover: {
    does: "Ends or finishes what a kill or a full disk left between two states of a workspace.",
    calls: "recoverWorkspaces (core/tasks/workspaces/recover-workspaces.ts)",
    events: [],
    hints: [],
    everyMs: 5 * secondMs,
  },
  tidy: {
    does: "Lets go of kept workspaces and kept work whose time is over, and sweeps what was left behind.",
    calls:
      "pruneRescues (core/tasks/workspaces/rescues.ts), letGoOfKept (core/tasks/landing/ready-refs.ts), sweepWorkspaces (core/tasks/workspaces/recover-workspaces.ts)",
    events: [],
    hints: [],
    everyMs: hourMs,
  },
} as const satisfies Record<string, Reaction>;

export type ReactionName = keyof typeof reactions;

/** Returns a function that tells whether an event calls for a round. It is asked at every commit, so the names are taken apart once. */
export function calledBy({ events }: Pick<Reaction, "events">): (type: string) => boolean {
  const isWhole = (one: string): boolean => !one.endsWith("*");
  const whole = new Set(events.filter(isWhole));
  const beginnings = events.filter((one) => !isWhole(one)).map((one) => one.slice(0, -1));
  return (type) => whole.has(type) || beginnings.some((one) => type.startsWith(one));
}
