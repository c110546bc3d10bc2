// A peer over ssh: a real sshd on loopback with keys and settings of its own, and the real program at both ends. Nobody of ours listens.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { projectTop, until } from "./kit/home.ts";
import { MeshHome } from "./kit/mesh-home.ts";

const sshd = ["/usr/sbin/sshd", "/usr/bin/sshd"].find((path) => existsSync(path));
const why = sshd === undefined || Bun.which("ssh") === null ? " (skipped: needs openssh-server)" : "";

function keygen(path: string): void {
  const made = Bun.spawnSync(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path]);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Lets in whoever has the one key, and reads no settings of the machine's. */
async function startSshd(directory: string): Promise<{ config: string; stop: () => Promise<void> }> {
  mkdirSync(directory, { mode: 0o700 });
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  for (const name of ["host", "user"]) keygen(join(directory, name));
  const port = await freePort();
  const server = {
    Port: port,
    ListenAddress: "127.0.0.1",
    HostKey: join(directory, "host"),
    PidFile: "none",
    AuthorizedKeysFile: join(directory, "user.pub"),
    StrictModes: "no",
    UsePAM: "no",
    PasswordAuthentication: "no",
    PermitRootLogin: "yes",
  };
  const client = {
    Host: "desk",
    HostName: "127.0.0.1",
    Port: port,
    User: Bun.spawnSync(["id", "-un"]).stdout.toString().trim(),
    IdentityFile: join(directory, "user"),
    IdentitiesOnly: "yes",
    UserKnownHostsFile: join(directory, "known"),
  };
  const written = (settings: object): string =>
    Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join("");
  writeFileSync(join(directory, "sshd"), written(server));
  const config = join(directory, "ssh");
  writeFileSync(config, written(client));
  writeFileSync(join(directory, "known"), `[127.0.0.1]:${port} ${readFileSync(join(directory, "host.pub"), "utf8")}`);
  const running = Bun.spawn([sshd ?? "sshd", "-D", "-e", "-f", join(directory, "sshd")], { stderr: "ignore" });
  await until(
    "sshd answers",
    () => Bun.spawnSync(["ssh", "-F", config, "-n", "-o", "BatchMode=yes", "desk", "true"]).stderr.toString(),
    (said) => said === "",
  );
  const stop = async (): Promise<void> => {
    running.kill();
    await running.exited;
  };
  return { config, stop };
}

test.skipIf(why !== "")(
  `a machine that can be reached by ssh is a peer with one command, and nobody listens${why}`,
  async () => {
    await using root = new MeshHome("constel0");
    await using desk = new MeshHome("desk");
    const { config, stop } = await startSshd(join(root.top, "sshd"));
    try {
      await root.keepLines({ "mesh.ssh": ["ssh", "-F", config] });
      await desk.keepLines({});
      const program = join(root.top, "constel-there");
      const env = Object.entries(desk.env).map(([name, value]) => `${name}='${value}'`);
      writeFileSync(program, `#!/bin/sh\nexec env ${env.join(" ")} ${join(projectTop, "bin/constel")} "$@"\n`, {
        mode: 0o755,
      });
      await root.json(["mesh", "add", "ssh", "desk", "--program", program]);
      await root.connectedTo("desk");
      expect(await desk.peer("constel0")).toMatchObject({ role: "root", state: "connected", route: null });
      expect(await root.peer("desk")).toMatchObject({ role: "sibling", route: `ssh desk ${program}` });
      const listening = Bun.spawnSync(["ss", "-Hltnp"]).stdout.toString();
      for (const { daemonPid } of [root, desk]) expect(listening).not.toContain(`pid=${daemonPid},`);
      await desk.json(["mesh", "evict", "constel0"]);
      await root.until(async () => (await root.peer("desk"))?.step === "key");
      await stop();
      await root.until(async () => (await root.peer("desk"))?.step === "port");
    } finally {
      await stop();
    }
  },
);
