import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const own = () => import("../commands/mesh.ts");

export const commands: readonly CommandDeclaration[] = [
  asking("mesh.invite", {
    name: "mesh invite",
    summary: "Make a code with which another constellation joins this one, once, within five minutes",
    details:
      "On a terminal it also draws a QR code, waits until somebody joins, and asks whether both sides show the same fingerprint. Nothing travels before both owners have said so. The settings: mesh.enabled, mesh.listen, mesh.address.",
    flags: { role: { field: "as" }, at: { field: "at", value: "HOST:PORT" } },
    examples: ["constel mesh invite", "constel mesh invite --role root --at desk.lan:7435"],
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
    summary: "Add a constellation that you can ssh to, or one whose key you know to be right",
    details:
      "With ssh this is all: it asks `ssh HOST` for the key there and puts ours on the list there; neither end listens on a network. With tls the key is given by hand (`constel mesh key` shows it), and the other side takes ours with `mesh accept`.",
    arguments: [{ field: "transport" }, { field: "at" }],
    flags: {
      name: { field: "name" },
      key: { field: "key" },
      role: { field: "role" },
      program: { summary: "Where constel is there, if its shell does not find it (ssh)", value: "PATH" },
      "known-as": { summary: "What it is to call us, in place of our own name (ssh)", value: "NAME" },
    },
    examples: [
      "constel mesh add ssh desk",
      "constel mesh add ssh me@desk.lan --program .local/bin/constel --name desk",
      "constel mesh add tls desk.lan:7435 --key KEY --name desk",
    ],
    load: async () => (await own()).add,
  }),
  asking("mesh.add", {
    name: "mesh accept",
    summary: "Put a key on the list that you know to be right; that constellation calls us",
    details: "Prints our own key, for the other side's list. `constel mesh add ssh` runs this over there.",
    arguments: [{ field: "name" }, { field: "key" }],
    flags: { role: { field: "role" } },
    examples: ["constel mesh accept laptop KEY --role root"],
    load: async () => (await own()).accept,
  }),
  {
    name: "mesh serve",
    summary: "Hand the stream of an ssh connection to the daemon; the other constellation's daemon runs this",
    tier: "change",
    flags: { stdio: { summary: "Standard input and output are the stream" } },
    examples: ["ssh desk constel mesh serve --stdio"],
    load: async () => (await import("../commands/mesh-stdio.ts")).serveStdio,
  },
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
    arguments: [{ field: "name" }, { field: "new_name" }],
    examples: ["constel mesh rename desk workstation"],
    load: async () => (await own()).rename,
  }),
];
