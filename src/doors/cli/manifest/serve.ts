import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "serve",
    summary: "Serve people on other machines: over TLS, or behind a proxy",
    details:
      "The daemon then answers there whoever has a token (`constel token create`), as what the token's role allows; never as an agent. It keeps serving after a restart, until --off. Without flags: shows where it serves, and the fingerprint that others confirm. Without a certificate it listens on 127.0.0.1 only, for a proxy that adds TLS and passes the Host header on.",
    tier: "floor",
    may: "owner",
    effect: "writes",
    flags: {
      listen: { summary: "The address and port, such as 0.0.0.0:7434", value: "ADDRESS" },
      certificate: { summary: "The file of the TLS certificate (PEM)", value: "FILE" },
      key: { summary: "The file of its private key (PEM), readable by you alone", value: "FILE" },
      name: {
        summary: "A name by which others reach it (default: those in the certificate); several times for several",
        value: "NAME",
        repeat: true,
      },
      off: { summary: "Stop serving" },
    },
    examples: [
      "constel serve --listen 0.0.0.0:7434 --certificate /etc/constel/cert.pem --key /etc/constel/key.pem",
      "constel serve --listen 127.0.0.1:7434 --name constel.example.org",
      "constel serve",
    ],
    load: async () => (await import("../commands/serve.ts")).serve,
  },
  {
    name: "login",
    summary: "Keep a server and a token for it, for `--server`; without an address, list those kept",
    details:
      "The token is asked for, or read from standard input. The first connection confirms the server: by a fingerprint that its owner tells you (`constel serve` prints it there), by an authority (--ca), or by one that this system trusts. A server that later shows another certificate is sent nothing.",
    tier: "floor",
    may: "owner",
    effect: "writes",
    arguments: [{ name: "url", summary: "https://HOST:PORT", optional: true }],
    flags: {
      name: { summary: "What to call it here (default: the host's first word)", value: "NAME" },
      fingerprint: { summary: "The SHA-256 fingerprint of its certificate", value: "FINGERPRINT" },
      ca: { summary: "A file with the certificate of its authority (PEM)", value: "FILE" },
    },
    examples: ["constel login https://desk.example.org:7434 --fingerprint 5C:0E:…", "constel status --server desk"],
    load: async () => (await import("../commands/login.ts")).login,
  },
  {
    name: "logout",
    summary: "Forget a server and the token for it",
    tier: "floor",
    may: "owner",
    effect: "writes",
    arguments: [{ name: "name", summary: "As `constel login` lists it", offers: "servers" }],
    examples: ["constel logout desk"],
    load: async () => (await import("../commands/login.ts")).logout,
  },
];
