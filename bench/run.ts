// Measures constel: `bin/constel bench [--full] [--json] [--list] [names…]`. The quick lane is part of bin/check and fails
// only past twice a bar, because machines are noisy; the full lane has more rounds and the slow entries. In both, what fails is
// measured once more and the better of the two counts, with a note: two failures are a real one. `--fleet DIRECTORY` measures a real repository
// with many worktrees instead (real-fleet.ts).

import { parseArgs } from "node:util";
import { agentsEntries } from "./agents.ts";
import { boxEntries } from "./boxes.ts";
import { cliEntries } from "./cli.ts";
import { clientEntries } from "./clients.ts";
import { contractEntries } from "./contracts.ts";
import { daemonEntries } from "./daemon.ts";
import { firstContactEntries } from "./first-contact.ts";
import { growthEntries } from "./growth.ts";
import { holdEntries } from "./holds.ts";
import { dispatchEntries } from "./dispatch.ts";
import { type Entry, type Row, runEntry } from "./harness.ts";
import { hookEntries } from "./hook.ts";
import { lookEntries } from "./looks.ts";
import { manyAgentsEntries } from "./many-agents.ts";
import { mcpEntries } from "./mcp.ts";
import { largeFleetEntries } from "./large-fleets.ts";
import { memoryEntries } from "./memory.ts";
import { noticeEntries } from "./notices.ts";
import { observeEntries } from "./observe.ts";
import { operateEntries } from "./operate.ts";
import { fleetLines, measureFleets } from "./real-fleet.ts";
import { scriptProgress } from "./progress.ts";
import { bringUpToDate } from "./program.ts";
import { signatureEntries } from "./signatures.ts";
import { storeEntries } from "./store.ts";
import { symbolEntries } from "./symbols.ts";
import { taskEntries } from "./tasks.ts";
import { windowEntries } from "./window.ts";
import { windowPageEntries } from "./window-page.ts";
import { watchdogEntries } from "./watchdog.ts";
import { workerEntries } from "./workers.ts";

const entries: readonly Entry[] = [
  ...cliEntries,
  ...daemonEntries,
  ...hookEntries,
  ...mcpEntries,
  ...windowEntries,
  ...windowPageEntries,
  ...storeEntries,
  ...signatureEntries,
  ...clientEntries,
  ...operateEntries,
  ...observeEntries,
  ...noticeEntries,
  ...contractEntries,
  ...memoryEntries,
  ...largeFleetEntries,
  ...lookEntries,
  ...symbolEntries,
  ...agentsEntries,
  ...watchdogEntries,
  ...manyAgentsEntries,
  ...taskEntries,
  ...firstContactEntries,
  ...growthEntries,
  ...holdEntries,
  ...boxEntries,
  ...dispatchEntries,
  ...workerEntries,
];

const given = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    full: { type: "boolean" },
    list: { type: "boolean" },
    json: { type: "boolean" },
    fleet: { type: "string" },
    worktrees: { type: "string" },
    minutes: { type: "string" },
    into: { type: "string" },
  },
});
const flags = new Set(Object.keys(given.values).map((name) => `--${name}`));
const names = given.positionals;
const isFull = flags.has("--full");
const chosen = entries.filter((entry) =>
  names.length > 0 ? names.includes(entry.name) : isFull || entry.lane === "quick",
);

if (given.values.fleet !== undefined) await benchFleet(given.values.fleet);
else if (flags.has("--list")) {
  for (const entry of entries) console.log(`${entry.name.padEnd(24)} ${entry.lane.padEnd(6)} ${entry.what}`);
} else {
  const rows: Row[] = [];
  bringUpToDate();
  if (!flags.has("--json")) console.log(line(["what", "value", "floor", "ratio", "bar", ""]));
  for (const [at, entry] of chosen.entries()) {
    const progress = scriptProgress(flags.has("--json"), entry.name);
    progress.tell(entry.name, { done: at, total: chosen.length });
    const row = await runEntry(entry, isFull ? 100 : 20).finally(() => progress.end());
    rows.push(row);
    if (!flags.has("--json")) console.log(line(cellsOf(row)) + (row.note === undefined ? "" : `  ${row.note}`));
  }
  if (flags.has("--json")) {
    const plain = rows.map(({ entry, ...row }) => ({
      name: entry.name,
      what: entry.what,
      floor_is: entry.floorIs,
      bar: entry.bar,
      ...row,
    }));
    console.log(JSON.stringify(plain, null, 2));
  }
  process.exitCode = rows.some((row) => row.verdict === "FAIL") ? 1 : 0;
}

/** With a repository of the caller's: it is cloned, and the clone is removed again. */
async function benchFleet(source: string): Promise<void> {
  const { worktrees = "2,20,50,200", minutes = "60", into } = given.values;
  const sizes = worktrees.split(",").map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size > 1)) throw new Error(`--worktrees: ${worktrees}`);
  bringUpToDate();
  const untilMs = Date.now() + Number(minutes) * 60_000;
  const rows = await measureFleets({ source, sizes, untilMs, into }, ({ worktrees: size }) =>
    console.error(`${size} worktrees are measured`),
  );
  if (flags.has("--json")) console.log(JSON.stringify(rows, null, 2));
  else for (const text of fleetLines(rows)) console.log(text);
  const left = sizes.filter((size) => !rows.some((row) => row.worktrees === size));
  if (left.length > 0) console.error(`not in ${minutes} minutes: ${left.join(", ")}`);
}

function cellsOf(row: Row): string[] {
  const { entry } = row;
  const sign = entry.better === "lower" ? "≤" : "≥";
  const figure = (value: number): string => `${value >= 100 ? value.toFixed(0) : value.toFixed(2)} ${row.unit}`;
  return [
    entry.name,
    figure(row.value),
    figure(row.floor),
    `${row.ratio.toFixed(2)}×`,
    `${sign} ${entry.bar}×`,
    row.verdict,
  ];
}

function line(cells: readonly string[]): string {
  const widths = [26, 16, 16, 9, 9, 5];
  return cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(" ");
}
