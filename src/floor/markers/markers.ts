// Every marker there is: files in `state/` whose name and presence are a signal, by what they say. marker-files.ts puts, reads and removes them;
// the few that hold a value, or are more than one file, have a file beside this one.

import { checkAgentId, isAgentId } from "../../protocol/agent-id.ts";
import { markersNamed, removeMarker } from "./marker-files.ts";

/** The markers of many subjects, one file each. */
export interface MarkerFamily {
  (subject: string): string;
  readonly prefix: string;
}

const family = (prefix: string, checked: (subject: string) => string): MarkerFamily =>
  Object.assign((subject: string): string => prefix + checked(subject), { prefix });
const ofAgent = (prefix: string): MarkerFamily => family(prefix, checkAgentId);

/** Anything that is not plainly a name for a commit becomes part of no file name. */
const plainSha = (sha: string): string =>
  sha
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .slice(0, 64) || "unnamed";

export const markers = {
  /** This home was set up once; a session may start in earnest. */
  onboarded: "onboarded",
  /** The watchdog agent is up and waits for something to repair. */
  watchdogReady: "agentinfinity-ready",
  /** The root went down under a loop, which the next session takes up if it comes soon (loop-resume.ts). */
  loopResume: "loop-resume",
  /** The time that ticks have been there to see (witnessed-time.ts). */
  witnessedTime: "witnessed-time",
  /** Counts the ticks in a row that found no ticker. */
  tickerMissing: "ticker-missing-count",
  /** Counts the ticks in a row that found a daemon which does not answer. */
  daemonSilent: "daemon-silent-count",
  /** Somebody stopped it: it stays so until a command needs it. */
  daemonStopped: "daemon-stopped",
  /** Counts the starts of an agent that did not reach readiness. */
  agentInitFailures: "agentinit-failures",
  /** Those starts were given up, and the next root session must tell the owner. */
  agentInitEscalation: "agentinit-escalation",
  /** The agent came down too often and is left alone until an operator restarts it or a tick sees it healthy. */
  crashloop: ofAgent("crashloop-"),
  /** The agent is thought hung. */
  hang: ofAgent("hang-"),
  /** The owner was told of it, once. Written after the page went out: a watchdog that dies between the two pages again rather than never. */
  paged: {
    hang: ofAgent("hang-paged-"),
    crashloop: ofAgent("paged-crashloop-"),
    "cannot-start": ofAgent("paged-cannot-start-"),
  },
  /** The owner was told that main is red at this commit. */
  mainRed: family("main-ci-red-", plainSha),
  /** The runtime the agent was last launched on, so that recovery brings it back on the same one (launched-runtime.ts). */
  runtime: ofAgent("runtime-"),
  /** The times when the agent was restarted (restart-attempts.ts). */
  restartAttempts: ofAgent("restart-attempts-"),
  /** Starts in a row of which its program could not make anything (start-failures.ts). */
  startFailures: ofAgent("start-failures-"),
  /** Since when its screen has not changed (pane-hash.ts). */
  paneHash: ofAgent("pane-hash-"),
  /** Records whether its inbox was used and drained (inbox-state.ts). */
  inboxState: ofAgent("inbox-state-"),
} as const;

export type PagedSubject = keyof typeof markers.paged;

/** The agents that have a marker of this family, by one look. */
export const agentsMarked = (home: string, { prefix }: MarkerFamily): string[] =>
  subjectsMarked(home, { prefix }).filter((agent) => isAgentId(agent));

export const subjectsMarked = (home: string, { prefix }: Pick<MarkerFamily, "prefix">): string[] =>
  markersNamed(home, prefix).map((name) => name.slice(prefix.length));

/** All of a family go. Answers how many there were. */
export const removeFamily = (home: string, { prefix }: MarkerFamily): number =>
  markersNamed(home, prefix).filter((name) => removeMarker(home, name)).length;
