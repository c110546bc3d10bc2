// The program that a holder keeps: started as its driver says, asked for permission on its behalf, ended with everything it began.

import { writeTrusted } from "../../files/trusted-files.ts";
import { driverOf } from "../../host/runtime/drivers.ts";
import { openProgram, type ProgramPipe } from "../../host/runtime/driving/program-pipe.ts";
import { isQuestion } from "../../host/runtime/hook-record.ts";
import type { AskedOverPipe, DrivenSession, PermissionAnswer, TurnEnd, TurnEvent } from "../../ports/driver.ts";
import type { JudgeForHook } from "../../protocol/permission.ts";
import { type HeldLaunch, machineOf } from "./held-launch.ts";
import { keepConversation, keptConversation } from "./kept-conversation.ts";
import type { Notebook } from "./notebook.ts";
import { answerPermission } from "./permission.ts";

export class HeldProgram {
  readonly launch: HeldLaunch;
  readonly #home: string;
  readonly #notes: Notebook;
  readonly #judge: JudgeForHook;
  #pipe: ProgramPipe | undefined;
  #driven: DrivenSession | undefined;
  #session: string | undefined;
  #turns = 0;

  constructor(home: string, launch: HeldLaunch, notes: Notebook, judge: JudgeForHook) {
    this.#home = home;
    this.launch = launch;
    this.#notes = notes;
    this.#judge = judge;
    const kept = launch.drive.worker === true ? keptConversation(home, launch.agent, launch.resume) : undefined;
    this.#session = kept?.session ?? launch.resume;
    this.#turns = kept?.turns ?? 0;
  }

  /** The conversation to go on with; undefined before anything was said in it. */
  get session(): string | undefined {
    return this.#session;
  }

  async begin(): Promise<void> {
    const { drive, runtime } = this.launch;
    const driver = driverOf(runtime);
    if (driver === undefined) throw new Error(`${runtime} cannot be driven over a pipe`);
    const resume = this.#resumes();
    const fork = resume !== undefined && drive.context === "fork";
    const { resume: _, sessionId: __, ...rest } = this.launch;
    // A conversation of its own id is begun once; later starts take it up.
    const sessionId = resume === undefined ? { sessionId: this.#turns === 0 ? __ : crypto.randomUUID() } : {};
    const launch = { ...rest, ...clean(sessionId), ...(resume === undefined ? {} : { resume }) };
    const machine = machineOf();
    const prepared = await driver.prepare(launch, drive, machine);
    for (const file of prepared.files) writeTrusted(this.#home, file.path, file.content);
    const unset = new Set(prepared.unset);
    const env = Object.fromEntries(
      Object.entries({ ...machine.env, ...prepared.env }).filter(([name]) => !unset.has(name)),
    );
    const pipe = openProgram(prepared.argv, { cwd: launch.cwd, env });
    this.#pipe = pipe;
    this.#driven = await driver.open(pipe, {
      launch,
      drive,
      prepared,
      ...(resume === undefined ? {} : { resume }),
      ...(fork ? { fork } : {}),
      ask: (asked) => this.#ask(asked),
    });
    this.#notes.session = this.#driven.id || "held";
    this.#notes.transcript = this.#driven.transcript;
    this.#keep(this.#driven.id);
  }

  #keep(last: string): void {
    if (this.launch.drive.worker !== true || this.#session === undefined || this.#turns === 0 || last === "") return;
    keepConversation(this.#home, this.launch.agent, { session: this.#session, turns: this.#turns, last });
  }

  async turn(text: string, hear: (event: TurnEvent) => void): Promise<TurnEnd> {
    const driven = this.#driven;
    if (driven === undefined) throw new Error("its program does not run");
    const end = await driven.turn(text, hear);
    this.#turns += 1;
    this.#notes.session = driven.id;
    // Copies leave the conversation that they were made of as it is.
    if (this.launch.drive.context !== "fork" || this.#session === undefined) this.#session = driven.id;
    this.#keep(driven.id);
    return end;
  }

  interrupt(): void {
    this.#driven?.interrupt();
  }

  async end(): Promise<void> {
    const pipe = this.#pipe;
    this.#pipe = undefined;
    this.#driven = undefined;
    await pipe?.close();
  }

  /** Rejects when the program ends by itself. */
  async died(): Promise<never> {
    const words = await (this.#pipe?.ended ?? new Promise<string>(() => {}));
    throw new Error(`its program ended: ${words}`);
  }

  #resumes(): string | undefined {
    const { context } = this.launch.drive;
    const isFresh = typeof context === "object" && this.#turns > 0 && this.#turns % context.freshEvery === 0;
    return isFresh ? undefined : this.#session;
  }

  async #ask(asked: AskedOverPipe): Promise<PermissionAnswer> {
    const { tool, input, cwd } = asked;
    if (this.launch.drive.readOnly === true) return { allow: false, message: "This agent may only read." };
    if (isQuestion({ tool })) return { allow: false, message: nobodyThere };
    await this.#notes.note("permission-asked", { tool, isHeld: true });
    this.#notes.show("waiting");
    let answer: PermissionAnswer = { allow: false, message: "It was denied." };
    const reason = await answerPermission({
      home: this.#home,
      agent: this.launch.agent,
      runtime: this.launch.runtime,
      event: "permission-asked",
      asksFirst: false,
      payload: { tool_name: tool, tool_input: input, cwd },
      waits: () => Promise.resolve(),
      print: (text) => (answer = readAnswer(text)),
      judge: this.#judge,
    });
    await this.#notes.note("permission-answered", { tool, reason: reason ?? "denied" });
    this.#notes.show("busy");
    return answer;
  }
}

const nobodyThere =
  "Nobody is at this terminal. Send the question as a message to whoever gave you the work, and end your turn; the answer comes as a message.";

function clean<T extends object>(given: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof clean<T>
  >;
}

function readAnswer(text: string): PermissionAnswer {
  const said = JSON.parse(text) as {
    hookSpecificOutput?: { decision?: { behavior?: string; message?: string } };
  };
  const decision = said.hookSpecificOutput?.decision;
  return { allow: decision?.behavior === "allow", message: decision?.message ?? "It was denied." };
}
