import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket, createServer as createTlsServer } from "node:tls";
import { lineConnections } from "../../host/notify/line-connections.ts";
import type { ChannelOf } from "./channel.ts";
import { sendMail } from "./smtp.ts";
import { throwing } from "../../../test/kit/rejection.ts";

const mail = { subject: "Grüße\r\nBcc: x@y.z", body: "line\n.\nQUIT\n", date: new Date(0), messageId: "page_1" };

let directory = "";
let key = "";
let cert = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "constel-smtp-"));
  const made = Bun.spawnSync(
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out cert.pem".split(
      " ",
    ),
    { cwd: directory, stderr: "pipe" },
  );
  if (made.exitCode !== 0) throw new Error(`openssl: ${made.stderr.toString()}`);
  key = readFileSync(join(directory, "key.pem"), "utf8");
  cert = readFileSync(join(directory, "cert.pem"), "utf8");
});
afterAll(() => rmSync(directory, { recursive: true }));

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

interface MailServer {
  port: number;
  /** Every command, marked when it came encrypted. */
  heard: string[];
}

/** A small mail server on loopback; `answers` replaces what it says to a command, or to one line. */
async function mailServer(
  options: {
    tls?: boolean;
    offers?: string[];
    answers?: Record<string, string>;
    silent?: boolean;
    slipped?: string;
    address?: string;
  } = {},
): Promise<MailServer> {
  const heard: string[] = [];
  const talk = (socket: Socket, encrypted: boolean): void => {
    sockets.push(socket);
    let pending = "";
    let inData = false;
    socket.on("error", () => undefined);
    const say = (text: string): void => void socket.write(`${text}\r\n`);
    const hear = (bytes: Buffer): void => {
      pending += bytes.toString();
      for (let end = pending.indexOf("\r\n"); end >= 0; end = pending.indexOf("\r\n")) {
        const line = pending.slice(0, end);
        pending = pending.slice(end + 2);
        heard.push(encrypted ? `🔒${line}` : line);
        const verb = line.split(" ")[0] ?? "";
        if (inData) {
          if (line !== ".") continue;
          inData = false;
          say(options.answers?.["."] ?? "250 queued");
        } else if (options.answers?.[line] !== undefined) say(options.answers[line]);
        else if (options.answers?.[verb] !== undefined) say(options.answers[verb]);
        else if (verb === "EHLO")
          say(["250-hello", ...(options.offers ?? []).map((o) => `250-${o}`), "250 SIZE"].join("\r\n"));
        else if (verb === "STARTTLS") {
          socket.removeListener("data", hear);
          socket.write(`220 go\r\n${options.slipped ?? ""}`, () => {
            talk(new TLSSocket(socket, { isServer: true, key, cert }), true);
          });
          return;
        } else if (verb === "DATA") {
          inData = true;
          say("354 go");
        } else if (verb === "AUTH") say("235 yes");
        else say("250 ok");
      }
    };
    socket.on("data", hear);
  };
  const greet = (socket: Socket, encrypted: boolean): void => {
    talk(socket, encrypted);
    if (options.silent !== true) socket.write("220 here\r\n");
  };
  const server =
    options.tls === true
      ? createTlsServer({ key, cert }, (socket) => greet(socket, true))
      : createServer((socket) => greet(socket, false));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, options.address ?? "localhost", resolve));
  return { port: (server.address() as AddressInfo).port, heard };
}

function channel(port: number, over: Partial<ChannelOf<"smtp">> = {}): ChannelOf<"smtp"> {
  return { type: "smtp", host: "localhost", port, security: "none", from: "a@b.c", to: ["d@e.f", "g@h.i"], ...over };
}

const send = (to: ChannelOf<"smtp">, deadlineMs = 5000, ca = cert): Promise<string | undefined> =>
  sendMail(lineConnections({ ca }), to, mail, deadlineMs);

