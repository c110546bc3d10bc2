import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemProcesses } from "../../host/process/run.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { Outage } from "../../protocol/errors.ts";
import { failedEscalations, markEscalateFailed } from "../markers/escalate-failed.ts";
import { type LoopResume, writeLoopResume } from "../markers/loop-resume.ts";
import { quiet } from "../quiet.ts";
import { type Scene, outcome, processesThat, scene, up } from "./session.suite.ts";
import { putMarker, readMarker } from "../markers/marker-files.ts";
import { markers } from "../markers/markers.ts";

const sha = "0123456789abcdef0123456789abcdef01234567";
const ghRun = (over: object): string =>
  JSON.stringify([{ status: "completed", conclusion: "success", headSha: sha, url: "https://ci.example/1", ...over }]);
const state = ({ given }: Scene): string[] => readdirSync(join(given.home, "state")).sort();
const redMain = processesThat(() => outcome({ code: 1, stdout: `red at ${sha}` }));
const hour = 3_600_000;

const toNobody = async (): Promise<{ told: boolean; line: string }> => ({ told: false, line: "nobody was told" });

async function checkSkipped(processes: Scene["given"]["processes"], line: string): Promise<void> {
  const step = (await up(scene("agent3", { processes }))).of("main-ci");
  expect([step?.status, step?.line]).toEqual(["skipped", line]);
}

describe("the bus probe", () => {
  test("that fails escalates, urgently, and parks the agent", async () => {
    for (const probeBus of [
      async (): Promise<string> => "cannot write the inbox",
      (): Promise<never> => Promise.reject(new Error("cannot write the inbox")),
    ]) {
      const here = scene("agent3", { probeBus });
      const result = await up(here);
      expect(result.outcome).toBe("parked");
      expect(result.steps.at(-1)).toMatchObject({ step: "bus", status: "failed" });
      expect(here.pages).toHaveLength(1);
      expect(here.pages[0]).toMatchObject({ subject: "agent3 cannot use its bus", urgent: true });
      expect(here.pages[0]?.body).toContain("cannot write the inbox");
    }
  });

  test("that never answers has failed when its time is over", async () => {
    const clock = new FakeClock();
    const here = scene("agent3", { clock, runtimeVersion: undefined, probeBus: () => new Promise(() => undefined) });
    const session = up(here);
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(5000);
    expect((await session).outcome).toBe("parked");
  });
});

