// Answers the operations of the mesh. Peers can be listed, evicted and renamed where no lines are kept, too.

import { listPeers } from "../../core/peers/list.ts";
import { addPeer, confirmPeer, evictPeer, renamePeer } from "../../core/peers/verbs.ts";
import type { Context, ReadContext } from "../../core/context.ts";
import { meshKeyOf } from "../../host/mesh/mesh-key.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { ParsedInputOf } from "../../protocol/operation.ts";
import type { operations } from "../../protocol/operations/all.ts";
import type { Settings } from "../../settings/settings.ts";
import type { MeshPeersTable } from "../../store/tables/mesh.ts";
import type { Mesh } from "./open-mesh.ts";

type In<Name extends keyof typeof operations> = ParsedInputOf<(typeof operations)[Name]>;

export function meshHandlers(settings: Settings, mesh: Mesh | undefined) {
  const open = (): Mesh => {
    if (mesh === undefined) throw new Refusal("mesh.off", "this constellation keeps no lines to others");
    return mesh;
  };
  const key = (context: Pick<Context, "clock">) => meshKeyOf(settings.home, context.clock);
  const changed = async (row: MeshPeersTable, why?: string) => {
    await mesh?.readAnew(why);
    return { peer: entryOf(row) };
  };
  return {
    "mesh.invite": async (_: Context, { as, at }: In<"mesh.invite">) => {
      const { invitations, listens, ourselves } = open();
      const where = at ?? addressIn(settings, listens());
      const made = invitations.make({ as, key: ourselves.key.publicKey, transport: "tls", at: where });
      return { id: made.id, code: made.code, at: where, until_ms: made.untilMs };
    },
    "mesh.invited": async ({ untilGone }: Context, { id, for_ms }: In<"mesh.invited">) => {
      const { state, peer } = await open().invitations.becameOf(id, for_ms, untilGone?.());
      return { state, peer: peer === undefined ? null : entryOf(peer) };
    },
    "mesh.join": async (context: Context, input: In<"mesh.join">) => changed(await open().join(context, input)),
    "mesh.confirm": async (context: Context, input: In<"mesh.confirm">) => changed(await confirmPeer(context, input)),
    "mesh.add": async (context: Context, { key: theirs, name, role, transport, at }: In<"mesh.add">) => {
      if (theirs === key(context).publicKey) throw new Refusal("mesh.itself", "this is our own mesh key");
      const route = transport === undefined || at === undefined ? undefined : { transport, at };
      return changed(await addPeer(context, { key: theirs, role, name, callsItself: name, route }));
    },
    "mesh.key": async (context: Context) => {
      const { publicKey, id } = key(context);
      return { key: publicKey, id, constellation: context.constellation };
    },
    "mesh.peers": (context: ReadContext, input: In<"mesh.peers">) =>
      listPeers(context, input, mesh === undefined ? undefined : (entry) => mesh.lines.seenOf(entry)),
    "mesh.evict": async (context: Context, input: In<"mesh.evict">) =>
      changed(await evictPeer(context, input), "it was evicted"),
    "mesh.rename": async (context: Context, input: In<"mesh.rename">) => changed(await renamePeer(context, input)),
  };
}

const entryOf = (row: MeshPeersTable) => ({
  name: row.name,
  role: row.role === "root" ? ("root" as const) : ("sibling" as const),
  state: row.state as "waiting" | "confirmed" | "evicted",
  key: row.public_key,
  fingerprint: row.fingerprint,
});

/** An address of every network of this machine is none that another could dial. */
const isNowhere = (at: string): boolean => /^(0\.0\.0\.0|\[::\]):/.test(at);

function addressIn({ config }: Settings, listens: string | undefined): string {
  const named = config["mesh.address"];
  if (named !== "") return named;
  if (listens !== undefined && !isNowhere(listens)) return listens;
  throw new Refusal("mesh.no-address", "nothing says where another machine reaches this one");
}
