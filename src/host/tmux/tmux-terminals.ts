// Terminals on tmux, through the one control client. One session per agent, named like it. Names are always matched
// whole (`=agent1` is not agent10), and a pane is addressed by its id within its session, so that a person who splits an
// agent's window does not receive its messages.
//
// Nothing is ever sent to a dead pane: tmux 3.3a ends its whole server when something is pasted into one. The check is
// made by tmux itself in the same step.

import { Outage } from "../../protocol/errors.ts";
import type { Clock } from "../../ports/machine.ts";
import type { PasteReceipt, Screen, Terminal, Terminals, TerminalWish } from "../../ports/terminal.ts";
import { ControlClient } from "./control-client.ts";
import type { Reply } from "./control-connection.ts";
import { removeDeadSocket } from "./dead-socket.ts";
import { hiddenPrefix } from "./orphaned-client.ts";
import { ownPaneOption, paneList } from "./pane-list.ts";
import { literalFormat, quote } from "./quote.ts";
import { screenHash } from "../../ports/screen-hash.ts";
import {
  checkKeys,
  checkWish,
  deadTerminal,
  NameRule,
  pasteable,
  takenName,
  unknownTerminal,
} from "../../ports/terminal-rules.ts";

export interface TmuxTerminalsOptions {
  /** The name given to `tmux -L`: one per home. */
  readonly socket: string;
  /** The environment that every terminal inherits. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** A file (`tmux.lock` in the state directory) that all who use this socket share; its directory must exist. */
  readonly lockPath: string;
  /** Names allowed besides those of agents. */
  readonly declaredNames?: readonly string[];
  readonly program?: string;
  readonly deadlineMs?: number;
}

const repeatable = { repeatable: true } as const;
const once = { repeatable: false } as const;
const stirring = { repeatable: false, stirs: true } as const;
const stateFormat = "#{S:#{session_name} #{pane_dead} #{pane_title}/}";
const tellingKinds = new Set(["sessions-changed", "session-renamed", "window-close", "unlinked-window-close"]);

let lastBuffer = 0;

export class TmuxTerminals implements Terminals {
  readonly #options: TmuxTerminalsOptions;
  readonly #client: ControlClient;
  readonly #names: NameRule;
  readonly #env: Readonly<Record<string, string>>;
  /** The id of each name's own pane, as last seen on the connection of `#panesOf`. */
  readonly #panes = new Map<string, string>();
  #panesOf = 0;

  constructor(options: TmuxTerminalsOptions) {
    this.#options = options;
    this.#client = new ControlClient(options);
    this.#names = new NameRule(options.declaredNames);
    const { TMUX: _, TMUX_PANE: __, CONSTEL_AGENT: ___, TERM: ____, ...env } = options.env;
    this.#env = env;
  }

  /** The process of the control client, for those who measure it. */
  get clientPid(): number | undefined {
    return this.#client.pid;
  }

  async create(wish: TerminalWish): Promise<{ paneId: string; pid: number }> {
    const { name, cwd, command, cols = 120, rows = 40 } = wish;
    this.#names.check(name);
    // All of it is said each time: the server may have been started long ago, with another environment.
    const env = { ...this.#env, ...wish.env };
    checkWish({ ...wish, env });
    await this.#forgetVariables(env);
    const variables = Object.entries(env).map(([key, value]) => `-e ${quote(`${key}=${value}`)}`);
    const [first, second] = await this.#client.askStarting(
      [
        `new-session -d -P -F "#{pane_id} #{pane_pid}" -s ${name} -x ${cols} -y ${rows} -c ${quote(literalFormat(cwd))} ` +
          `${variables.join(" ")} -- ${withoutShell(command).map(quote).join(" ")}`,
        `set-option -p -t =${name}: ${ownPaneOption} 1`,
      ],
      stirring,
    );
    if (first?.body.startsWith("duplicate session")) throw takenName(name);
    const [, paneId, pid] = /^(%\d+) (\d+)$/.exec(first?.body ?? "") ?? [];
    if (!first?.ok || !second?.ok || paneId === undefined) throw this.#odd("start", name, first?.ok ? second : first);
    this.#remember(name, paneId);
    return { paneId, pid: Number(pid) };
  }