describe("main CI", () => {
  test("red is told to the owner once for each commit", async () => {
    const here = scene("agent0", { processes: redMain });
    const first = await up(here);
    expect(first.of("main-ci")).toMatchObject({ status: "failed", line: `main is RED red at ${sha}` });
    expect(here.pages.map((page) => page.subject)).toEqual([`main CI is red: red at ${sha}`]);
    const second = await up(here);
    expect(second.of("main-ci")?.line).toEndWith("(the owner knows)");
    expect(here.pages).toHaveLength(1);
    const other = processesThat(() => outcome({ code: 1, stdout: `red at ${sha.replace("0", "f")}` }));
    await up({ ...here, given: { ...here.given, processes: other } });
    expect(here.pages).toHaveLength(2);
  });

  test("red that could not be told is told the next time", async () => {
    const here = scene("agent0", { processes: redMain });
    const failed = await up({ ...here, given: { ...here.given, page: toNobody } });
    expect(failed.of("page")).toMatchObject({ status: "failed", line: "nobody was told" });
    await up(here);
    expect(here.pages).toHaveLength(1);
  });

  test("red is seen by a clone, who tells nobody and leaves no marker", async () => {
    const here = scene("agent3", { processes: redMain });
    expect((await up(here)).of("main-ci")?.status).toBe("failed");
    expect(here.pages).toEqual([]);
    expect(state(here).filter((name) => name.startsWith("main-ci"))).toEqual([]);
  });

  test("green forgets what was red before", async () => {
    const here = scene("agent0", { processes: redMain });
    await up(here);
    expect(state(here)).toContain(`main-ci-red-${sha}`);
    await up({ ...here, given: { ...here.given, processes: processesThat(() => outcome()) } });
    expect(state(here)).not.toContain(`main-ci-red-${sha}`);
  });

  test("without a command is asked of gh, for the newest run on main", async () => {
    const asked: string[] = [];
    const check = async (stdout: string, status: string, line: string, code = 0): Promise<void> => {
      const processes = processesThat((command) => {
        asked.push(command.join(" "));
        return outcome({ stdout, code, stderr: "not logged in\nmore" });
      });
      const step = (await up(scene("agent3", { processes, mainCiCommand: undefined }))).of("main-ci");
      expect([step?.status, step?.line]).toEqual([status, line]);
    };
    const named = "0123456789ab https://ci.example/1";
    await check(ghRun({}), "ok", `main is green ${named}`);
    await check(ghRun({ conclusion: "failure" }), "failed", `main is RED ${named}`);
    await check(ghRun({ conclusion: "cancelled" }), "failed", `main is RED ${named}`);
    await check(ghRun({ status: "in_progress", conclusion: "" }), "ok", `main is running ${named}`);
    await check("[]", "skipped", "gh knows no run on main");
    await check("not JSON", "skipped", "gh knows no run on main");
    await check("", "skipped", "gh: not logged in", 4);
    expect(asked[0]).toContain("gh run list --branch main --limit 1");
  });

  test("is skipped, with the reason, where the program is missing, late or confused", async () => {
    const missing = { run: () => Promise.reject(new Outage("start", "main-ci", new Error("ENOENT"))) };
    await checkSkipped(missing, "main-ci cannot be run here");
    await checkSkipped(
      processesThat(() => outcome({ code: null, timedOut: true })),
      "main-ci did not answer within 8 s",
    );
    await checkSkipped(
      processesThat(() => outcome({ code: 127 })),
      "the command ended with 127 (0 is green, 1 is red, 2 is pending)",
    );
  });

  test("of a command, 2 says that it is not over: neither green nor red", async () => {
    const step = await up(
      scene("agent0", { processes: processesThat(() => outcome({ code: 2, stdout: "run 7 is queued" })) }),
    );
    expect(step.of("main-ci")).toMatchObject({ status: "ok", line: "main is running run 7 is queued" });
  });

  test("a real command is run in the root directory", async () => {
    const here = scene("agent0", {
      processes: systemProcesses,
      mainCiCommand: ["sh", "-c", "test -f here && exit 0; echo no file; exit 1"],
      env: { PATH: "/usr/bin:/bin" },
    });
    expect((await up(here)).of("main-ci")?.line).toBe("main is RED no file");
    writeFileSync(join(here.given.root, "here"), "");
    expect((await up(here)).of("main-ci")?.line).toBe("main is green");
  });
});

describe("the resume file", () => {
  const resume: LoopResume = { loop: "night", agent: "agent0", writtenAtMs: Date.UTC(2026, 0, 2, 3), pickup: "go on" };
  const armed: LoopResume[] = [];
  const arming = async (one: LoopResume): Promise<void> => void armed.push(one);

  test("of less than 12 hours arms the loop again, once", async () => {
    armed.length = 0;
    const here = scene("agent0", { armLoop: arming });
    writeLoopResume(here.given.home, resume);
    here.clock.advance(resume.writtenAtMs + 12 * hour - 1 - here.clock.nowMs());
    expect((await up(here)).of("resume")?.line).toBe("loop night armed again after 12.0 h");
    expect(armed).toEqual([resume]);
    expect((await up(here)).of("resume")?.status).toBe("skipped");
  });

  test("that is older is deleted", async () => {
    armed.length = 0;
    const here = scene("agent0", { armLoop: arming });
    writeLoopResume(here.given.home, resume);
    here.clock.advance(resume.writtenAtMs + 12 * hour - here.clock.nowMs());
    expect((await up(here)).of("resume")?.status).toBe("ok");
    expect(armed).toEqual([]);
    expect(existsSync(join(here.given.home, "state/loop-resume"))).toBe(false);
  });

  test("from the future, after the clock was set back, arms the loop", async () => {
    armed.length = 0;
    const here = scene("agent0", { armLoop: arming });
    writeLoopResume(here.given.home, resume);
    here.clock.jumpTo(resume.writtenAtMs - 100 * hour);
    await up(here);
    expect(armed).toHaveLength(1);
  });

  test("stays when arming fails, and when nothing can arm", async () => {
    const here = scene("agent0", { armLoop: () => Promise.reject(new Error("no loops")) });
    writeLoopResume(here.given.home, resume);
    expect((await up(here)).of("resume")?.status).toBe("failed");
    await up({ ...here, given: { ...here.given, armLoop: undefined } });
    expect(existsSync(join(here.given.home, "state/loop-resume"))).toBe(true);
  });

  test("that is damaged is removed and told of", async () => {
    const here = scene("agent0");
    writeFileSync(join(here.given.home, "state/loop-resume"), "{half");
    expect((await up(here)).of("resume")?.status).toBe("failed");
    expect(here.pages[0]?.body).toContain("{half");
    expect(existsSync(join(here.given.home, "state/loop-resume"))).toBe(false);
  });

  test("is no concern of a clone", async () => {
    const here = scene("agent3");
    writeLoopResume(here.given.home, resume);
    await up(here);
    expect(existsSync(join(here.given.home, "state/loop-resume"))).toBe(true);
  });
});