describe("mail", () => {
  test("is given to each address, with subject and body encoded so that nothing in them is a command", async () => {
    const { port, heard } = await mailServer();
    await send(channel(port));
    expect(heard.slice(0, 5)).toEqual([
      "EHLO constel",
      "MAIL FROM:<a@b.c>",
      "RCPT TO:<d@e.f>",
      "RCPT TO:<g@h.i>",
      "DATA",
    ]);
    expect(heard).toContain(`Subject: =?utf-8?B?${Buffer.from(mail.subject).toString("base64")}?=`);
    expect(heard).toContain(Buffer.from(mail.body).toString("base64"));
    expect(heard).toContain("To: <d@e.f>, <g@h.i>");
    expect(heard).toContain("Date: Thu, 01 Jan 1970 00:00:00 +0000");
    expect(heard.filter((line) => line.startsWith("Bcc"))).toEqual([]);
  });

  test("with STARTTLS says who it is and what it has to say only once encrypted", async () => {
    const { port, heard } = await mailServer({ offers: ["STARTTLS"] });
    await send(channel(port, { security: "starttls", username: "me", password: "pw" }));
    expect(heard.slice(0, 4)).toEqual([
      "EHLO constel",
      "STARTTLS",
      "🔒EHLO constel",
      `🔒AUTH PLAIN ${Buffer.from("\0me\0pw").toString("base64")}`,
    ]);
    expect(heard.slice(2).every((line) => line.startsWith("🔒"))).toBe(true);
  });

  test("over TLS is encrypted from the start", async () => {
    const { port, heard } = await mailServer({ tls: true });
    await send(channel(port, { security: "tls" }));
    expect(heard).toContain("🔒MAIL FROM:<a@b.c>");
  });

  test("lines that somebody slipped in before the encryption are not read as if they came after it", async () => {
    const { port, heard } = await mailServer({ offers: ["STARTTLS"], slipped: "535 not you\r\n" });
    await send(channel(port, { security: "starttls" }));
    expect(heard).toContain("🔒.");
  });

  test("is not sent in the clear when STARTTLS was asked for and is not offered", async () => {
    const { port, heard } = await mailServer();
    expect(await throwing(send(channel(port, { security: "starttls", username: "me", password: "pw" })))).toThrow(
      "does not offer STARTTLS",
    );
    expect(heard).toEqual(["EHLO constel"]);
  });

  test("is not sent to a server whose certificate nobody vouches for", async () => {
    const { port, heard } = await mailServer({ offers: ["STARTTLS"] });
    const untrusting = sendMail(lineConnections(), channel(port, { security: "starttls" }), mail, 5000);
    expect(await throwing(untrusting)).toThrow(/certificate/i);
    expect(heard.filter((line) => line.startsWith("🔒"))).toEqual([]);
  });

  test("to a server that is named by its address goes to the one whose certificate names it, and to no other", async () => {
    for (const security of ["tls", "starttls"] as const) {
      const { port, heard } = await mailServer({ tls: security === "tls", offers: ["STARTTLS"], address: "127.0.0.1" });
      await send(channel(port, { host: "127.0.0.1", security }));
      expect(heard.filter((line) => line.startsWith("🔒MAIL"))).toHaveLength(1);
      const other = await mailServer({ tls: security === "tls", offers: ["STARTTLS"], address: "127.0.0.2" });
      expect(await throwing(send(channel(other.port, { host: "127.0.0.2", security })))).toThrow();
      expect(other.heard.filter((line) => line.includes("MAIL"))).toEqual([]);
    }
  });

  test("that is refused says so in the server's words, without the password", async () => {
    const { port } = await mailServer({ answers: { AUTH: "535 no" } });
    const refused = send(channel(port, { username: "me", password: "pw" }));
    expect(await throwing(refused)).toThrow("the mail server answered AUTH with: 535 no");
    const full = await mailServer({ answers: { ".": "452 full" } });
    expect(await throwing(send(channel(full.port)))).toThrow("answered the mail with: 452 full");
  });

  test("of which one recipient is refused goes to the others, and says whom it did not reach", async () => {
    const { port, heard } = await mailServer({ answers: { "RCPT TO:<d@e.f>": "550-no such\r\n550 mailbox" } });
    expect(await send(channel(port))).toBe("the mail server refused d@e.f: 550 mailbox");
    expect(heard).toContain("DATA");
    const none = await mailServer({ answers: { RCPT: "550 nobody" } });
    expect(await throwing(send(channel(none.port)))).toThrow(
      "the mail server refused every recipient: d@e.f: 550 nobody; g@h.i: 550 nobody",
    );
    expect(none.heard).not.toContain("DATA");
  });

  test("to a server that says nothing ends with the deadline", async () => {
    const { port } = await mailServer({ silent: true });
    expect(await throwing(send(channel(port), 50))).toThrow("no answer in time");
  });

  test("to nobody listening fails at once", async () => {
    expect(await throwing(send(channel(1)))).toThrow("localhost:1");
  });

  test("to an address with a line break in it is not begun", async () => {
    const { port, heard } = await mailServer();
    expect(await throwing(send(channel(port, { to: ["a@b.c>\r\nDATA"] })))).toThrow("not a mail address");
    expect(heard).not.toContain("DATA");
  });
});
