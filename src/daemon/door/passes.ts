// Finds out who is asking, as the kernel says. A process that wants something of the daemon first connects to a socket of its own for this,
// `state/who.sock`. There the kernel names the process, we look whose it is (host/process/belongs-to.ts), and it is given a pass: a random
// word that stands for it, and is good only while that very process lives. Each request then carries the pass. Bun's HTTP server does not
// show the socket behind a request, and Node's costs twice as much for each; a pass costs one more connection for each process.
//
// A pass that is handed on speaks for the process it was given to, and for nobody else. Whose that process is, is looked at again when more
// has become known of the agents: a process may ask before the file is there that says whose it is (a session that a person started says so
// by its first hook, and its MCP server may have asked by then).
//
// The whole way: `client/admission.ts` connects; `host/process/socket-peer.ts` asks the kernel; `host/process/belongs-to.ts` says whose the
// process is, from what `floor/agents/household.ts` knows of the agents and from the marks of `host/process/limit-mark.ts`;
// `protocol/authority.ts` decides whether it may. Commands without a daemon look at themselves (`doors/cli/who-runs.ts`). Over TCP a token says it (`core/tokens/`, `guard-tcp.ts`). docs/concepts/trust.md says what all of this is worth.

import { chmodSync } from "node:fs";
import { join } from "node:path";
import { withShortPath } from "../../client/short-path.ts";
import { removeTrusted } from "../../files/trusted-files.ts";
import { proveDaemon } from "../../host/keys/daemon-proof.ts";
import { belongsTo } from "../../host/process/belongs-to.ts";
import { markOf } from "../../host/process/liveness.ts";
import { LivingProcesses } from "../../host/process/living.ts";
import { peerOf } from "../../host/process/socket-peer.ts";
import { Bounded } from "../../ports/bounded.ts";
import { ThisTurn } from "../../ports/this-turn.ts";
import type { Belonging, Household } from "../../ports/household.ts";
import type { ProcessMark, Random } from "../../ports/machine.ts";
import { type Asker, askerFor } from "../../protocol/authority.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import { inHome } from "../../settings/paths.ts";

export interface Passes {
  /** Returns who a request is from. `named` is the agent that the caller says it acts for. */
  askerOf(pass: string | null, named: string | null): Asker;
  close(): void;
}

export interface PassesParts {
  readonly home: string;
  readonly random: Random;
  /** The same value for as long as nothing has changed. */
  readonly household: () => Household;
  /** The file of the socket that requests go to, as `device:inode`. */
  readonly door: string;
  /** The build of this program, and the place where it is installed. */
  readonly build: string;
  /** Of constel. */
  readonly version: string;
  readonly installation: string;
}

interface Given {
  readonly holder: ProcessMark;
  readonly uid: number | undefined;
  /** The agents as they were known when it was last looked at. */
  readonly household: Household;
  readonly belonging: Belonging;
  /** For whom it last said that it acts, and who that is. A process nearly always says the same. */
  last?: { readonly named: string | null; readonly asker: Asker };
}

/** Long-lived processes keep theirs; of the others, these many most recent ones. */
const remembered = 10_000;

export async function servePasses(parts: PassesParts): Promise<Passes> {
  const given = new Bounded<Given>(remembered);
  const living = new LivingProcesses();
  const thisTurn = new ThisTurn<Given>();
  const path = join(parts.home, inHome.whoSocket);
  const ownWords = `${parts.build} ${Buffer.from(parts.installation).toString("base64url")} ${parts.version}`;
  removeTrusted(parts.home, inHome.whoSocket);
  const server = await withShortPath(path, async (unix) => {
    try {
      return Bun.listen({
        unix,
        socket: {
          // Answered when it is asked: what is written to a caller that is still connecting may be lost.
          data(socket, bytes) {
            const { fd } = socket as unknown as { readonly fd: number };
            const pass = admit(fd);
            const nonce = /^\?([A-Za-z0-9_-]{1,64})$/.exec(bytes.toString("latin1"))?.[1];
            // A caller that sends no word of its own wants the pass alone, without proof of whose it is.
            socket.write(
              nonce === undefined ? `${pass}\n` : `${pass} ${parts.door} ${proofFor(nonce, pass)} ${ownWords}\n`,
            );
          },
          error() {},
        },
      });
    } catch (cause) {
      throw new Outage("listen on", path, cause);
    }
  });
  chmodSync(path, 0o600);

  const proofFor = (nonce: string, pass: string): string =>
    proveDaemon(parts.home, { nonce, pass, door: parts.door }) ?? "";

  function admit(fd: number): string {
    const peer = peerOf(fd);
    if (peer === undefined || peer === "ended") return "";
    const holder = markOf(peer.pid);
    if (holder === undefined) return "";
    const household = parts.household();
    const belonging = belongingOf(peer.pid, peer.uid, household);
    // It was there before and is there still, so the number was its own all the while.
    const after = peerOf(fd);
    if (after === undefined || after === "ended") return "";
    const pass = Buffer.from(parts.random.bytes(24)).toString("base64url");
    given.set(pass, { holder, uid: peer.uid, household, belonging });
    return pass;
  }

  /** undefined when its process has ended. */
  function holderOf(pass: string): Given | undefined {
    const known = thisTurn.get(pass);
    if (known !== undefined) return known;
    const found = holderNow(pass);
    if (found !== undefined) thisTurn.set(pass, found);
    return found;
  }

  function holderNow(pass: string): Given | undefined {
    const known = given.get(pass);
    if (known === undefined || living.isProvenDead(known.holder)) return undefined;
    const household = parts.household();
    if (household === known.household) return known;
    const belonging = belongingOf(known.holder.pid, known.uid, household);
    if (living.isProvenDead(known.holder)) return undefined;
    const { holder, uid } = known;
    const seen = { holder, uid, household, belonging };
    given.set(pass, seen);
    return seen;
  }

  function belongingOf(pid: number, uid: number | undefined, household: Household): Belonging {
    const own = process.getuid?.();
    if (uid !== undefined && own !== undefined && uid !== own && uid !== 0)
      return { to: "nobody", why: "it runs under another account" };
    return belongsTo(pid, household);
  }

  return {
    askerOf(pass, named) {
      const known = pass === null ? undefined : holderOf(pass);
      if (known === undefined)
        throw new Refusal("identity.no-pass", "the request does not say which process it is from");
      if (known.last !== undefined && known.last.named === named) return known.last.asker;
      const { belonging } = known;
      const asker = askerFor(belonging.to === "owner" ? { ...belonging, by: "no agent's process" } : belonging, named);
      known.last = { named, asker };
      return asker;
    },
    close() {
      living.close();
      server.stop(true);
      removeTrusted(parts.home, inHome.whoSocket);
    },
  };
}
