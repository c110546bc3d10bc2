import type { CommandDeclaration } from "../input/command.ts";
import type { FlagDeclaration } from "../input/command-shape.ts";

const load = () => import("../commands/upgrade.ts");

const from: FlagDeclaration = {
  summary: "Where releases lie: an address, or a directory (default: where this program came from)",
  value: "PLACE",
};

export const commands: readonly CommandDeclaration[] = [
  {
    name: "upgrade",
    summary: "Install a newer version in the way this one was installed, and hand the daemon over to it",
    details:
      "The release's signature and digests are checked, and the new program is started once, before anything is changed. Agents go on in their terminals and messages stay in their files. If the new daemon does not start, the version of before is put back.",
    tier: "floor",
    may: "owner",
    effect: "writes",
    flags: {
      to: { summary: "This version, and not the newest", value: "VERSION" },
      check: { summary: "Only say whether there is a newer one" },
      from,
    },
    examples: ["constel upgrade --check", "constel upgrade", "constel upgrade --to 0.2.0 --from /media/releases"],
    load: async () => (await load()).upgrade,
  },
  {
    name: "downgrade",
    summary: "Go back to an earlier version that knows the database's schema",
    details:
      "Without --to, the version that the last upgrade replaced. It is refused when the database was changed since in a way that version does not know; the refusal names what to do.",
    tier: "floor",
    may: "owner",
    effect: "writes",
    flags: {
      to: { summary: "The version to go back to", value: "VERSION" },
      from,
      accept: {
        summary:
          "Change no program: let this version, installed by other means, write to a home that a newer one wrote to",
      },
    },
    examples: ["constel downgrade", "constel downgrade --to 0.1.0", "constel downgrade --accept"],
    load: async () => (await load()).downgrade,
  },
  {
    name: "uninstall",
    summary: "End and undo everything constel set up on this machine; what holds work is kept and named",
    details:
      "Ends agents and daemon, takes back units and hooks, removes workspaces that hold nothing unlanded, the home and the program. Without --yes it shows the list and changes nothing.",
    tier: "floor",
    may: "owner",
    effect: "destroys",
    flags: {
      yes: { summary: "Do it" },
      "keep-home": { summary: "Leave the home with its messages, tasks and history" },
      "keep-program": { summary: "Leave the program; install.sh --uninstall removes it itself" },
    },
    examples: ["constel uninstall", "constel uninstall --yes", "constel uninstall --yes --keep-home"],
    load: async () => (await import("../commands/uninstall.ts")).uninstall,
  },
];
