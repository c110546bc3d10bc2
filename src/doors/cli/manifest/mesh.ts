import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const own = () => import("../commands/mesh.ts");

export const commands: readonly CommandDeclaration[] = [
  asking("mesh.invite", {
    name: "mesh invite",
    summary: "Make a code with which another constellation joins this one, once, within five minutes",
    details:
      "On a terminal it also draws a QR code, waits until somebody joins, and asks whether both sides show the same fingerprint. Nothing travels before both owners have said so. The settings: mesh.enabled, mesh.listen, mesh.address.",
    flags: { as: { field: "as" }, at: { field: "at", value: "HOST:PORT" } },
    examples: ["constel mesh invite", "constel mesh invite --as root --at desk.lan:7435"],
    load: async () => (await own()).invite,
  }),
  asking("mesh.join", {
    name: "mesh join",
    summary: "Join another constellation with its code",
    details: "Both sides then show twelve digits. Compare them before you say yes.",
    arguments: [{ field: "code" }],
    flags: { name: { field: "name" } },
    examples: ["constel mesh join CM108G3…", "constel mesh join CM108G3… --name desk"],
    load: async () => (await own()).join,
  }),
  asking("mesh.confirm", {
    name: "mesh confirm",
    summary: "Say that the other side shows the same fingerprint; lines stand from then on",
    arguments: [{ field: "name" }, { field: "fingerprint" }],
    examples: ["constel mesh confirm desk 4821-0973-5512"],
    load: async () => (await own()).confirm,
  }),
  asking("mesh.add", {
    name: "mesh add",
    summary: "Put a key on the list that you know to be right, with no code and no fingerprint",
    details:
      "`constel mesh key` shows a constellation's key. Do this on both sides; one of them needs a way to the other.",
    arguments: [{ field: "name" }, { field: "key" }],
    flags: {
      role: { field: "role" },
      transport: { field: "transport" },
      at: { field: "at", value: "ADDRESS" },
    },
    examples: [
      "constel mesh add desk KEY --transport tls --at desk.lan:7435",
      "constel mesh add laptop KEY --role root",
    ],
    load: async () => (await own()).add,
  }),
  asking("mesh.key", {
    name: "mesh key",
    summary: "Show this constellation's mesh key",
    examples: ["constel mesh key"],
    load: async () => (await own()).key,
  }),
  asking("mesh.peers", {
    name: "mesh peers",
    summary: "The other constellations: which can be reached, how that is known, when each was last seen",
    flags: { all: { field: "all", short: "a" } },
    examples: ["constel mesh peers", "constel mesh peers --all --json"],
    load: async () => (await own()).peers,
  }),
  asking("mesh.evict", {
    name: "mesh evict",
    summary: "Take a peer off the list: its line ends at once, with all that is in flight",
    arguments: [{ field: "name" }],
    flags: { reason: { field: "reason" } },
    examples: ['constel mesh evict desk --reason "sold"'],
    load: async () => (await own()).evict,
  }),
  asking("mesh.rename", {
    name: "mesh rename",
    summary: "Give a peer another name here",
    arguments: [{ field: "name" }, { field: "to" }],
    examples: ["constel mesh rename desk workstation"],
    load: async () => (await own()).rename,
  }),
];
