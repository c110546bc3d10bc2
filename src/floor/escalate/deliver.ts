// One attempt to tell a person through one channel. Each throws when it did not work, with a message that holds no secret;
// trying again and giving up are the caller's. The answer is what did not work although somebody was told.

import type { HttpSender, LineConnections } from "../../ports/notify.ts";
import type { Clock, Processes, Random } from "../../ports/machine.ts";
import { makeId } from "../../protocol/ids.ts";
import type { Channel, ChannelOf } from "./channel.ts";
import { bytesOf, fitText } from "./fit-text.ts";
import { sendMail } from "./smtp.ts";

export interface EscalatePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: Processes;
  readonly http: HttpSender;
  readonly connections: LineConnections;
  /** As node names it: `linux`, `darwin`. */
  readonly platform: string;
  /** The environment of the programs that are run. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Page {
  readonly constellation: string;
  readonly subject: string;
  readonly body: string;
  readonly urgent: boolean;
}

export async function deliver(
  ports: EscalatePorts,
  channel: Channel,
  page: Page,
  deadlineMs: number,
): Promise<string | undefined> {
  if (channel.type === "smtp") return await sendMail(ports.connections, channel, asMail(ports, page), deadlineMs);
  await tell(ports, channel, page, deadlineMs);
  return undefined;
}

type Plain = Exclude<Channel, { type: "smtp" }>;

function tell(ports: EscalatePorts, channel: Plain, page: Page, deadlineMs: number): Promise<void> {
  switch (channel.type) {
    case "command":
      return runCommand(ports, [...channel.command, page.subject], page.body, deadlineMs);
    case "webhook":
      return post(
        ports,
        channel.url,
        { "content-type": "application/json", ...channel.headers },
        asJson(ports, page),
        deadlineMs,
      );
    case "slack":
      return post(ports, channel.url, json, JSON.stringify({ text: slackText(page) }), deadlineMs);
    case "discord":
      return post(ports, channel.url, json, JSON.stringify(discordMessage(page)), deadlineMs);
    case "ntfy":
      return postToNtfy(ports, channel, page, deadlineMs);
    case "telegram":
      return postToTelegram(ports, channel, page, deadlineMs);
    case "desktop":
      return showOnDesktop(ports, page, deadlineMs);
    case "imessage":
      return sendMessage(ports, channel, page, deadlineMs);
  }
}

const json = { "content-type": "application/json" };

/** Slack cuts a text at 40,000 characters and advises 4,000; of these three signs it makes markup and mentions, so they go as entities. */
const longestSlack = 4000;

function slackText(page: Page): string {
  const text = fitText(`${page.subject}\n\n${page.body}`.trim(), longestSlack);
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Discord refuses a longer content. No text of an agent's may call everybody. */
const longestDiscord = 2000;

const discordMessage = (page: Page): object => ({
  content: fitText(`${page.subject}\n\n${page.body}`.trim(), longestDiscord),
  allowed_mentions: { parse: [] },
});

/** In bytes. A longer message becomes a file beside the notification, or is refused where the server takes none. */
const longestNtfy = 4096;

/** ntfy takes JSON at its root, which spares us the encoding of headers. */
function postToNtfy(ports: EscalatePorts, channel: ChannelOf<"ntfy">, page: Page, deadlineMs: number): Promise<void> {
  const message = {
    topic: channel.topic,
    title: page.subject,
    message: fitText(page.body || page.subject, longestNtfy, bytesOf),
    priority: page.urgent ? 5 : 3,
  };
  const headers = {
    "content-type": "application/json",
    ...(channel.token === undefined ? {} : { authorization: `Bearer ${channel.token}` }),
  };
  return post(ports, channel.server ?? "https://ntfy.sh", headers, JSON.stringify(message), deadlineMs);
}

/** Telegram's limit for one message. */
const longestTelegram = 4096;

function postToTelegram(
  ports: EscalatePorts,
  channel: ChannelOf<"telegram">,
  page: Page,
  deadlineMs: number,
): Promise<void> {
  const text = fitText(`${page.subject}\n\n${page.body}`.trim(), longestTelegram);
  const url = `${channel.server ?? "https://api.telegram.org"}/bot${channel.token}/sendMessage`;
  const headers = { "content-type": "application/json" };
  return post(ports, url, headers, JSON.stringify({ chat_id: channel.chat, text }), deadlineMs);
}

function showOnDesktop(ports: EscalatePorts, page: Page, deadlineMs: number): Promise<void> {
  if (ports.platform === "darwin") {
    const script = ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"];
    return runCommand(ports, [...osascript(script), page.subject, page.body], "", deadlineMs);
  }
  const urgency = page.urgent ? "critical" : "normal";
  const command = ["notify-send", "--app-name=constel", `--urgency=${urgency}`, "--", page.subject, page.body];
  return runCommand(ports, command, "", deadlineMs);
}

function sendMessage(
  ports: EscalatePorts,
  channel: ChannelOf<"imessage">,
  page: Page,
  deadlineMs: number,
): Promise<void> {
  if (ports.platform !== "darwin") throw new Error("iMessage works on macOS only");
  const script = [
    "on run argv",
    'tell application "Messages"',
    "set theService to 1st account whose service type = iMessage",
    "send (item 2 of argv) to participant (item 1 of argv) of theService",
    "end tell",
    "end run",
  ];
  const text = `${page.subject}\n\n${page.body}`.trim();
  return runCommand(ports, [...osascript(script), channel.to, text], "", deadlineMs);
}

/** Text goes in as arguments, never into the script, where a quote in it would be code. */
const osascript = (lines: readonly string[]): string[] => ["osascript", ...lines.flatMap((line) => ["-e", line])];

/** The end of what a program said is where it says why it failed. */
const lastWords = 200;

async function runCommand(
  ports: EscalatePorts,
  command: readonly string[],
  stdin: string,
  deadlineMs: number,
): Promise<void> {
  // A pager may well leave something running, which rings on. That it told somebody is its own status to say.
  const options = { env: ports.env, stdin, deadlineMs, maxOutputBytes: 64 * 1024, leavesOthers: true };
  const outcome = await ports.processes.run(command, options);
  if (outcome.timedOut) throw new Error(`${command[0]} did not end within ${deadlineMs} ms`);
  if (outcome.code !== 0) {
    throw new Error(
      `${command[0]} ended with ${outcome.code ?? outcome.signal}: ${outcome.stderr.trim().slice(-lastWords)}`,
    );
  }
}

async function post(
  ports: EscalatePorts,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  deadlineMs: number,
): Promise<void> {
  const { status } = await ports.http.post({ url, headers, body, deadlineMs });
  if (status < 200 || status > 299) throw new Error(`${new URL(url).host} answered ${status}`);
}

function asJson(ports: EscalatePorts, page: Page): string {
  return JSON.stringify({ ...page, at: new Date(ports.clock.nowMs()).toISOString() });
}

function asMail(ports: EscalatePorts, page: Page): Parameters<typeof sendMail>[2] {
  const now = ports.clock.nowMs();
  const messageId = makeId("page", now, ports.random.bytes(10));
  return { subject: page.subject, body: page.body, date: new Date(now), messageId };
}
