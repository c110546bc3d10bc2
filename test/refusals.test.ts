// Every refusal of the catalogue is met by a test: by typing, here, or in the test that the table names. A code that is added
// without a proof does not compile; a proof that no longer looks for its code fails.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "../src/doors/cli/manifest/all.ts";
import { tryLock } from "../src/host/process/file-lock.ts";
import { catalogue, type RefusalCode } from "../src/protocol/catalogue.ts";
import { exitCodes } from "../src/protocol/exit-codes.ts";
import { inHome } from "../src/settings/paths.ts";
import { projectTop, type Ran, TestHome } from "./kit/home.ts";

/** Words to type, `here` for a test of its own below, `file: name of the test` where it is met. */
type Proof = readonly string[] | "here" | `${string}.ts: ${string}`;

const proofs: Readonly<Record<RefusalCode, Proof>> = {
  "usage.unknown-command": "test/cli.test.ts: with --json the error is JSON on stderr and stdout stays empty",
  "usage.unknown-flag": "src/doors/cli/input/parse.test.ts: mistakes are refused with what was meant",
  "usage.missing-argument": "src/doors/cli/input/parse.test.ts: mistakes are refused with what was meant",
  "usage.extra-argument": ["query", "select 1", "select 2"],
  "usage.bad-value": ["channel", "send", "agent1", "hello", "--task", "soon"],
  "input.invalid": "test/tcp.test.ts: bad input gets a clear error, never a 500",
  "operation.unknown": "test/tcp.test.ts: bad input gets a clear error, never a 500",
  "config.malformed": "src/settings/config.test.ts: broken TOML",
  "config.unknown-key": "src/settings/config.test.ts: a setting that does not exist",
  "config.by-hand": "src/settings/config.test.ts: but a table in braces is left to the owner",
  "config.busy": "here",
  "bench.no-sources": "here",
  "query.not-read-only": "test/cli.test.ts: DuckDB is handed nothing but one query that reads",
  "query.too-slow": "test/postgres-trouble.test.ts: a query that takes too long is ended by the server and refused",
  "query.unknown-table": "src/store/reader.suite.ts: an unknown table names what exists, and nonsense is invalid",
  "query.invalid": ["query", "select 1 +"],
  "query.no-engine": ["query", "select 1", "--engine", "duckdb"],
  "query.unknown-saved": ["query", "--saved", "none"],
  "command.interrupted": "test/demo.test.ts: on a terminal of 80 columns nothing wraps, and Ctrl-C leaves nothing",
  "path.symlink": "test/damage.test.ts: a link planted in the home is refused on writing and named by doctor",
  "path.outside-root":
    "test/tasks.test.ts: briefs that are missing, outside the root or reached by a link, a title of 5,000 characters, and other bad input",
  "path.not-a-directory": "test/settings-under-rough-hands.test.ts: a home that is empty or a file is refused",
  "home.missing": "test/not-there.test.ts: a home that was named and is not there is refused, and none is made",
  "home.not-yours":
    "test/other-accounts.test.ts: a home of another account is refused by every command, root's too, and left as it is",
  "path.exists":
    "test/acceptance.test.ts: a file is handed over by its content, searched for secrets, bounded, and saved again",
  "path.not-a-file": "src/settings/settings.test.ts: a named pipe is refused, not waited for",
  "path.too-large": "src/settings/settings.test.ts: a file of many megabytes is refused unread",
  "root.outside": "test/agents.test.ts: what cannot be started is refused with a reason, and nothing is half started",
  "home.other-format":
    "test/earlier-home.test.ts: a home of an earlier state is refused by every command and every hook, and nothing of it is touched",
  "store.foreign-schema":
    "test/earlier-home.test.ts: a database of an earlier schema is refused and left as it is, with its log; what needs no database works",
  "store.older-schema":
    "src/store/migrate.suite.ts: a question that an older or newer schema could not answer is refused with both versions named",
  "store.newer-schema":
    "test/damage.test.ts: a database of a newer constel is refused with a clear message and left as it is",
  "store.newer-version":
    "test/builds.test.ts: an older version leaves the home of a newer one alone and names it, both ways, and goes back only when it is let",
  "store.corrupt": "test/daemon.test.ts: a daemon that cannot start tells the command why, and nothing is half done",
  "store.no-client": "test/postgres-backups.test.ts: without the server's client on the PATH it is refused in a word",
  "store.moved":
    "test/db-move.test.ts: carries a constellation to Postgres and back: all of it verifies, and nobody goes on writing to what was left behind",
  "store.moving":
    "src/store/moving/move.test.ts: what a number cannot hold, and what is no text, is refused with its place, and given up again",
  "store.target-used":
    "test/db-move.test.ts: carries a constellation to Postgres and back: all of it verifies, and nobody goes on writing to what was left behind",
  "store.same-place":
    "src/store/moving/move.test.ts: nothing to move, the same place, another target, and a move that never was are refused and leave no mark",
  "store.not-there":
    "src/store/moving/move.test.ts: nothing to move, the same place, another target, and a move that never was are refused and leave no mark",
  "store.nothing-to-move":
    "src/store/moving/move.test.ts: nothing to move, the same place, another target, and a move that never was are refused and leave no mark",
  "store.no-move":
    "src/store/moving/move.test.ts: nothing to move, the same place, another target, and a move that never was are refused and leave no mark",
  "store.not-carried":
    "src/store/moving/move.test.ts: what a number cannot hold, and what is no text, is refused with its place, and given up again",
  "store.move-differs": "src/store/moving/move.test.ts: a row that changed on the way is found",
  "store.held":
    "test/team.test.ts: one constellation, two daemons: one acts, the other says who does and takes over; the first, woken, writes nothing more",
  "store.foreign-keys":
    "test/team.test.ts: one constellation, two daemons: one acts, the other says who does and takes over; the first, woken, writes nothing more",
  "store.lease-lost":
    "src/store/postgres-lease.test.ts: goes to another when it lapsed; whoever slept writes nothing more, and is told at the next renewal",
  "store.lost": "test/lost-database.test.ts: every way to lose the file stops every verb and names the backup",
  "store.not-lost": "test/lost-database.test.ts: an empty database is begun only on the owner's word",
  "store.not-written":
    "src/store/faults.test.ts: is waited for five times and then the change is refused; once it is free, writing goes on",
  "store.nothing-to-undo": "src/store/migrate.suite.ts: what cannot be undone is refused and nothing changes",
  "store.backup-missing": "src/store/faults.test.ts: that are missing or damaged are not restored",
  "store.role-unfit": ["db", "roles"],
  "store.not-sqlite": "test/postgres-backups.test.ts: without the server's client on the PATH it is refused in a word",
  "daemon.unreachable":
    "src/doors/cli/reach/start-daemon.test.ts: a daemon that ends without a word is an outage that names how it ended",
  "daemon.silent":
    "test/silent-daemon.test.ts: every command ends beside a daemon that is stopped: reads come from the database, changes are refused, the rest goes on",
  "daemon.other-build":
    "test/builds.test.ts: a daemon of another installation is left alone: changes are refused in words, reads come from the database",
  "daemon.out-of-reach":
    "test/out-of-reach.test.ts: in a sandbox that keeps commands from sockets reads come from the database, changes are refused at once, and nothing is said of the daemon",
  "daemon.begins-anew":
    "src/daemon/follow-settings.test.ts: what the owner asks for waits for the settings; what agents ask for does not",
  "daemon.other-settings":
    "test/settings-followed.test.ts: a setting of the daemon's that is given to one command is refused by a daemon that has another, and taken where it has the same",
  "daemon.impostor": "test/who-asks.test.ts: what sits in the daemon's place is neither believed nor told anything",
  "daemon.not-yours":
    "src/doors/cli/reach/start-daemon.test.ts: an agent does not start the daemon: what it hands down would be the daemon's",
  "daemon.running": "test/damage.test.ts: a restore is refused while the daemon has the database open",
  "http.unauthorised": "test/tcp.test.ts: refuses without the token, and with a wrong one",
  "http.foreign-host": "test/tcp.test.ts: refuses a name that was rebound to this machine",
  "http.foreign-origin": "test/tcp.test.ts: refuses a page of another origin, even with the token",
  "serve.needs-certificate":
    "test/served.test.ts: a certificate that cannot be used is refused before anything is changed, and told of when it broke later",
  "serve.bad-certificate":
    "test/served.test.ts: a certificate that cannot be used is refused before anything is changed, and told of when it broke later",
  "serve.no-names":
    "test/served.test.ts: a certificate that cannot be used is refused before anything is changed, and told of when it broke later",
  "server.unknown": ["status", "--server", "none"],
  "server.unknown-certificate":
    "test/served.test.ts: another certificate is sent nothing, and one that nobody vouches for is not taken",
  "server.wrong-certificate":
    "test/served.test.ts: another certificate is sent nothing, and one that nobody vouches for is not taken",
  "server.not-here":
    "test/served.test.ts: what a role may not do is refused there; what is this machine's alone is refused here",
  "server.not-for-agents": "test/served.test.ts: an agent's process has no use of its owner's token",
  "http.off": "src/daemon/door/window/sessions.test.ts: where nothing listens, there is no link",
  "http.no-code": "src/daemon/door/window/sessions.test.ts: a code opens one session, within two minutes",
  "http.too-large": "test/tcp.test.ts: refuses a body over the limit, said or unsaid",
  "http.too-many": "test/tcp.test.ts: a flood is answered with 429 and a time to wait",
  "bus.impostor": "src/floor/bus/signed.test.ts: in a name or of a kind that is constel's or the owner's is put aside",
  "bus.reserved-kind": "src/floor/bus/signed.test.ts: an agent is told at once that a kind is not its own",
  "keys.unknown": ["keys", "rotate", "agent9"],
  "keys.revoked":
    "src/host/keys/keys.test.ts: what a revoked key signs afterwards counts for nothing, and its holder gets another",
  "keys.ring-missing":
    "src/floor/bus/signed.test.ts: what needs no key is handed out, and the drain says that another waits",
  "keys.ring-broken":
    "src/host/keys/keys.test.ts: a key that somebody adds to the ring is not believed, and nothing is added after it",
  "keys.constellation-lost":
    "src/host/keys/keys.test.ts: where the constellation's private key is gone, nothing new is vouched for",
  "keys.no-owner": ["owner", "direct", "hello"],
  "keys.owner-exists": "src/host/keys/keys.test.ts: the owner's key opens with its passphrase alone",
  "keys.wrong-passphrase": "src/host/keys/keys.test.ts: the owner's key opens with its passphrase alone",
  "keys.no-agent":
    "src/host/keys/owner-signer.test.ts: an Ed25519 key of a running ssh-agent is the owner's, and constel never has it",
  "keys.kept-elsewhere":
    "src/host/keys/owner-signer.test.ts: an Ed25519 key of a running ssh-agent is the owner's, and constel never has it",
  "keys.no-keychain":
    "src/host/keys/owner-signer.test.ts: the owner's key lies in the keychain, which is never given it as an argument",
  "directive.not-owners": "src/core/directives/directives.test.ts: what the owner's key did not sign is refused",
  "token.unknown": ["token", "revoke", "nobody"],
  "authority.scope": "src/protocol/authority.test.ts: a token covers what its scope names",
  "authority.human": "src/protocol/authority.test.ts: a person who is not the owner",
  "authority.outside": "test/a2a.test.ts: an outside agent has no other door, and nobody else has this one",
  "mesh.too-large": "src/core/mesh/exchange.test.ts: a full outbox refuses and keeps what it has",
  "mesh.outbox-full": "src/core/mesh/exchange.test.ts: a full outbox refuses and keeps what it has",
  "mesh.bad-item": "src/core/mesh/rows.test.ts: a row of another shape, or too many of them, is refused whole",
  "mesh.off": "test/mesh.test.ts: two constellations are paired, seen and parted on the command line",
  "mesh.no-address": "src/daemon/mesh/mesh.test.ts: what cannot be understood is refused",
  "mesh.too-many-codes": "src/daemon/mesh/mesh.test.ts: what cannot be understood is refused",
  "mesh.bad-code": "src/daemon/mesh/mesh.test.ts: what cannot be understood is refused",
  "mesh.itself": "src/daemon/mesh/mesh.test.ts: what cannot be understood is refused",
  "mesh.known-key": "src/daemon/mesh/mesh.test.ts: what cannot be understood is refused",
  "mesh.two-roots": "src/daemon/mesh/mesh.test.ts: what cannot be understood is refused",
  "mesh.unreachable":
    "src/daemon/mesh/mesh.test.ts: a code is good once; a line stands once both owners have confirmed, and comes back by itself",
  "mesh.another-fingerprint":
    "src/daemon/mesh/mesh.test.ts: a code is good once; a line stands once both owners have confirmed, and comes back by itself",
  "mesh.name-taken":
    "src/daemon/mesh/mesh.test.ts: a peer that is evicted is gone at once, with what is in flight, and its key no longer lets it in",
  "mesh.unknown-peer": "src/daemon/mesh/mesh.test.ts: what cannot be understood is refused",
  "a2a.off": "test/tcp.test.ts: where outside agents are not served, nothing is at their door",
  "a2a.unknown": "test/a2a-hostile.test.ts: another's task",
  "a2a.over": "test/a2a-hostile.test.ts: words to what is over",
  "a2a.landing": "src/core/a2a/a2a.test.ts: what is being landed is not stopped; everything else is, with its task",
  "a2a.context-differs": "test/a2a-hostile.test.ts: a context that is not the task's",
  "a2a.content": "test/a2a-hostile.test.ts: a file's content",
  "a2a.message": "test/a2a-hostile.test.ts: a part of two kinds",
  "a2a.version": "test/a2a-hostile.test.ts: version 99.0",
  "a2a.message-differs": "test/a2a-hostile.test.ts: a replayed message with other words",
  "a2a.too-many": "test/a2a-hostile.test.ts: more addresses than eight, and more open tasks than a hundred",
  "a2a.push-address": "test/a2a-hostile.test.ts: an address on loopback",
  "a2a.page": "test/a2a-hostile.test.ts: a page's mark of somebody's own making",
  "a2a.request-unknown": ["a2a", "accept", "none"],
  "a2a.decided": "src/core/a2a/a2a.test.ts: what is decided is not decided again",
  "a2a.address": ["a2a", "card", "--verify", "ftp://example.org"],
  "a2a.key": ["a2a", "card", "--verify", "https://127.0.0.1", "--key", "EdDSA:short"],
  "a2a.forged": "test/a2a-outward.test.ts: a card that a pinned key did not sign is asked nothing",
  "a2a.they-refuse": "test/a2a-outward.test.ts: their refusal is told, and nothing is tried again",
  "a2a.remote-unknown": ["a2a", "ask", "nobody", "hello"],
  "a2a.token": ["a2a", "ask", "https://127.0.0.1", "hello", "--token-file", "/none"],
  "a2a.their-answer": "src/host/a2a/outward/fetch-card.test.ts: what is no card is refused, in bounds",
  "a2a.not-yours": "src/core/a2a/a2a.test.ts: a clone answers for its own task alone",
  "authority.capability":
    "test/owner-first.test.ts: a capability that is a permission stops other agents, and a typing error in it stops the daemon's start",
  "authority.observer": "src/protocol/authority.test.ts: an observer only looks",
  "secret.found": ["channel", "send", "agent1", `AKIA${"Q".repeat(16)}`],
  "audit.no-bundle": ["audit", "verify", "--bundle", "/dev/null"],
  "authority.mailbox": "test/hostile-text.test.ts: an agent takes its own messages alone",
  "channel.no-reader": "test/hostile-text.test.ts: messages that nobody would read stay in the inbox",
  "contract.missing": "test/contracts.test.ts: what cannot be compared is said with what to do, and is never no change",
  "contract.unknown-format":
    "test/contracts.test.ts: what cannot be compared is said with what to do, and is never no change",
  "contract.unreadable":
    "test/contracts.test.ts: what cannot be compared is said with what to do, and is never no change",
  "authority.nobody": "test/kit/ways-to-act.ts: in a window of the agents' tmux server",
  "identity.no-pass": "test/kit/ways-to-act.ts: through the socket, saying nothing",
  "identity.another": "test/kit/ways-to-act.ts: as the root",
  "authority.owner": "test/agents.test.ts: a clone may not change the constellation, nor an agent what is the owner's",
  "authority.clone": "test/agents.test.ts: a clone may not change the constellation, nor an agent what is the owner's",
  "terminal.bad-name": "src/ports/terminals.suite.ts: names that are not an agent's are refused everywhere",
  "terminal.name-taken": "src/ports/terminals.suite.ts: a name that is taken is refused and the first terminal stays",
  "terminal.unknown": ["attach", "agent9"],
  "terminal.dead":
    "src/ports/terminals.suite.ts: a dead terminal keeps its screen and exit status, and refuses to be typed into",
  "terminal.bad-wish": "src/ports/terminals.suite.ts: wishes that cannot be met are refused before anything starts",
  "terminal.bad-text": "src/ports/terminals.suite.ts: text that is empty or over a mebibyte is refused",
  "confined.unavailable":
    "src/floor/agents/confine-agent.test.ts: is refused with the reason where it cannot be done, and nothing is started open",
  "confined.runtime":
    "src/floor/agents/confine-agent.test.ts: is refused for a runtime that constel cannot confine yet",
  "confined.not-a-clone":
    "src/floor/agents/confine-agent.test.ts: is refused for root and watchdog, and asked of clones alone by up",
  "confined.workspace":
    "src/core/tasks/assigning/dispatch.test.ts: a confined clone works where no other sees, and not where it cannot see",
  "confined.out-of-sight": "test/confined-work.test.ts: has nothing looked at for it that it does not see itself",
  "confined.out-of-reach": "test/confined.test.ts: what needs the home is refused with a word of what to do instead",
  "agent.unnamed": ["session", "up"],
  "agent.bad-id": "test/agents.test.ts: what cannot be started is refused with a reason, and nothing is half started",
  "agent.cannot-drive": ["agent", "1", "--type", "script", "--driven", "--confined"],
  "account.unknown":
    "src/floor/agents/accounts.test.ts: an account whose directory is not there is refused before anything is ended",
  "account.no-directory":
    "src/floor/agents/accounts.test.ts: an account whose directory is not there is refused before anything is ended",
  "agent.guest": ["attach", "agentg0123456789ab"],
  "install.invalid-file":
    "test/install-refused.test.ts: what is invalid is refused with its line, and nothing is written",
  "install.changed":
    "test/install-refused.test.ts: a file that changes between the question and the answer is left alone",
  "install.other-home":
    "test/install-refused.test.ts: what was installed from one home is neither replaced nor undone from another, and doctor knows whose it is",
  "install.occupied":
    "test/install-refused.test.ts: where somebody else's plugin stands in the place of ours, nothing at all is installed",
  "install.not-writable": "test/install-refused.test.ts: read-only files, links and what is no plain file",
  "prompt.placeholder-left":
    "src/floor/agents/agents.test.ts: refuses a prompt with a hole in it while the old agent still runs",
  "handoff.unknown": ["handoffs", "show", "agent9"],
  "restart.nothing": ["restart", "9"],
  "restart.bad-handoff":
    "src/floor/watchdog/bring-back.test.ts: is refused before anything is ended when something it needs is missing",
  "service.no-manager":
    "test/nights.test.ts: service install writes only where nothing of somebody else's stands, and uninstall takes away only that",
  "service.not-ours":
    "test/nights.test.ts: service install writes only where nothing of somebody else's stands, and uninstall takes away only that",
  "service.crontab-unreadable":
    "test/nights.test.ts: service install writes only where nothing of somebody else's stands, and uninstall takes away only that",
  "docs.unknown": ["docs", "a-page-that-nobody-wrote"],
  "release.not-released": "test/upgrade.test.ts: a clone says how it is updated",
  "release.unknown-version": "test/upgrade.test.ts: when there is no such release",
  "release.not-signed": "test/upgrade.test.ts: when another key signed it",
  "release.busy": "test/upgrade.test.ts: two at a time: the second is refused and takes nothing of the first's away",
  "release.damaged": "test/upgrade.test.ts: when one byte of an archive was flipped",
  "release.newer-schema":
    "test/upgrade.test.ts: when the database has a schema that it does not know, and the backup to use is named",
  "release.did-not-start":
    "test/upgrade.test.ts: a daemon that does not start brings the version of before back, and that one serves",
  "release.not-newer":
    "test/upgrade.test.ts: an older version is no upgrade, and what others installed is changed by them",
  "release.nothing-kept":
    "test/upgrade.test.ts: where nothing was kept there is no way back, and a program that is gone is named",
  "release.not-here":
    "test/upgrade.test.ts: where nothing was kept there is no way back, and a program that is gone is named",
  "release.other-way":
    "test/upgrade.test.ts: an older version is no upgrade, and what others installed is changed by them",
  "quiet.too-long": ["quiet", "400d"],
  "bus.bad-agent-id": "src/floor/bus/drain.test.ts: a sender that is no agent",
  "bus.empty": ["channel", "send", "agent1", " "],
  "bus.too-large": "src/floor/bus/drain.test.ts: a body over 1 MiB",
  "bus.wrapper-token": "src/floor/bus/drain.test.ts: a wrapper token",
  "bus.bad-json": "src/floor/bus/drain.test.ts: text that is no JSON",
  "bus.bad-signature": "src/floor/bus/drain.test.ts: one over other content, by another key, or of no form is poison",
  "bus.bad-name": "src/floor/bus/drain.test.ts: another sender than its name says",
  "bus.misaddressed": "src/floor/bus/drain.test.ts: a message for another agent",
  "bus.too-many-attempts": "src/floor/bus/drain.test.ts: again and again makes the message poison",
  "bus.not-sent": "src/floor/bus/send.test.ts: takes a new name when one is taken, and gives up after eight",
  "bus.nobody": ["channel", "send", "all", "hello"],
  "bus.unknown-message":
    "src/floor/bus/poison.test.ts: dropping removes the message and its reason, a directory with all it holds too",
  "runtime.unknown":
    "test/agents.test.ts: what cannot be started is refused with a reason, and nothing is half started",
  "runtime.not-installed":
    "test/agents.test.ts: what cannot be started is refused with a reason, and nothing is half started",
  "agents.busy":
    "src/doors/cli/machine/agents-turn.test.ts: who finds another at work waits, and is refused when it never ends",
  "agents.too-many":
    "test/agents.test.ts: what cannot be started is refused with a reason, and nothing is half started",
  "agents.not-ended":
    "src/floor/agents/agents.test.ts: says what is still there instead of claiming success, and the agent stays unwanted",
  "agent.unknown": ["agent", "show", "9"],
  "git.not-a-repository":
    "test/check.test.ts: a wrong revision is exit 2, a place without a repository exit 3, and both say why",
  "check.unknown-side":
    "test/check.test.ts: a wrong revision is exit 2, a place without a repository exit 3, and both say why",
  "check.no-counterpart": ["check"],
  "check.not-comparable":
    "test/check.test.ts: a wrong revision is exit 2, a place without a repository exit 3, and both say why",
  "repository.unknown": ["repo", "forget", "nowhere"],
  "finding.nobody":
    "src/daemon/door/tell-of-work.test.ts: a finding of branches that nobody works on has nobody to tell",
  "finding.unknown": ["conflicts", "--explain", "nothing"],
  "check.no-gate": ["check", "HEAD", "HEAD", "--gate"],
  "claim.unknown": ["claim", "drop", "nothing"],
  "claim.pattern":
    "src/core/notices/notices-denials.suite.ts: an exclusive claim of the whole repository denies, and one of a pattern is refused",
  "claim.outside":
    "test/claims-and-gates.test.ts: an edit inside another's claim is a finding, and is over when the claim ends by itself",
  "notice.unknown": "src/core/notices/notices-findings.suite.ts: why shows the rule, the facts and the proof",
  "notice.not-yours":
    "src/core/notices/notices-handled.suite.ts: an agent is done with its own notices only, and hears again of another kind of evidence",
  "claim.not-yours":
    "test/claims-and-gates.test.ts: an edit inside another's claim is a finding, and is over when the claim ends by itself",
  "workspace.exists":
    "src/host/workspace/make-workspace.test.ts: a place that is taken, a path that is no repository and a branch that is nowhere are refused, and leave nothing",
  "workspace.unknown": ["workspace", "rm", "1"],
  "workspace.no-target":
    "src/host/workspace/make-workspace.test.ts: a place that is taken, a path that is no repository and a branch that is nowhere are refused, and leave nothing",
  "workspace.busy":
    "src/core/tasks/assigning/dispatch.test.ts: two removals at once: one does it, the other is told that it is under way; nothing is lost",
  "workspace.in-use": "test/tasks.test.ts: a workspace comes and goes and comes back; a shell inside keeps it",
  "workspace.changing":
    "src/host/workspace/rescue.test.ts: a file that changes while it is being saved is saved again; one that always changes is not removed",
  "workspace.no-rescue": "src/core/tasks/workspaces/keeping.test.ts: nothing was there to save: restoring says so",
  "workspace.bad-rescue":
    "src/host/workspace/nothing-lost.test.ts: a rescue that was changed writes nothing outside, and nothing at all",
  "attention.unknown": ["attention", "snooze", "nothing"],
  "approval.unknown": ["approvals", "allow", "nothing"],
  "approval.over":
    "test/approvals.test.ts: rules answer at once; the rest waits for the owner by its exact command, and status names it",
  "permission.not-yours":
    "test/approvals.test.ts: rules answer at once; the rest waits for the owner by its exact command, and status names it",
  "reply.unknown-sender":
    "src/daemon/owner/owner.test.ts: a webhook's reply counts only from a sender on the list, once for each id",
  "schedule.unknown": ["cron", "show", "nothing"],
  "schedule.bad-verb": ["cron", "add", "x", "0 22 * * *", "db", "restore"],
  "schedule.exists":
    "src/core/schedules/round.test.ts: a name that is taken, a verb that is none, and a loop of somebody else are refused",
  "schedule.not-accepted":
    "src/core/schedules/accepted-crons.test.ts: a line that waits can be removed, and neither run nor paused",
  "schedule.changed":
    "src/core/schedules/accepted-crons.test.ts: what is accepted is what was shown: a line that changed meanwhile is refused, and none of them counts",
  "schedule.own-work": "src/core/schedules/own-loops.test.ts: a clone is refused %s",
  "schedule.not-yours":
    "src/core/schedules/round.test.ts: a name that is taken, a verb that is none, and a loop of somebody else are refused",
  "task.unknown": ["task", "show", "99"],
  "task.not-allowed":
    "test/tasks.test.ts: briefs that are missing, outside the root or reached by a link, a title of 5,000 characters, and other bad input",
  "task.waits-for-itself":
    "test/tasks.test.ts: briefs that are missing, outside the root or reached by a link, a title of 5,000 characters, and other bad input",
  "task.waits":
    "test/tasks.test.ts: briefs that are missing, outside the root or reached by a link, a title of 5,000 characters, and other bad input",
  "task.landing":
    "src/core/tasks/landing/harvest.test.ts: what is not ready cannot be harvested, and what is being harvested cannot be cancelled",
  "task.agent-cannot":
    "src/core/tasks/assigning/who-can.test.ts: an agent that cannot take the task is refused with the reason, those who can are named, and nothing is created",
  "review.nothing-ready": ["review", "show", "1"],
  "review.own-work": "src/core/reviews/reviews.test.ts: reviews their own work, or work that they had a hand in",
  "review.nobody":
    "src/core/reviews/reviews.test.ts: is given to whoever has the capability and did not work on it: an idle one, and the one with less to do",
  "review.not-asked":
    "src/core/reviews/reviews.test.ts: among the agents answers without being asked, and what is answered says something about what is ready",
  "review.stale":
    "src/core/reviews/reviews.test.ts: among the agents answers without being asked, and what is answered says something about what is ready",
  "review.says-nothing":
    "src/core/reviews/reviews.test.ts: among the agents answers without being asked, and what is answered says something about what is ready",
  "review.unreadable": "src/core/reviews/reviews.test.ts: whose commits are nowhere is refused",
  "task.no-criterion": ["task", "update", "1", "--passed", "1"],
  "task.artefact-too-large":
    "test/acceptance.test.ts: a file is handed over by its content, searched for secrets, bounded, and saved again",
  "task.no-artefact": ["task", "artefact", "get", "1", "none"],
  "check.no-pull":
    "test/open-prs.test.ts: it leaves nothing in the clone, needs no token to read, and refuses what is not open",
  "check.no-origin":
    "test/open-prs.test.ts: it leaves nothing in the clone, needs no token to read, and refuses what is not open",
  "issue.no-filter":
    "src/core/issues/issues.test.ts: following needs a label, and a forge that is known; what is followed is ended by its id",
  "issue.unknown-follow":
    "src/core/issues/issues.test.ts: following needs a label, and a forge that is known; what is followed is ended by its id",
  "forge.not-known":
    "src/host/forge/forge.test.ts: an origin of no known forge, and a name that is no repository's, are refused",
  "forge.no-token":
    "src/host/forge/forge.suite.ts: a token that is not valid is a refusal that does not name it, and so is one that others may read",
  "forge.denied":
    "src/host/forge/forge.suite.ts: a token that is not valid is a refusal that does not name it, and so is one that others may read",
  "forge.unknown": "src/host/forge/forge.suite.ts: what is not there, and what the forge does not take, are refusals",
  "forge.refused": "src/host/forge/forge.suite.ts: what is not there, and what the forge does not take, are refusals",
  "forge.exists":
    "src/host/forge/forge.suite.ts: a pull request is opened once, found by its branch, changed and closed",
  "task.not-landed":
    "src/core/pulls/back-and-forth.test.ts: main that turns red with a landing is tied to its task, which can be undone by a task, once",
  "task.nothing-to-land":
    "test/tasks.test.ts: briefs that are missing, outside the root or reached by a link, a title of 5,000 characters, and other bad input",
  "task.no-workspace": ["task", "ready", "1"],
  "task.no-repository":
    "src/core/tasks/assigning/dispatch.test.ts: a task of no repository is not queued: whoever gives it out is told to name one",
  "task.no-agents":
    "src/core/tasks/assigning/dispatch.test.ts: where no agents can be given work, that is said, and the task stays open",
  "task.not-given-out": "test/tasks.test.ts: a workspace that cannot be made leaves the task open, with the reason",
  "task.leased":
    "src/core/tasks/assigning/dispatch.test.ts: work that did not land goes back once, with both sides; mended, it lands",
  "task.not-yours":
    "src/core/tasks/assigning/dispatch.test.ts: a task taken back is open, and a word of the clone that had it counts no more",
  "task.lease-lost":
    "src/core/tasks/landing/harvest.test.ts: one harvester at a time: a second waits for the lease, and one that lost it can write nothing",
  "brief.missing":
    "test/tasks.test.ts: briefs that are missing, outside the root or reached by a link, a title of 5,000 characters, and other bad input",
  "event.no-audience": ["publish", "note", "hello"],
  "event.bad-fields": ["publish", "test-failed", "hello", "--topic", "ci"],
  "decision.unknown": ["decision", "show", "nothing"],
  "decision.owners":
    "src/core/events/told.test.ts: what the owner decided or accepted is verified, and no agent replaces, rejects or accepts it",
  "decision.not-allowed":
    "src/core/events/told.test.ts: what the owner decided or accepted is verified, and no agent replaces, rejects or accepts it",
  "memory.unknown": ["memory", "forget", "nothing"],
  "memory.not-yours":
    "src/core/events/told.test.ts: an agent forgets and pins its own; the timeline never has the text; and there is an end to it",
  "memory.no-file": ["memory", "add", "it holds", "--valid-while", "nowhere.txt"],
  "memory.full":
    "src/core/events/told.test.ts: an agent forgets and pins its own; the timeline never has the text; and there is an end to it",
  "worker.bad-name": ["worker", "start", "agentwone"],
  "worker.unknown": ["worker", "show", "nobody"],
  "import.no-program":
    "test/tasks.test.ts: open issues become tasks through gh, once each; without gh the answer says what to do",
};

