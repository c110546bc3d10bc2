// Status on recorded evidence: what the real programs showed in the conformance lane (CONSTEL_RECORD_FIXTURES=1 records it anew).

import { Glob } from "bun";
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentState, Evidence } from "../../ports/runtime.ts";
import { runtimes } from "./all.ts";

interface Fixture {
  readonly expect: AgentState;
  readonly evidence: Evidence;
  /** Only these can know it; without any of them the rest tells another story. */
  readonly knownBy?: readonly (typeof sources)[number][];
}

const sources = ["hooks", "rows", "own", "screen"] as const;

/** Every way in which some of the evidence may be missing. */
function weakened({ evidence, knownBy }: Fixture): Evidence[] {
  return Array.from({ length: 2 ** sources.length }).flatMap((_, mask): Evidence[] => {
    const missing = sources.filter((_source, bit) => (mask & (1 << bit)) !== 0);
    if (knownBy?.every((source) => missing.includes(source)) === true) return [];
    const { own, screen, ...rest } = evidence;
    return [
      {
        ...rest,
        hooks: missing.includes("hooks") ? [] : evidence.hooks,
        rows: missing.includes("rows") ? [] : evidence.rows,
        ...(own === undefined || missing.includes("own") ? {} : { own }),
        ...(screen === undefined || missing.includes("screen") ? {} : { screen }),
      },
    ];
  });
}

let recorded = 0;
for (const runtime of runtimes) {
  for (const name of [...new Glob(`${runtime.name}/fixtures/*.json`).scanSync(import.meta.dir)].sort()) {
    recorded++;
    const fixture = JSON.parse(readFileSync(join(import.meta.dir, name), "utf8")) as Fixture;
    const label = name.replace("fixtures/", "").replace(".json", "");
    describe(label, () => {
      test(`is ${fixture.expect}`, () => {
        expect(runtime.status(fixture.evidence).state).toBe(fixture.expect);
      });
      if (fixture.expect === "busy" || fixture.expect === "waiting-permission") {
        test("is never called idle, limited or dead, whichever evidence is missing", () => {
          const states = new Set(weakened(fixture).map((evidence) => runtime.status(evidence).state));
          for (const wrong of ["idle", "limited", "logged-out", "dead"] as const) expect(states).not.toContain(wrong);
        });
      }
      if (fixture.expect === "busy") {
        test("is still busy an hour later, when nothing new was heard", () => {
          const later = { ...fixture.evidence, nowMs: fixture.evidence.nowMs + 3_600_000 };
          expect(runtime.status(later).state).toBe("busy");
        });
      }
      if (fixture.expect === "limited") {
        test("is limited no longer once the limit has lifted", () => {
          const until = runtime.status(fixture.evidence).untilMs ?? 0;
          expect(runtime.status({ ...fixture.evidence, nowMs: until - 1 }).state).toBe("limited");
          const lifted = runtime.status({ ...fixture.evidence, nowMs: until + 1 });
          // Where the notice is a dialog, somebody has to close it.
          expect(lifted.state).toBe(lifted.rests.says.includes("still open") ? "waiting-permission" : "idle");
        });
      }
      if (fixture.expect !== "dead") {
        test("is dead when its process is", () => {
          expect(runtime.status({ ...fixture.evidence, process: "dead" }).state).toBe("dead");
        });
      }
    });
  }
}

test("there are recordings", () => {
  expect(recorded).toBeGreaterThan(15);
});
