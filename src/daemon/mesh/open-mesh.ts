// The mesh in the daemon: who is listed, the ways to reach them, who listens, and the lines that stand. core/mesh is given the lines alone.

import { noteSeen } from "../../core/peers/verbs.ts";
import { addPeer } from "../../core/peers/verbs.ts";
import { readCode, redeeming } from "../../core/peers/code.ts";
import { isPeerName } from "../../core/peers/peer.ts";
import type { Context } from "../../core/context.ts";
import { dialWithin, Greeter } from "../../host/mesh/greet.ts";
import type { Ourselves, Proven } from "../../host/mesh/handshake.ts";
import { meshKeyOf } from "../../host/mesh/mesh-key.ts";
import { sshTransport } from "../../host/mesh/ssh/ssh-transport.ts";
import { childEnvironment } from "../../host/process/child-environment.ts";
import { tlsTransport } from "../../host/mesh/tls/tls-transport.ts";
import { ourVersions } from "../../host/mesh/versions.ts";
import type { AuditEvidence } from "../../ports/audit.ts";
import type { Clock, Random } from "../../ports/machine.ts";
import { type Listener, MeshTrouble, type Transport, type TransportKind, type Wire } from "../../ports/mesh.ts";
import { messageOf, Outage, Refusal } from "../../protocol/errors.ts";
import { readEnv } from "../../settings/env.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Store } from "../../store/open.ts";
import type { MeshPeersTable } from "../../store/tables/mesh.ts";
import { fingerprintFor, Invitations, type OpenInvitation } from "./invitations.ts";
import { MeshLines } from "./lines.ts";
import { openStdioDoor } from "./stdio-door.ts";
import { PeerBook } from "./peer-book.ts";

export interface MeshParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: AuditEvidence | undefined;
  readonly version: string;
  readonly log: (line: string) => void;
}

export interface Mesh {
  readonly lines: MeshLines;
  readonly invitations: Invitations;
  readonly ourselves: Ourselves;
  /** Where others reach us over TLS, as bound; undefined where nobody listens. */
  readonly listens: () => string | undefined;
  /** The list was changed: lines follow before this resolves. */
  readAnew(whyGone?: string): Promise<void>;
  join(context: Context, wish: { readonly code: string; readonly name?: string | undefined }): Promise<MeshPeersTable>;
  close(): Promise<void>;
}

const sshCommand = ({ config }: Settings): readonly string[] =>
  config["mesh.ssh"].length === 0 ? ["ssh"] : config["mesh.ssh"];

type Admitted = { readonly entry: string } | { readonly invitation: OpenInvitation };

const seenEveryMs = 60_000;

