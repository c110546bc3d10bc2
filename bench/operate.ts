// The bus and the terminals as entries of the bench.

import { measureDurableSends, measureFanOut, measureNotice } from "./bus.ts";
import { ascending, type Entry, median, percentile } from "./harness.ts";
import { idleCost, statusSweep } from "./tmux.ts";

export const operateEntries: readonly Entry[] = [
  {
    name: "bus-durable-sends",
    what: "durable envelopes a second, one sender",
    floorIs: "write, fsync, link, unlink and directory fsync of the same bytes",
    bar: 0.5,
    better: "higher",
    lane: "quick",
    measure: async (rounds) => {
      const { value, floor } = measureDurableSends({ rounds });
      return { value, floor, unit: "/s" };
    },
  },
  {
    name: "bus-fan-out",
    what: "one message to 50 agents, durable",
    floorIs: "one durable write of the same bytes: write, fsync, link, unlink and directory fsync",
    bar: 5,
    better: "lower",
    lane: "quick",
    measure: async (rounds) => {
      const { ours, floor } = measureFanOut({ rounds });
      const sorted = ours.sort(ascending);
      const note = `p99 ${percentile(sorted, 0.99).toFixed(1)} ms`;
      return { value: median(sorted), floor: median(floor.sort(ascending)), unit: "ms", note };
    },
  },
  {
    name: "bus-notice",
    what: "from send to noticed by the receiver, p50",
    floorIs: "inotify wake of a bare file",
    bar: 5,
    better: "lower",
    lane: "quick",
    measure: async (rounds) => {
      const { value, floor, p99 = 0 } = await measureNotice({ rounds: rounds * 2 });
      return { value, floor, unit: "ms", note: `p99 ${p99.toFixed(1)} ms (bar 50)` };
    },
  },
  {
    name: "status-sweep-100",
    what: "list and capture of 100 panes, hashed",
    floorIs: "one tmux command list of 100 captures",
    bar: 1.5,
    better: "lower",
    lane: "quick",
    measure: async (rounds) => {
      const { sweepMs, floorMs } = await statusSweep({ rounds });
      return { value: sweepMs.p50, floor: floorMs.p50, unit: "ms", note: `p99 ${sweepMs.p99.toFixed(1)} ms` };
    },
  },
  {
    name: "terminals-idle",
    what: "CPU of tmux and its client with 100 idle panes, in percent of a core",
    floorIs: "nothing (the bar is 2 %)",
    bar: 2,
    better: "lower",
    lane: "full",
    measure: async () => {
      const idle = await idleCost({ listening: true });
      const rss = idle.clientRssMb + idle.serverRssMb;
      return {
        value: idle.clientCpuPercent + idle.serverCpuPercent,
        floor: 0,
        unit: "%",
        note: `RSS ${rss.toFixed(1)} MB`,
      };
    },
  },
];
