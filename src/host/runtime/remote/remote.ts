// An agent of somebody else's, asked over A2A, as a runtime like any other: a clone here stands for it. It takes tasks alone, and what comes
// back becomes a commit in the clone's workspace, so that gate, review and landing are the same as anybody's. The model of such a clone is
// the name that the agent has in the setting `a2a.remotes`. doors/hook/remote/ has the program that is driven here.

import type { Driver } from "../../../ports/driver.ts";
import type { Runtime } from "../../../ports/runtime.ts";
import { injectHeld, observeHeld, prepareHeld, proveHeld } from "../driving/held.ts";
import { readUsageRow, usageKept } from "../driving/usage-file.ts";
import { hookRecordOf } from "../hook-record.ts";
import { judge } from "../judge-status.ts";
import { scriptDriver } from "../script/drive.ts";

const name = "remote";

/** The word after `constel hook` that begins the program which asks. */
const askRemoteWord = "ask-remote";

export const remote: Runtime = {
  name,
  checkedVersions: [],
  onlyByName: true,
  drives: "only",
  abilities: {
    systemPrompt: "no",
    hooks: false,
    hears: false,
    mcp: false,
    resume: false,
    headless: false,
    usageReport: false,
    idleDetection: true,
    push: true,
    ownSessionId: false,
  },
  // It is a part of constel; which agent is meant is said with the model.
  detect: () => Promise.resolve({ installed: true, path: undefined, version: undefined, matchesChecked: true }),
  prepare: (launch) => prepareHeld(launch, name),
  headless: () => {
    throw new Error("an agent of somebody else's has no single turn");
  },
  parseHeadless: (_, stderr) => ({ ok: false, text: "", sessionId: undefined, usage: [], error: stderr, denied: [] }),
  hookRecord: hookRecordOf("script"),
  observe: observeHeld,
  status: (evidence) => judge(evidence, { title: () => undefined, screen: () => undefined }),
  currentSession: () => Promise.resolve(undefined),
  canResume: () => Promise.resolve(false),
  transcript: () => Promise.resolve(undefined),
  rowReader: () => readUsageRow,
  inject: injectHeld,
  proof: (session, messageId) => Promise.resolve(proveHeld(session, messageId)),
  usage: ({ launch }) => Promise.resolve(usageKept(launch)),
  commands: () => [],
  installs: () => [],
};

export const remoteDriver: Driver = {
  prepare: (launch) =>
    Promise.resolve({
      files: [],
      argv: [...launch.hookCommand.slice(0, -1), askRemoteWord, launch.model ?? ""],
      env: { CONSTEL_AGENT: launch.agent, CONSTEL_HOME: launch.home },
      unset: [],
      notes: [],
    }),
  async open(pipe, start) {
    const session = await scriptDriver.open(pipe, start);
    return {
      get id() {
        return session.id;
      },
      transcript: undefined,
      turn: (text, hear) => session.turn(text, hear),
      interrupt() {
        pipe.write({ interrupt: true });
        session.interrupt();
      },
    };
  },
};