describe("escalations that reached nobody", () => {
  test("are told urgently by the root, then forgotten", async () => {
    const here = scene("agent0");
    putMarker(here.given.home, markers.agentInitEscalation, "agent3 failed 5 times");
    markEscalateFailed(here.given.home, here.clock.nowMs(), "disk full");
    expect((await up(here)).of("escalation")?.status).toBe("ok");
    expect(here.pages).toHaveLength(1);
    expect(here.pages[0]).toMatchObject({ subject: "2 earlier escalations reached nobody", urgent: true });
    expect(here.pages[0]?.body).toContain("agent3 failed 5 times");
    expect(here.pages[0]?.body).toContain("disk full");
    expect(failedEscalations(here.given.home)).toEqual([]);
    expect(readMarker(here.given.home, markers.agentInitEscalation)).toBeUndefined();
  });

  test("stay when they reach nobody again, and do not multiply", async () => {
    const asked: unknown[] = [];
    const here = scene("agent0", {
      page: async (_message, options) => {
        asked.push(options);
        return { told: false, line: "nobody was told" };
      },
    });
    markEscalateFailed(here.given.home, here.clock.nowMs(), "disk full");
    expect((await up(here)).of("escalation")?.status).toBe("failed");
    expect(asked).toEqual([{ leaveMarker: false }]);
    expect(failedEscalations(here.given.home)).toHaveLength(1);
  });

  test("are left for the root by a clone", async () => {
    const here = scene("agent3");
    putMarker(here.given.home, markers.agentInitEscalation, "x");
    await up(here);
    expect(here.pages).toEqual([]);
    expect(readMarker(here.given.home, markers.agentInitEscalation)).toBeDefined();
  });
});

describe("the page at the end", () => {
  test("holds all that is red in one message", async () => {
    const here = scene("agent0", { processes: redMain, doctor: async () => ["disk is nearly full", "no tmux"] });
    expect((await up(here)).of("page")?.status).toBe("ok");
    expect(here.pages).toHaveLength(1);
    expect(here.pages[0]?.body.split("\n")).toEqual([
      `- main CI is red: red at ${sha}`,
      "- doctor: disk is nearly full",
      "- doctor: no tmux",
    ]);
    expect(here.pages[0]?.subject).toStartWith("3 signals: main CI is red");
  });

  test("waits while the owner wants quiet; what is urgent does not", async () => {
    const here = scene("agent0", { processes: redMain });
    quiet({ home: here.given.home, clock: here.clock }, { for: "2h" });
    putMarker(here.given.home, markers.agentInitEscalation, "x");
    expect((await up(here)).of("page")?.line).toBe("1 kept back: quiet until 2026-01-02T05:04:05Z");
    expect(here.pages.map((page) => page.urgent)).toEqual([true]);
    here.clock.advance(2 * hour);
    await up(here);
    expect(here.pages).toHaveLength(2);
  });

  test("is not sent when all is well", async () => {
    const here = scene("agent0");
    expect((await up(here)).of("page")).toMatchObject({ status: "skipped", line: "nothing red or pending" });
    expect(here.pages).toEqual([]);
  });
});

test("a state directory full of strangers disturbs no step", async () => {
  const here = scene("agent0");
  for (const name of ["quiet-until-", "escalate-failed", "main-ci-red-", ".hidden", "runtime-agent0"]) {
    writeFileSync(join(here.given.home, "state", name), "\u0000garbage");
  }
  mkdirSync(join(here.given.home, "state/quiet-until-1"));
  const result = await up(here);
  expect(result.steps.filter((step) => step.status === "failed")).toEqual([]);
});