let at: TestHome;
let lonely: string;

/** A repository with one commit on a branch that lands nowhere, and one task. */
beforeAll(async () => {
  at = new TestHome();
  lonely = join(at.top, "lonely");
  mkdirSync(lonely);
  const author = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b.c",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b.c",
  };
  const env = { ...at.env, ...author };
  Bun.spawnSync(["git", "init", "-q", "-b", "lonely"], { cwd: lonely, env });
  Bun.spawnSync(["git", "commit", "-q", "--allow-empty", "-m", "one"], { cwd: lonely, env });
  await at.json(["task", "create", "one"], { cwd: lonely });
});
afterAll(() => at[Symbol.asyncDispose]());

/** The code, its exit code, and a hint: the last line on stderr is the error as JSON. */
function expectRefused(code: RefusalCode, { code: exit, stderr, stdout }: Ran): void {
  const { error } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}") as { error?: { code: string; hint: string } };
  expect({ code: error?.code, exit, stdout }).toEqual({ code, exit: exitCodes[catalogue[code].exit], stdout: "" });
  expect(error?.hint ?? "").not.toBe("");
}

for (const [code, proof] of Object.entries(proofs) as [RefusalCode, Proof][]) {
  if (typeof proof === "string") continue;
  test(`constel ${proof.join(" ")}: ${code}`, async () => {
    expectRefused(code, await at.constel([...proof, "--json"], { cwd: lonely }));
  });
}