export async function openMesh(parts: MeshParts): Promise<Mesh> {
  const { settings, store, clock, random, audit, log } = parts;
  const key = meshKeyOf(settings.home, clock);
  const said = () => ({ constellation: store.constellation, program: parts.version, now_ms: clock.nowMs() });
  const ourselves: Ourselves = { key, versions: ourVersions, said };
  const book = new PeerBook(store, audit);
  const invitations = new Invitations(clock, random);
  const transports = new Map<TransportKind, Transport>([
    ["tls", tlsTransport(key)],
    ["ssh", sshTransport({ command: sshCommand(settings), env: childEnvironment(readEnv()) })],
  ]);
  const context = (): Context => ({
    store,
    clock,
    random,
    constellation: store.constellation,
    actor: "daemon",
    ...(audit === undefined ? {} : { audit }),
  });
  const seen = (entry: string): void => {
    noteSeen(context(), entry, clock.nowMs()).catch((cause: unknown) => log(`mesh: ${messageOf(cause)}`));
  };
  const lines = new MeshLines({ ourselves, transports, clock, random, log, seen });
  const greeter = new Greeter<Admitted>(
    {
      ourselves,
      isListed: (theirs) => book.ofKey(theirs) !== undefined,
      awaitsStrangers: () => invitations.areOpen,
      admit(asking) {
        const listed = book.ofKey(asking.key);
        if (listed !== undefined) return { entry: listed.entry };
        const invitation = invitations.redeem(asking);
        return invitation === undefined ? undefined : { invitation };
      },
    },
    clock,
    log,
  );

  async function meet(wire: Wire): Promise<void> {
    const proven = await greeter.answer(wire);
    if (proven === undefined) return;
    const { admitted } = proven;
    if ("entry" in admitted) return lines.take(proven, admitted.entry, false);
    await welcome(proven, admitted.invitation);
  }

  /** Somebody came with a code. The wire has done its work: a line stands once both owners have compared the fingerprint. */
  async function welcome(proven: Proven<Admitted>, invitation: OpenInvitation): Promise<void> {
    proven.wire.close();
    try {
      const peer = await addPeer(context(), {
        key: proven.theirKey,
        role: invitation.as,
        callsItself: proven.theySaid.constellation,
        fingerprint: fingerprintFor(proven, key.publicKey),
      });
      invitations.joined(invitation, peer);
      log(`mesh: ${peer.name} joined with a code; its fingerprint is to be compared`);
    } catch (cause) {
      invitations.failed(invitation);
      log(`mesh: who came with a code is not on the list: ${messageOf(cause)}`);
    }
  }

  async function join(
    asked: Context,
    { code, name }: { readonly code: string; readonly name?: string | undefined },
  ): Promise<MeshPeersTable> {
    const invitation = readCode(code);
    if (invitation.key === key.publicKey) throw new Refusal("mesh.itself", "this code was made here");
    const proven = await reach(invitation);
    proven.wire.close();
    const callsItself = proven.theySaid.constellation;
    return addPeer(asked, {
      key: invitation.key,
      role: invitation.role,
      name,
      callsItself: isPeerName(callsItself) ? callsItself : "peer",
      route: { transport: invitation.transport, at: invitation.at },
      fingerprint: fingerprintFor(proven, key.publicKey),
    });
  }

  async function reach({
    id,
    secret,
    key: wanted,
    transport: kind,
    at,
  }: ReturnType<typeof readCode>): Promise<Proven<true>> {
    const refuse = (step: string, why: string): Refusal =>
      new Refusal("mesh.unreachable", `${at} could not be joined (${step}): ${why}`, { at, step });
    const transport = transports.get(kind);
    if (transport === undefined) throw refuse("program", `this constel has no ${kind}`);
    try {
      const wire = await transport.dial(at, new AbortController().signal);
      const codeFor = (before: Uint8Array, ownKey: string): string => redeeming(secret, before, ownKey);
      const proven = await dialWithin(wire, { ourselves, wanted, invitation: { id, codeFor } }, clock);
      if (proven.theySaid.joined === true) return proven;
      proven.wire.close();
      throw refuse("key", "this constellation is on its list already");
    } catch (cause) {
      if (cause instanceof MeshTrouble) throw refuse(cause.step, messageOf(cause));
      throw cause;
    }
  }

  await book.readAnew();
  lines.keep(book.all());
  const byStdio = await openStdioDoor(settings.home, (wire) => void meet(wire));
  let listener: Listener | undefined;
  const listen = settings.config["mesh.listen"];
  if (listen !== "") {
    try {
      const refused = (from: Pick<Wire, "route">, why: string): void => greeter.refused(from, why);
      listener = await transports.get("tls")?.listen?.(listen, (wire) => void meet(wire), refused);
      log(`mesh: listening at ${listener?.route.at}`);
    } catch (cause) {
      if (!(cause instanceof Outage)) throw cause;
      log(`mesh: nobody can call: ${messageOf(cause)}`);
    }
  }
  const closing = new AbortController();
  void (async () => {
    while (!closing.signal.aborted) {
      await clock.sleep(seenEveryMs, closing.signal);
      for (const { entry, name } of book.all())
        if (lines.to(name) !== undefined && !closing.signal.aborted) seen(entry);
    }
  })();
  return {
    lines,
    invitations,
    ourselves,
    listens: () => listener?.route.at,
    async readAnew(whyGone) {
      await book.readAnew();
      lines.keep(book.all(), whyGone);
    },
    join,
    async close() {
      closing.abort();
      lines.close("its daemon stops");
      await Promise.all([listener?.close(), byStdio.close()]);
    },
  };
}
