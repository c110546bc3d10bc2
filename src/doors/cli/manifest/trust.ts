import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const keys = () => import("../commands/keys.ts");
const owner = () => import("../commands/owner.ts");
const token = () => import("../commands/token.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "keys ls",
    summary: "List the keys: whose each is, since when, and whether it still counts",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    flags: { all: { summary: "Also keys that were replaced or revoked", short: "a" } },
    examples: ["constel keys ls", "constel keys ls --all --json"],
    load: async () => (await keys()).list,
  },
  {
    name: "keys rotate",
    summary: "Give somebody a new key; what the old one signed stays verifiable",
    tier: "floor",
    may: "owner",
    effect: "writes",
    arguments: [{ name: "holder", summary: "constellation, owner, or an agent", offers: "holders" }],
    examples: ["constel keys rotate agent3", "constel keys rotate constellation"],
    load: async () => (await keys()).rotate,
  },
  {
    name: "keys revoke",
    summary: "Revoke a key that is in the wrong hands: nothing it signs from now on counts",
    details: "The holder gets a new key when it next needs one. The constellation's is replaced at once.",
    tier: "floor",
    may: "owner",
    effect: "destroys",
    arguments: [{ name: "key", summary: "A key's id, or whose current key it is", offers: "keys" }],
    flags: { reason: { summary: "Why", value: "TEXT" } },
    examples: ['constel keys revoke agent3 --reason "its laptop was stolen"'],
    load: async () => (await keys()).revoke,
  },
  {
    name: "owner init",
    summary: "Make the owner's key, with which directives and decisions are signed",
    details:
      "With --passphrase the key is stored encrypted, and no process can sign with it without the passphrase, which is asked for on the terminal. With --ssh-agent an Ed25519 key of your running ssh-agent is the owner's key, and constel never has it: with `ssh-add -c` the agent asks you at each signature. With --keychain it is stored in the keychain of the operating system (secret-tool on Linux, security on macOS).",
    tier: "floor",
    may: "owner",
    effect: "writes",
    flags: {
      passphrase: { summary: "Protect the key with a passphrase" },
      "ssh-agent": { summary: "Use an Ed25519 key of the running ssh-agent" },
      "ssh-key": { summary: "Which one, by its comment or fingerprint, when there are several", value: "KEY" },
      keychain: { summary: "Keep the key in the keychain of the operating system" },
      replace: { summary: "Make a new key even if there is one; signatures of the old one stay verifiable" },
    },
    examples: ["constel owner init --passphrase", "constel owner init --ssh-agent"],
    load: async () => (await owner()).init,
  },
  asking("directive.add", {
    name: "owner direct",
    summary: "Record a directive, signed with the owner's key",
    arguments: [{ field: "text", rest: true }],
    examples: ['constel owner direct "Nothing lands on main before 18:00 UTC."'],
    load: async () => (await owner()).direct,
  }),
  asking("directive.list", {
    name: "owner directives",
    summary: "The owner's directives, and whether each is verified",
    flags: { limit: { field: "limit", short: "n" } },
    examples: ["constel owner directives"],
    load: async () => (await owner()).directives,
  }),
  asking("token.create", {
    name: "token create",
    elsewhere: true,
    summary: "Make a token for HTTP access; it is shown once",
    details:
      "Roles: owner (everything), human (what those who run the constellation may do, except what destroys something), observer (read only). A scope limits it further.",
    arguments: [{ field: "name" }],
    flags: {
      role: { field: "role" },
      scope: { summary: "Only these operations, separated by commas: task.*,timeline.list", value: "OPERATIONS" },
      expires: { summary: "How long it is good for, such as 12h or 30d (default 30d), or never", value: "TIME" },
    },
    examples: ["constel token create wall --role observer", "constel token create ann --role human --expires 7d"],
    load: async () => (await token()).create,
  }),
  asking("token.list", {
    name: "token ls",
    elsewhere: true,
    summary: "List the tokens; the token itself is shown only once, when it is made",
    examples: ["constel token ls"],
    load: async () => (await token()).list,
  }),
  asking("token.revoke", {
    name: "token revoke",
    elsewhere: true,
    arguments: [{ field: "id", name: "token", offers: "tokens" }],
    examples: ["constel token revoke wall"],
    load: async () => (await token()).revoke,
  }),
];