test("what the table says of other tests is so: they look for the code", () => {
  for (const [code, proof] of Object.entries(proofs) as [RefusalCode, Proof][]) {
    if (typeof proof !== "string" || proof === "here") continue;
    const [file = "", ...name] = proof.split(": ");
    expect({ code, proof: looksFor(code, join(projectTop, file), name.join(": ")) }).toEqual({ code, proof: "found" });
  }
});

/** Says whether the test with this name (up to the next one) holds the code other than by throwing it itself. */
function looksFor(code: string, file: string, name: string): string {
  if (!existsSync(file)) return `there is no ${file}`;
  const text = readFileSync(file, "utf8");
  const start = text.indexOf(`"${name}"`);
  if (start === -1) return `there is no test "${name}"`;
  const end = text.slice(start).search(/\n\s*(test|check\w*|describe)\(/);
  const body = text.slice(start, end === -1 ? undefined : start + end);
  const held = body.replaceAll(/new Refusal\(\s*"[^"]+"/g, "");
  return held.includes(`"${code}"`) || held.includes(`[${code}]`) || held.includes(`"${code},`)
    ? "found"
    : "it does not look for it";
}

test("a setting cannot be changed while another process changes one", async () => {
  mkdirSync(join(at.home, "state"), { recursive: true });
  const held = tryLock(at.home, inHome.configLock);
  try {
    expectRefused("config.busy", await at.constel(["config", "set", "http.enabled", "true", "--json"]));
  } finally {
    held?.release();
  }
});

test("a program without its sources beside it has no benches", async () => {
  const bare = join(at.top, "bare");
  for (const part of ["src", "package.json", "bun.lock", "tsconfig.json"])
    cpSync(join(projectTop, part), join(bare, part), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(projectTop, "node_modules"), join(bare, "node_modules"));
  // The copy itself: the quick program in node_modules stands for the clone it was built in.
  const guards = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
  const child = Bun.spawn([process.execPath, ...guards, join(bare, "src/main.ts"), "bench", "--json"], {
    env: at.env,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expectRefused("bench.no-sources", { stdout, stderr, code });
});

test("a hint names only commands that there are", async () => {
  const names = (await allCommands()).map(({ name }) => name);
  const unknown: string[] = [];
  for (const [code, { hint, means }] of Object.entries(catalogue)) {
    for (const [, words = ""] of `${hint} ${means}`.matchAll(/`constel ([a-z][a-z0-9 -]*)/g)) {
      const isKnown = names.some((name) => `${words} `.startsWith(`${name} `) || name.startsWith(`${words.trim()} `));
      if (!isKnown) unknown.push(`${code}: constel ${words}`);
    }
  }
  expect(unknown).toEqual([]);
});
