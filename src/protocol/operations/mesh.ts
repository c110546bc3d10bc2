// The list of peers: other constellations that may have a line to this one.

import { z } from "zod";
import { defineOperation } from "../operation.ts";

const nameField = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/i, "a plain name: letters, digits, dot, dash and underscore");
const peerField = nameField.describe("The peer, by our name for it");
const keyField = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "a mesh key: 43 letters and digits");
const roleField = z.enum(["root", "sibling"]);
const placeField = z.string().regex(/^[\x21-\x7e]{1,200}$/, "an address without blanks");
/** Of ssh with the program's path after a blank. */
const routeField = z.string().regex(/^[\x21-\x7e]{1,200}( [\x21-\x7e]{1,200})?$/, "an address");

const entry = z.object({
  name: z.string(),
  role: roleField,
  state: z.enum(["waiting", "confirmed", "evicted"]),
  key: z.string(),
  fingerprint: z.string().nullable(),
});

export const inviteToMesh = defineOperation({
  name: "mesh.invite",
  summary: "Make a code with which another constellation joins, once, within five minutes.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    as: roleField.default("sibling").describe("What the other one will be to this one"),
    at: placeField.optional().describe("The address to put into the code, in place of `mesh.address`"),
  }),
  output: z.object({ id: z.string(), code: z.string(), at: z.string(), until_ms: z.number() }),
  refusals: ["mesh.off", "mesh.no-address", "mesh.too-many-codes"],
});

export const awaitJoined = defineOperation({
  name: "mesh.invited",
  summary: "What became of a code; waits a while for somebody to join with it.",
  may: "owner",
  effect: "reads",
  needsDaemon: true,
  input: z.object({
    id: z.string().regex(/^[0-9a-f]{8}$/),
    for_ms: z.number().int().min(0).max(60_000).default(0),
  }),
  output: z.object({ state: z.enum(["open", "joined", "over"]), peer: entry.nullable() }),
  refusals: ["mesh.off"],
});

export const joinMesh = defineOperation({
  name: "mesh.join",
  summary: "Join another constellation with its code. Both owners then compare a fingerprint.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    code: z.string().min(1).max(2_000).describe("As `constel mesh invite` shows it there"),
    name: nameField.optional().describe("Our name for it, in place of its own"),
  }),
  output: z.object({ peer: entry }),
  refusals: [
    "mesh.off",
    "mesh.bad-code",
    "mesh.unreachable",
    "mesh.known-key",
    "mesh.name-taken",
    "mesh.two-roots",
    "mesh.itself",
    "store.not-written",
  ],
});

export const confirmPeer = defineOperation({
  name: "mesh.confirm",
  summary: "Say that the other side shows the same fingerprint. Lines to it stand from then on.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    name: peerField,
    fingerprint: z.string().min(12).max(20).describe("The digits that both sides show"),
  }),
  output: z.object({ peer: entry }),
  refusals: ["mesh.unknown-peer", "mesh.another-fingerprint", "store.not-written"],
});

export const addPeer = defineOperation({
  name: "mesh.add",
  summary: "Put a key on the list that the owner knows to be right, with no code and no fingerprint.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    key: keyField.describe("Its mesh key, as `constel mesh key` shows it there"),
    name: nameField.describe("Our name for it"),
    role: roleField.default("sibling").describe("What it is to us"),
    transport: z.enum(["tls", "ssh"]).optional().describe("How we reach it; none where it calls us"),
    at: routeField.optional().describe("Where we reach it"),
  }),
  output: z.object({ peer: entry }),
  refusals: ["mesh.known-key", "mesh.name-taken", "mesh.two-roots", "mesh.itself", "store.not-written"],
});

export const ownMeshKey = defineOperation({
  name: "mesh.key",
  summary: "This constellation's mesh key, for an owner who puts it on another's list.",
  may: "everybody",
  effect: "reads",
  needsDaemon: true,
  input: z.object({}),
  output: z.object({ key: z.string(), id: z.string(), constellation: z.string() }),
  refusals: [],
});

const peerShape = z.object({
  name: z.string(),
  role: roleField,
  /** `planted`: a row that constel did not write. `unknown`: no daemon keeps lines. */
  state: z.enum(["connected", "away", "waiting", "unknown", "evicted", "planted"]),
  /** What the state rests on. */
  evidence: z.string(),
  key: z.string(),
  route: z.string().nullable(),
  calls_itself: z.string(),
  fingerprint: z.string().nullable(),
  added_ms: z.number(),
  seen_ms: z.number().nullable(),
  connected_ms: z.number().nullable(),
  round_trip_ms: z.number().nullable(),
  clock_ahead_ms: z.number().nullable(),
  version: z.number().nullable(),
  program: z.string().nullable(),
  /** The step at which it could not be reached. */
  step: z.string().nullable(),
  /** What it has not yet said that it took, and since when the first of it waits. */
  waiting_items: z.number().int(),
  waiting_since_ms: z.number().nullable(),
  /** When it last said that what we know of it is how things are there. */
  known_ms: z.number().nullable(),
});

export const listPeers = defineOperation({
  name: "mesh.peers",
  summary: "The peers of this constellation: which can be reached, how that is known, when each was last seen.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ all: z.boolean().default(false).describe("Those that were evicted too") }),
  output: z.object({
    /** True when a daemon keeps lines now. */
    mesh: z.boolean(),
    peers: z.array(peerShape),
  }),
  refusals: [],
});

export const evictPeer = defineOperation({
  name: "mesh.evict",
  summary: "Take a peer off the list. Its line ends at once, with all that is in flight.",
  may: "owner",
  effect: "destroys",
  needsDaemon: true,
  speaks: ["reason"],
  input: z.object({ name: peerField, reason: z.string().trim().max(200).default("").describe("Why") }),
  output: z.object({ peer: entry }),
  refusals: ["mesh.unknown-peer", "store.not-written"],
});

export const renamePeer = defineOperation({
  name: "mesh.rename",
  summary: "Give a peer another name here. Its line begins anew under that name.",
  may: "owner",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ name: peerField, new_name: nameField.describe("Its new name") }),
  output: z.object({ peer: entry }),
  refusals: ["mesh.unknown-peer", "mesh.name-taken", "store.not-written"],
});
