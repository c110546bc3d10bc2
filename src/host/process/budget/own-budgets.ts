// The budgets of a process that reads repositories, kept by itself: it writes down what it asks, and the system ends it when its event loop has not
// turned for so much of its own processor time. Processor time, because a busy machine is no reason to leave a file unread. The system's timer ends any
// loop, in native code and WebAssembly too, which ending a thread does not (measured: Worker.terminate() leaves a loop in
// WebAssembly running), and it holds as well when whoever started this process was killed.

import { dlopen, FFIType, ptr } from "bun:ffi";
import type { Budgets, Named, Subject } from "../../../ports/budget.ts";
import { writeAsking, writeBeat } from "./question-record.ts";

export interface BudgetParts {
  /** The file where it writes down what it asks. */
  readonly record: number;
  readonly holdMs: number;
  readonly isOneByOne: boolean;
  /** Says why something is not asked again. */
  readonly refused: (subject: Subject) => string | undefined;
  readonly suspicion: (trees: readonly string[]) => number;
}

/** The interval at which the timer is set anew. */
const beatMs = 1_000;
/** ITIMER_PROF: what the process spends in itself and in the system, all threads together. When it is over, SIGPROF ends the process. */
const ownTimer = 2;
const libraries = ["libc.so.6", "libSystem.B.dylib", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

export function ownBudgets({ record, holdMs, isOneByOne, refused, suspicion }: BudgetParts): Budgets {
  const setTimer = systemTimer();
  let beat = 0;
  const turned = (): void => {
    writeBeat(record, ++beat);
    setTimer(holdMs);
  };
  turned();
  setInterval(turned, Math.min(beatMs, holdMs / 4)).unref();

  const running: string[] = [];
  const waiting = new Set<{ readonly text: string }>();
  const write = (): void => writeAsking(record, running.at(-1) ?? "", texts(waiting));
  return {
    isOneByOne,
    refused,
    suspicion,
    begin(subject): Named {
      const one = { text: JSON.stringify(subject) };
      running.push(one.text);
      write();
      return {
        waits() {
          running.pop();
          waiting.add(one);
          write();
        },
        end() {
          if (!waiting.delete(one)) running.pop();
          write();
        },
      };
    },
  };
}

function* texts(of: Iterable<{ readonly text: string }>): Generator<string> {
  for (const { text } of of) yield text;
}

/** Where the C library is another one, only the process that started this one ends it, by the clock (watched-process.ts). */
function systemTimer(): (ms: number) => void {
  const { i32, ptr: pointer } = FFIType;
  for (const library of libraries) {
    try {
      const { symbols } = dlopen(library, { setitimer: { args: [i32, pointer, pointer], returns: i32 } });
      // Every how long (never again), and when: seconds and microseconds each.
      const when = new BigInt64Array(4);
      return (ms) => {
        when[2] = BigInt(Math.floor(ms / 1_000));
        when[3] = BigInt(Math.round((ms % 1_000) * 1_000));
        symbols.setitimer(ownTimer, ptr(when), null);
      };
    } catch {
      continue; // the next one
    }
  }
  return () => undefined;
}