  /**
   * Whoever reaches the server can leave variables in it, by which what is started next would load code of theirs. All that a terminal is to have
   * is said when it is made, so the server needs none of its own.
   */
  async #forgetVariables(wanted: Readonly<Record<string, string>>): Promise<void> {
    const [shown] = await this.#client.askStarting(["show-environment -g"], repeatable);
    const names = (shown?.body ?? "").split("\n").flatMap((line) => /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(line)?.[1] ?? []);
    const strange = names.filter((name) => !(name in wanted));
    if (strange.length > 0)
      await this.#client.ask(
        strange.map((name) => `set-environment -gu ${name}`),
        repeatable,
      );
  }

  async list(): Promise<readonly Terminal[]> {
    const question = paneList();
    const replies = await this.#client.ask([question.line], repeatable);
    if (replies === undefined) return [];
    const [reply] = replies;
    if (!reply?.ok) throw this.#odd("list", "terminals", reply);
    const all = question.read(reply.body);
    if (all.some(isUncounted)) await this.#client.ask(["run-shell -b :"], repeatable);
    // With nobody's session left, ours alone would keep the server up.
    if (all.every(({ name }) => name.startsWith(hiddenPrefix))) await this.#client.release();
    const ours = all.filter(({ name }) => this.#names.allows(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#forget();
    for (const { name, paneId } of ours) this.#remember(name, paneId);
    return ours;
  }

  async find(name: string): Promise<Terminal | undefined> {
    this.#names.check(name);
    const question = paneList(name);
    const [reply] = (await this.#client.ask([question.line], repeatable)) ?? [];
    const isMissing = reply === undefined || (!reply.ok && reply.body.startsWith("can't find"));
    if (!isMissing && !reply.ok) throw this.#odd("look at", name, reply);
    const found = isMissing ? undefined : question.read(reply.body).find((one) => one.name === name);
    if (found === undefined) this.#panes.delete(name);
    else this.#remember(name, found.paneId);
    return found;
  }

  async has(name: string): Promise<boolean> {
    this.#names.check(name);
    const replies = await this.#client.ask([`has-session -t =${name}`], repeatable);
    return replies?.[0]?.ok ?? false;
  }

  async captureMany(names: readonly string[], options: { lines?: number } = {}): Promise<ReadonlyMap<string, Screen>> {
    for (const name of names) this.#names.check(name);
    const screens = new Map<string, Screen>();
    let wanted = [...new Set(names)];
    // A second look, only at those that are no longer where they were last seen.
    for (let look = 1; look <= 2 && wanted.length > 0; look++) {
      const targets = await this.#targets(wanted, look === 2);
      const known = wanted.filter((name) => targets.has(name));
      if (known.length === 0) break;
      const from = options.lines === undefined ? "" : `-S -${Math.max(0, Math.trunc(options.lines))} `;
      const lines = known.map((name) => `capture-pane -p ${from}-t ${targets.get(name)}`);
      const replies = await this.#client.ask(lines, repeatable);
      if (replies === undefined) break;
      if (replies.length !== lines.length) throw this.#odd("capture", `${known.length} terminals`, replies.at(-1));
      known.forEach((name, index) => {
        const reply = replies[index];
        if (reply?.ok) screens.set(name, { name, text: reply.body, hash: screenHash(reply.body) });
      });
      wanted = wanted.filter((name) => !screens.has(name));
    }
    return screens;
  }

  async paste(name: string, text: string, options: { clearLine?: boolean } = {}): Promise<PasteReceipt> {
    const clean = pasteable(text);
    const target = await this.#target(name);
    const buffer = `constel-${process.pid}-${++lastBuffer}`;
    const clear = options.clearLine ? [`send-keys -t ${target} C-u`] : [];
    await this.#input(
      name,
      target,
      [...clear, `paste-buffer -p -d -b ${buffer} -t ${target}`],
      [`set-buffer -b ${buffer} -- ${quote(clean.text)}`],
      [`delete-buffer -b ${buffer}`],
    );
    return { bytes: clean.bytes, removed: clean.removed };
  }

  async enter(name: string): Promise<void> {
    await this.sendKeys(name, ["Enter"]);
  }

  async sendKeys(name: string, keys: readonly string[]): Promise<void> {
    checkKeys(keys);
    const target = await this.#target(name);
    await this.#input(name, target, [`send-keys -t ${target} -- ${keys.map(quote).join(" ")}`]);
  }

  async rename(from: string, to: string): Promise<void> {
    this.#names.check(from);
    this.#names.check(to);
    const replies = await this.#client.ask([`rename-session -t =${from} ${to}`], stirring);
    const [reply] = replies ?? [];
    if (replies === undefined || reply?.body.startsWith("can't find")) throw unknownTerminal(from);
    if (reply?.body.startsWith("duplicate session")) throw takenName(to);
    if (!reply?.ok) throw this.#odd("rename", from, reply);
    this.#panes.delete(from);
  }

  async kill(name: string): Promise<boolean> {
    this.#names.check(name);
    const replies = await this.#client.ask([`kill-session -t =${name}`], { repeatable: true, stirs: true });
    const [reply] = replies ?? [];
    if (replies === undefined || reply?.body.startsWith("can't find")) return false;
    if (!reply?.ok) throw this.#odd("kill", name, reply);
    await this.list(); // lets the server go when this was the last
    return true;
  }

  async killServer(): Promise<void> {
    await this.#client.killServer();
  }

  clearAway(): Promise<boolean> {
    return removeDeadSocket(this.#options);
  }

  attachCommand(name: string): readonly string[] {
    this.#names.check(name);
    const { socket, program = "tmux", env } = this.#options;
    const directory = env["TMUX_TMPDIR"] === undefined ? [] : [`TMUX_TMPDIR=${env["TMUX_TMPDIR"]}`];
    const tmux = [program, "-L", socket, "-f", "/dev/null", "attach-session", "-t", `=${name}`];
    return ["env", "-u", "TMUX", ...directory, ...tmux];
  }

  onChange(listener: () => void): () => void {
    this.#client.subscribe("constel", stateFormat);
    return this.#client.onNotification(({ kind, text }) => {
      if (tellingKinds.has(kind) || (kind === "subscription-changed" && text.startsWith("constel "))) listener();
    });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Leaves any mode and does the steps, unless the pane is dead; all in one go. */
  async #input(
    name: string,
    target: string,
    steps: readonly string[],
    before: readonly string[] = [],
    whenDead: readonly string[] = [],
  ): Promise<void> {
    const alive = [`copy-mode -q -t ${target}`, ...steps];
    const dead = [...whenDead, "display-message -p dead"];
    const line = `if-shell -F -t ${target} "#{pane_dead}" { ${dead.join(" ; ")} } { ${alive.join(" ; ")} }`;
    const replies = await this.#client.ask([...before, line], once);
    if (replies === undefined) throw unknownTerminal(name);
    if (replies.some(({ ok, body }) => ok && body === "dead")) throw deadTerminal(name);
    const failed = replies.find(({ ok }) => !ok);
    if (failed?.body.startsWith("can't find")) throw unknownTerminal(name);
    if (failed !== undefined) throw this.#odd("type into", name, failed);
  }

  async #target(name: string): Promise<string> {
    const found = await this.find(name);
    if (found === undefined) throw unknownTerminal(name);
    return targetOf(name, found.paneId);
  }

  async #targets(names: readonly string[], fresh: boolean): Promise<Map<string, string>> {
    if (fresh || this.#panesOf !== this.#client.generation || names.some((name) => !this.#panes.has(name))) {
      await this.list();
    }
    const targets = new Map<string, string>();
    for (const name of names) {
      const pane = this.#panes.get(name);
      if (pane !== undefined) targets.set(name, targetOf(name, pane));
    }
    return targets;
  }

  #remember(name: string, paneId: string): void {
    if (this.#panesOf !== this.#client.generation) this.#forget();
    this.#panes.set(name, paneId);
  }

  #forget(): void {
    this.#panes.clear();
    this.#panesOf = this.#client.generation;
  }

  #odd(operation: string, target: string, reply: Reply | undefined): Outage {
    return new Outage(operation, target, reply?.body ?? "tmux gave no answer");
  }
}

/** Both session and pane: a pane that is not this session's own is not found. */
const targetOf = (name: string, paneId: string): string => `=${name}:.${paneId}`;

/**
 * Dead, and nobody knows how. tmux 3.3a at times misses the signal that tells of a program's end; the end of another
 * program, any, makes it look again, and the next list has the status.
 */
function isUncounted(terminal: Terminal): boolean {
  return terminal.dead && terminal.exitStatus === undefined && terminal.exitSignal === undefined;
}

/** A command of one word would be handed to a shell by tmux; with more words it is run as it stands. */
function withoutShell(command: readonly string[]): readonly string[] {
  const [only = "", ...rest] = command;
  return rest.length === 0 ? ["/bin/sh", "-c", 'exec "$0"', only] : command;
}
