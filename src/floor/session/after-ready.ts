// The steps of `session up` after the readiness line: bus, main CI, doctor, resume, escalation, page. Each asks the
// machine something, and each has a deadline.

import { counted } from "../../protocol/counted.ts";
import { messageOf } from "../../protocol/errors.ts";
import { withDeadline } from "../deadline.ts";
import { clearFailedEscalation, failedEscalations, readFailedEscalation } from "../markers/escalate-failed.ts";
import { readLoopResume } from "../markers/loop-resume.ts";
import { quietUntil } from "../markers/quiet-until.ts";
import { askMainCi } from "./main-ci.ts";
import { type SessionContext, type StepName, type StepResult, utcSeconds } from "./step.ts";
import { hasMarker, putNewMarker, readMarker, removeMarker } from "../markers/marker-files.ts";
import { removeFamily, markers } from "../markers/markers.ts";

const busDeadlineMs = 5000;
const doctorDeadlineMs = 15_000;
const armDeadlineMs = 5000;
const resumeWithinMs = 12 * 3600 * 1000;

export async function busStep(context: SessionContext): Promise<StepResult> {
  const { probeBus, identity, clock } = context;
  if (probeBus === undefined) return skipped("bus", "no bus to probe");
  const problem = await withDeadline(clock, busDeadlineMs, (signal) => probeBus(identity.agent, signal)).catch(
    messageOf,
  );
  if (problem === undefined) return { step: "bus", status: "ok", line: "sent to myself and claimed", data: {} };
  const { told, line } = await context.page({
    subject: `${identity.agent} cannot use its bus`,
    body: `${problem}\n\nThe agent is parked. Look at \`constel doctor\`, then \`constel down ${identity.agent}\` and \`constel up\`.`,
    urgent: true,
  });
  const data = { problem, told };
  return { step: "bus", status: "failed", line: `${problem}; parked (${line})`, data, next: "park" };
}

/** Everybody sees how main stands; the page at the end, which is the root's, tells the owner once for each commit. */
export async function mainCiStep(context: SessionContext): Promise<StepResult> {
  const { home, root, env, processes, mainCiCommand, identity } = context;
  const ci = await askMainCi({ processes, root, env, command: mainCiCommand });
  if (ci.state === "unknown") return skipped("main-ci", ci.reason);
  if (ci.state !== "red") {
    if (ci.state === "green" && identity.role === "root") removeFamily(home, markers.mainRed);
    return { step: "main-ci", status: "ok", line: `main is ${ci.state} ${ci.detail}`.trim(), data: ci };
  }
  const known = hasMarker(home, markers.mainRed(ci.sha));
  if (!known) {
    const text = `main CI is red: ${ci.detail || ci.sha}`;
    context.signals.push({ text, delivered: () => void putNewMarker(home, markers.mainRed(ci.sha), text) });
  }
  const line = `main is RED ${ci.detail}${known ? " (the owner knows)" : ""}`;
  return { step: "main-ci", status: "failed", line, data: { ...ci, known } };
}

export async function doctorStep(context: SessionContext): Promise<StepResult> {
  const { doctor, clock, identity } = context;
  if (identity.role !== "root") return skipped("doctor", "root only");
  if (doctor === undefined) return skipped("doctor", "no doctor to ask");
  const problems = await withDeadline(clock, doctorDeadlineMs, doctor);
  if (problems.length === 0) return { step: "doctor", status: "ok", line: "all well", data: { problems } };
  for (const problem of problems) context.signals.push({ text: `doctor: ${problem}` });
  const line = `${problems.length} found: ${problems.join("; ")}`.slice(0, 400);
  return { step: "doctor", status: "failed", line, data: { problems } };
}

/** The file goes once the loop is armed or too old; arming twice after a crash between is harmless (see the port). */
export async function resumeStep(context: SessionContext): Promise<StepResult> {
  const { home, clock, identity, armLoop } = context;
  if (identity.role !== "root") return skipped("resume", "root only");
  const resume = readLoopResume(home);
  if (resume === undefined) return skipped("resume", "no loop to take up again");
  if ("damaged" in resume) {
    removeMarker(home, markers.loopResume);
    context.signals.push({ text: `a loop was not taken up again: its resume file was damaged: ${resume.damaged}` });
    return { step: "resume", status: "failed", line: "the resume file was damaged, and is removed", data: resume };
  }
  // With the clock set back the age is below zero, which is young.
  const ageMs = clock.settledMs(resume.writtenAtMs) - resume.writtenAtMs;
  const data = { ...resume, ageMs };
  const hours = (ageMs / 3_600_000).toFixed(1);
  if (ageMs >= resumeWithinMs) {
    removeMarker(home, markers.loopResume);
    return { step: "resume", status: "ok", line: `loop ${resume.loop} ended ${hours} h ago: left alone`, data };
  }
  if (armLoop === undefined) return skipped("resume", `loop ${resume.loop} waits: nothing here can arm it`);
  await withDeadline(clock, armDeadlineMs, (signal) => armLoop(resume, signal));
  removeMarker(home, markers.loopResume);
  return { step: "resume", status: "ok", line: `loop ${resume.loop} armed again after ${hours} h`, data };
}

/** Says now what could not be said before, and forgets it only once it has been said. */
export async function escalationStep(context: SessionContext): Promise<StepResult> {
  const { home, identity } = context;
  if (identity.role !== "root") return skipped("escalation", "root only");
  const init = readMarker(home, markers.agentInitEscalation);
  const failed = failedEscalations(home);
  if (init === undefined && failed.length === 0) return skipped("escalation", "nothing was left unsaid");
  const parts = [
    ...(init === undefined ? [] : [`Agents could not be started:\n${init.slice(0, 2000)}`]),
    ...failed.slice(-5).map((name) => `${name}:\n${readFailedEscalation(home, name)?.slice(0, 1000) ?? ""}`),
  ];
  const count = failed.length + (init === undefined ? 0 : 1);
  const message = {
    subject: `${counted(count, "earlier escalation")} reached nobody`,
    body: parts.join("\n"),
  };
  // A marker about markers would only make more of them.
  const { told, line } = await context.page({ ...message, urgent: true }, { leaveMarker: false });
  if (!told) return { step: "escalation", status: "failed", line: `${message.subject}; ${line}`, data: { count } };
  removeMarker(home, markers.agentInitEscalation);
  for (const name of failed) clearFailedEscalation(home, name);
  return { step: "escalation", status: "ok", line: `${message.subject}; ${line}`, data: { count } };
}

/** One page with all that is red or pending; none when nothing is. In quiet it waits for a later session. */
export async function pageStep(context: SessionContext): Promise<StepResult> {
  const { home, clock, identity, signals } = context;
  if (identity.role !== "root") return skipped("page", "root only");
  const texts = signals.map((signal) => signal.text);
  if (texts.length === 0) return skipped("page", "nothing red or pending");
  const until = quietUntil(home, clock);
  if (until !== undefined) return skipped("page", `${texts.length} kept back: quiet until ${utcSeconds(until)}`);
  const subject = texts.length === 1 ? (texts[0] ?? "") : `${texts.length} signals: ${texts.join("; ")}`;
  const { told, line } = await context.page({ subject, body: texts.map((text) => `- ${text}`).join("\n") });
  if (told) for (const signal of signals) signal.delivered?.();
  return { step: "page", status: told ? "ok" : "failed", line, data: { signals: texts, told } };
}

function skipped(step: StepName, line: string): StepResult {
  return { step, status: "skipped", line, data: {} };
}
