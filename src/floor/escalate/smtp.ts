// Sends one plain mail: the few commands of SMTP that need no library.

import type { LineConnection, LineConnections } from "../../ports/notify.ts";
import type { ChannelOf } from "./channel.ts";

export interface Mail {
  readonly subject: string;
  readonly body: string;
  readonly date: Date;
  readonly messageId: string;
}

/**
 * Throws when the server refuses; the message names the server's answer and no secret. Where it refuses some of the recipients, the others have their
 * mail, and the answer names those who have not.
 */
export async function sendMail(
  connections: LineConnections,
  channel: ChannelOf<"smtp">,
  mail: Mail,
  deadlineMs: number,
): Promise<string | undefined> {
  const { host, port, security } = channel;
  const connection = await connections.open({ host, port, tls: security === "tls", deadlineMs });
  try {
    await expectReply(connection, "2", "greeting");
    let offers = await command(connection, "EHLO constel", "2", "EHLO");
    if (security === "starttls") {
      if (!/^.{4}STARTTLS\b/im.test(offers)) throw new Error("the mail server does not offer STARTTLS");
      await command(connection, "STARTTLS", "2", "STARTTLS");
      await connection.startTls();
      offers = await command(connection, "EHLO constel", "2", "EHLO");
    }
    if (channel.username !== undefined) {
      const proof = Buffer.from(`\0${channel.username}\0${channel.password ?? ""}`).toString("base64");
      await command(connection, `AUTH PLAIN ${proof}`, "2", "AUTH");
    }
    await command(connection, `MAIL FROM:<${address(channel.from)}>`, "2", "MAIL");
    const refused: string[] = [];
    for (const to of channel.to) {
      const line = await reply(connection, `RCPT TO:<${address(to)}>`);
      if (!line.last.startsWith("2")) refused.push(`${to}: ${line.last.slice(0, 200)}`);
    }
    if (refused.length === channel.to.length)
      throw new Error(`the mail server refused every recipient: ${refused.join("; ")}`);
    await command(connection, "DATA", "3", "DATA");
    await command(connection, `${messageText(channel, mail)}\r\n.`, "2", "the mail");
    connection.write("QUIT\r\n");
    return refused.length === 0 ? undefined : `the mail server refused ${refused.join("; ")}`;
  } finally {
    connection.close();
  }
}

async function command(connection: LineConnection, line: string, wanted: string, name: string): Promise<string> {
  connection.write(`${line}\r\n`);
  return expectReply(connection, wanted, name);
}

async function expectReply(connection: LineConnection, wanted: string, name: string): Promise<string> {
  const { last, all } = await readReply(connection);
  if (!last.startsWith(wanted)) throw new Error(`the mail server answered ${name} with: ${last.slice(0, 200)}`);
  return all;
}

function reply(connection: LineConnection, line: string): Promise<Reply> {
  connection.write(`${line}\r\n`);
  return readReply(connection);
}

interface Reply {
  readonly last: string;
  readonly all: string;
}

async function readReply(connection: LineConnection): Promise<Reply> {
  const lines: string[] = [];
  let line: string;
  do {
    line = await connection.readLine();
    lines.push(line);
  } while (/^\d{3}-/.test(line) && lines.length < 100);
  return { last: line, all: lines.join("\n") };
}

/** The body goes as base64, so that no line of it can be taken for a command or the end. */
function messageText(channel: ChannelOf<"smtp">, mail: Mail): string {
  const encoded = Buffer.from(mail.body)
    .toString("base64")
    .replace(/.{1,76}/g, "$&\r\n");
  return [
    `From: <${address(channel.from)}>`,
    `To: ${channel.to.map((to) => `<${address(to)}>`).join(", ")}`,
    `Subject: ${encodedWords(mail.subject)}`,
    `Date: ${mail.date.toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${mail.messageId}@constel>`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "",
    encoded.trimEnd(),
  ].join("\r\n");
}

/** Encoded always: that also keeps a line break in the subject from becoming a header. Split at whole characters. */
function encodedWords(subject: string): string {
  const words: string[] = [];
  let word = "";
  for (const character of subject) {
    if (Buffer.byteLength(word + character) > 45) {
      words.push(word);
      word = "";
    }
    word += character;
  }
  words.push(word);
  return words.map((part) => `=?utf-8?B?${Buffer.from(part).toString("base64")}?=`).join("\r\n ");
}

/** An address comes from config; one that could break out of its line is a mistake there. */
function address(text: string): string {
  if (!/^[^\s<>\p{Cc}]{1,254}$/u.test(text))
    throw new Error(`not a mail address: ${JSON.stringify(text.slice(0, 80))}`);
  return text;
}
