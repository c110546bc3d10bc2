// Records what the conformance lane does not come by: long commands, lost logins, login screens, questions, untrusted directories,
// narrow terminals, programs that stand still (scenes.ts). What each must be called is written there by hand, so a recording shows at once
// whether the program's screen is read rightly at first sight. It runs with CONSTEL_RECORD_FIXTURES=1 (CONSTEL_RECORD_ONLY=codex/waiting for some)
// and replaces nothing that a scene does not name; src/host/runtime/status.test.ts and test/hang-corpus.test.ts replay what it wrote.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gemini } from "../../../src/host/runtime/gemini/gemini.ts";
import { homes } from "./homes.ts";
import { Lab, type Started, until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { type Programme, programmes, type Scene, sceneRules } from "./scenes.ts";

const only = process.env["CONSTEL_RECORD_ONLY"];
const isAsked = process.env["CONSTEL_RECORD_FIXTURES"] !== undefined;

for (const programme of programmes) {
  for (const scene of programme.scenes) {
    const label = `${programme.runtime.name}/${scene.name}`;
    test.skipIf(!isAsked || (only !== undefined && !label.includes(only)))(
      `${label} is ${scene.expect} at first sight`,
      () => record(programme, scene),
      300_000,
    );
  }
}

async function record({ runtime, isolate, ready }: Programme, scene: Scene): Promise<void> {
  const program = programOf(runtime.name);
  if ("missing" in program) throw new Error(program.missing);
  const home = scene.home ?? homes[runtime.name];
  if (home === undefined) throw new Error(`${runtime.name} has no home here`);
  const lab = await Lab.open(runtime, program.path, home, { isolate });
  try {
    await lab.model.setRules(sceneRules);
    const port = isolate ? {} : { port: 24_000 + Math.floor(Math.random() * 8000) };
    const model = runtime === gemini ? { model: "gemini-2.5-flash" } : {};
    const started = await lab.start(lab.launch({ sessionId: crypto.randomUUID(), ...port, ...model, ...scene.launch }));
    const { columns = 140, rows = 45 } = scene;
    await lab.terminal.tmux("resize-window", "-t", `=${started.pane.name}:`, "-x", `${columns}`, "-y", `${rows}`);
    await bringAbout(lab, started, scene, ready);
    const evidence = await runtime.observe(started.session, lab.machine);
    const status = runtime.status(evidence);
    const kept = {
      expect: scene.expect,
      ...(scene.knownBy === undefined ? {} : { knownBy: scene.knownBy }),
      evidence: { ...evidence, rows: evidence.rows.slice(-8), hooks: evidence.hooks.slice(-12) },
    };
    const directory = join(import.meta.dir, "..", "..", "..", "src/host/runtime", runtime.name, "fixtures");
    writeFileSync(
      join(directory, `${scene.name}.json`),
      `${JSON.stringify(kept, null, 1).replaceAll(lab.directory, "/lab")}\n`,
    );
    const label = `${runtime.name}/${scene.name}`;
    expect({ label, state: status.state, says: status.rests.says }).toMatchObject({ label, state: scene.expect });
  } finally {
    await lab.close();
  }
}

/** Until the screen shows what the scene is about. */
async function bringAbout(lab: Lab, started: Started, scene: Scene, ready: RegExp): Promise<void> {
  const { pane, session } = started;
  const shows = (what: RegExp): Promise<unknown> =>
    until(
      String(what),
      () => pane.capture(),
      ({ text }) => what.test(text),
      90_000,
    );
  const { runtime } = lab;
  if (scene.says !== undefined || scene.types !== undefined || scene.expect === "idle") {
    await shows(ready);
    await until(
      "idle",
      () => runtime.observe(session, lab.machine).then((seen) => runtime.status(seen)),
      ({ state }) => state === "idle",
      90_000,
    );
  }
  if (scene.first !== undefined) {
    await pane.paste(scene.first);
    await Bun.sleep(1000);
    await pane.enter();
    await Bun.sleep(1500);
  }
  if (scene.types !== undefined) await pane.paste(scene.types);
  if (scene.says !== undefined && scene.says !== "") {
    const message = { id: "msg_1", text: scene.says, asUser: "must" as const, proofMs: 20_000 };
    await runtime.inject(session, message, lab.machine);
  }
  await shows(scene.shows);
  // Hooks at the end of a turn, and a lag of the terminal behind them.
  await Bun.sleep(scene.expect === "idle" ? 4000 : 1500);
  if (scene.afterwards === undefined) return;
  await scene.afterwards(started);
  await Bun.sleep(1500);
}
