// Refusals about agents and the bus between them.

import type { CatalogueEntry } from "./entry.ts";

export const agentsRefusals = {
  "agent.bad-id": {
    exit: "usage",
    means: "This cannot be an agent's id.",
    hint: "An id is `agent` and a number, such as agent3.",
  },
  "agent.cannot-drive": {
    exit: "usage",
    means: "constel cannot drive this program so.",
    hint: "`constel runtime check` lists the programs; claude, codex and opencode can be driven over a pipe, outside of the sandbox. --read-only holds with them and with qwen, --tools with claude, --context fork with claude, codex, opencode and kimi.",
  },
  "account.unknown": {
    exit: "usage",
    means: "There is no further account of this name for this program.",
    hint: "The setting `agents.accounts` has them (docs/guides/accounts.md).",
  },
  "account.no-directory": {
    exit: "refused",
    means: "The directory of this account is not there.",
    hint: "Log in with the program itself first, with that directory as its own; then start the agent again.",
  },
  "worker.unknown": {
    exit: "usage",
    means: "There is no worker of this name.",
    hint: "`constel worker ls` lists them; `constel worker start <name>` starts one.",
  },
  "worker.bad-name": {
    exit: "usage",
    means: "A worker cannot have this name.",
    hint: "At most 24 lower-case letters and digits, not beginning with `agent`: the worker `triage` is the agent `agentwtriage`.",
  },
  "agent.unnamed": {
    exit: "usage",
    means: "The command is for an agent to run in its own session; the owner ran it and named none.",
    hint: "Name one: --agent agent0.",
  },
  "agent.guest": {
    exit: "refused",
    means:
      "This is a session that a person started: constel lists it and brings it messages, and never starts, ends or enters it.",
    hint: "Go to its own terminal; `constel agent show` says where it works, `constel agents --json` which process it is.",
  },
  "install.invalid-file": {
    exit: "refused",
    means: "A settings file that constel was to add to cannot be read as what it should be. Nothing was written.",
    hint: "Correct the line that is named, then try again; `--print` shows what would be added.",
  },
  "install.changed": {
    exit: "refused",
    means: "A settings file was changed after it was shown how it would be. Nothing was written.",
    hint: "Try again: it is shown as it is now.",
  },
  "install.other-home": {
    exit: "refused",
    means: "The hooks in a settings file were installed from another home of constel. Nothing was written.",
    hint: "Undo them from there first: `CONSTEL_HOME=<that home> constel install <program> --undo --yes`.",
  },
  "install.occupied": {
    exit: "refused",
    means:
      "Where a file of constel's hooks belongs there is another one that constel did not write. Nothing was written.",
    hint: "Move that file away, or give it another name, and try again.",
  },
  "install.not-writable": {
    exit: "refused",
    means:
      "A settings file is read-only, belongs to somebody else, has a second name, is not a plain file, or is in a directory that is closed to this account. Nothing was written.",
    hint: "Make it a writable file in a directory of your own, or add what `constel install --print` shows by hand.",
  },
  "prompt.placeholder-left": {
    exit: "refused",
    means: "A prompt still holds a placeholder that nothing fills.",
    hint: "Correct the name in the prompt file, or write \\{{ for two plain braces.",
  },
  "service.no-manager": {
    exit: "refused",
    means: "This machine has no scheduler of the user's own that constel knows.",
    hint: "`constel service install --print --manager cron` shows what to run every two minutes.",
  },
  "service.not-ours": {
    exit: "refused",
    means:
      "A file of this name stands where the scheduler's file goes, and constel did not write it, or it was changed since.",
    hint: "Look at it; move it away, then ask again. `--print` shows what constel would write.",
  },
  "service.crontab-unreadable": {
    exit: "outage",
    means: "The crontab cannot be read, so nothing is written to it.",
    hint: "Run `crontab -l` to see why.",
  },
  "handoff.unknown": {
    exit: "usage",
    means: "There is no handoff of this name, and none for an agent of this name.",
    hint: "`constel handoffs ls` names them.",
  },
  "restart.bad-handoff": {
    exit: "refused",
    means: "The handoff file cannot be read, is empty, is over 64 KiB, or holds what the bus does not carry.",
    hint: "Give a short text file; nothing was stopped.",
  },
  "restart.nothing": {
    exit: "refused",
    means: "There is nothing to restart: the agent was never started, or was taken down.",
    hint: "`constel agent <N>` starts it.",
  },
  "quiet.too-long": {
    exit: "usage",
    means: "Quiet was asked for a longer time than the watchdog may be kept silent.",
    hint: "Ask for 30 days at most.",
  },
  "bus.bad-agent-id": {
    exit: "usage",
    means: "An agent id breaks the rule: `agent` and then lowercase letters or digits.",
    hint: "Use an id such as agent0, agent12 or agentcron; `constel agents` lists those that exist.",
  },
  "bus.empty": {
    exit: "usage",
    means: "A message says nothing.",
    hint: 'Give it a text: `constel channel send agent1 "what to say"`.',
  },
  "bus.too-large": {
    exit: "refused",
    means: "The body of a message is over 1 MiB.",
    hint: "Put the content into a file and send its path.",
  },
  "bus.wrapper-token": {
    exit: "refused",
    means: "The body contains a tag with which agent programs or constel mark machine-written context.",
    hint: "Describe the tag in words, or put the text into a file and send its path.",
  },
  "bus.bad-json": {
    exit: "refused",
    means: "The message is not a JSON object with `from`, `text` and `ts`, or one of its fields cannot be used.",
    hint: 'The shortest message is {"from":"agent1","text":"…","ts":"2026-01-02T03:04:05Z"}.',
  },
  "bus.bad-signature": {
    exit: "refused",
    means: "The signature of a message does not verify, or is needed and missing.",
    hint: "Send the message again from the agent whose key signs it.",
  },
  "bus.bad-name": {
    exit: "refused",
    means: "A file in an inbox is not named or made as an envelope is, or its name and content disagree on the sender.",
    hint: "Send with `constel channel send`; `constel channel poison retry` names it anew when the content is sound.",
  },
  "bus.misaddressed": {
    exit: "refused",
    means: "A message lies in the inbox of an agent it is not addressed to.",
    hint: "Send it again to the agent it names.",
  },
  "bus.too-many-attempts": {
    exit: "refused",
    means: "A message was handed out many times and its receiver never said that it arrived.",
    hint: "Look at the receiver, then `constel channel poison retry`.",
  },
  "bus.not-sent": {
    exit: "outage",
    means: "The message could not be made durable in the inbox, so it was not sent. Nothing was left behind.",
    hint: "Free space on the disk or fix the permissions of the inbox, then send again.",
  },
  "bus.nobody": {
    exit: "refused",
    means: "The message is for all agents that are up, and no other agent is.",
    hint: "Start agents with `constel up`, or name the agent: its inbox keeps the message.",
  },
  "bus.unknown-message": {
    exit: "usage",
    means: "There is no such message in this place.",
    hint: "`constel channel ls` and `constel channel poison ls` show what is there.",
  },
  "channel.no-reader": {
    exit: "refused",
    means: "Standard output is closed or the null device, and printed messages count as delivered.",
    hint: "Run it with its output read: in a terminal, a pipe or a file.",
  },
  "runtime.unknown": {
    exit: "usage",
    means: "No runtime has this name.",
    hint: "`constel runtime list` names them.",
  },
  "runtime.not-installed": {
    exit: "refused",
    means: "The program of this runtime is not on the PATH.",
    hint: "Install it, or choose another runtime with --type; `constel runtime list` says which are there.",
  },
  "agents.busy": {
    exit: "refused",
    means: "Another constel is starting or ending agents of this home and did not finish in time.",
    hint: "Wait for it and run the command again.",
  },
  "agents.too-many": {
    exit: "usage",
    means: "More clones were asked for than one machine is meant to hold.",
    hint: "Ask for at most 999.",
  },
  "agents.not-ended": {
    exit: "outage",
    means: "Processes of an agent are still there after they were killed: stuck in the kernel, or not ours to end.",
    hint: "Look at the processes named above, then run `constel down` again.",
  },
  "confined.unavailable": {
    exit: "refused",
    means: "This machine cannot confine agents, and none is started open in its stead.",
    hint: "Fix what is named, or start without --confined (and with agents.confined = false): agents then share your account.",
  },
  "confined.runtime": {
    exit: "refused",
    means: "constel does not know yet what this runtime needs in a sandbox.",
    hint: "Choose claude, codex or script with --type, or start it without --confined.",
  },
  "confined.not-a-clone": {
    exit: "refused",
    means: "Only clones can be confined: root and watchdog start and end agents, which needs the home and tmux.",
    hint: "Start it without --confined; `constel up --confined` confines the clones.",
  },
  "confined.workspace": {
    exit: "refused",
    means: "The task has a workspace that was made for another agent, where a confined one cannot see it.",
    hint: "Remove it with `constel workspace rm N`, which keeps a rescue of it, and dispatch again; or give the task to a clone that is not confined.",
  },
  "confined.out-of-reach": {
    exit: "refused",
    means: "This needs constel's home or its daemon, and neither can be reached from inside the agent's sandbox.",
    hint: "Ask through the daemon instead (`constel task …`, `constel publish`, `constel status`), or ask the root or the owner to do it.",
  },
  "confined.out-of-sight": {
    exit: "refused",
    means: "A confined agent named a place that its sandbox does not show it; nothing looks there in its stead.",
    hint: "Name a place in your own workspaces or the root directory, or ask the root or the owner to do it.",
  },
  "agent.unknown": {
    exit: "refused",
    means: "No agent of this name was ever seen by the daemon.",
    hint: "`constel agents` lists those there are; `constel up` starts some.",
  },
} as const satisfies Record<string, CatalogueEntry>;
