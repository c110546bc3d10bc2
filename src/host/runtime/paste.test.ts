// Typing with proof, on a terminal that misbehaves in chosen ways.

import { describe, expect, test } from "bun:test";
import type { Clock } from "../../ports/machine.ts";
import type { Pane, Proof, Screen } from "../../ports/runtime.ts";
import { type InputLine, type PasteTarget, pasteWithProof, unsafeIn } from "./paste.ts";

/** A clock on which sleeping is what passes time. */
function sleepyClock(): Clock {
  let ms = 0;
  return {
    nowMs: () => ms,
    settledMs: () => ms,
    monotonicMs: () => ms,
    sleep: (forMs) => {
      ms += forMs;
      return Promise.resolve();
    },
  };
}

class FakeTerminal implements Pane {
  line: InputLine = "empty";
  text = "";
  inMode = false;
  dead = false;
  pasted: string[] = [];
  presses = 0;
  /** The number of presses of Enter that are lost. */
  deaf = 0;
  submitted: string[] = [];
  onPaste: () => void = () => {};

  capture(): Promise<Screen> {
    return Promise.resolve({
      text: this.text,
      title: "",
      cursorX: 0,
      cursorY: 0,
      inMode: this.inMode,
      dead: this.dead,
    });
  }
  paste(text: string): Promise<void> {
    this.pasted.push(text);
    this.text = text;
    this.line = "filled";
    this.onPaste();
    return Promise.resolve();
  }
  enter(): Promise<void> {
    this.presses++;
    if (this.inMode || this.presses <= this.deaf) return Promise.resolve();
    this.submitted.push(this.text);
    this.text = "";
    this.line = "empty";
    return Promise.resolve();
  }
  keys(): Promise<void> {
    return Promise.resolve();
  }
  leaveMode(): Promise<void> {
    this.inMode = false;
    return Promise.resolve();
  }
}

function target(terminal: FakeTerminal, extra: Partial<PasteTarget> = {}): PasteTarget {
  return {
    pane: terminal,
    clock: sleepyClock(),
    inputLine: () => terminal.line,
    proof: (): Promise<Proof | undefined> =>
      Promise.resolve(terminal.submitted.length > 0 ? { by: "transcript", at: 1 } : undefined),
    unsafe: () => Promise.resolve(undefined),
    ...extra,
  };
}

const message = { id: "msg_1", text: "hello", asUser: "must" as const, proofMs: 10_000 };

describe("typing a message", () => {
  test("pastes it with its mark, submits it and waits for the proof", async () => {
    const terminal = new FakeTerminal();
    expect(await pasteWithProof(target(terminal), message)).toMatchObject({ state: "delivered", way: "paste" });
    expect(terminal.submitted).toEqual(["hello\n[constel:msg_1]"]);
  });

  test("leaves copy mode first, which would eat the Enter", async () => {
    const terminal = new FakeTerminal();
    terminal.inMode = true;
    expect((await pasteWithProof(target(terminal), message)).state).toBe("delivered");
    expect(terminal.presses).toBe(1);
  });

  for (const line of ["filled", "dialog", "none"] as const) {
    test(`types nothing when the input line is ${line}`, async () => {
      const terminal = new FakeTerminal();
      terminal.line = line;
      expect(await pasteWithProof(target(terminal), message)).toMatchObject({ state: "unknown", sent: false });
      expect([terminal.pasted, terminal.presses]).toEqual([[], 0]);
    });
  }

  test("types nothing into a dead terminal", async () => {
    const terminal = new FakeTerminal();
    terminal.dead = true;
    expect(await pasteWithProof(target(terminal), message)).toMatchObject({ state: "unknown", sent: false });
    expect(terminal.pasted).toEqual([]);
  });

  test("types nothing into an agent that may ask for permission at any moment", async () => {
    const terminal = new FakeTerminal();
    const outcome = await pasteWithProof(target(terminal, { unsafe: () => Promise.resolve("it is busy") }), message);
    expect(outcome).toMatchObject({ state: "unknown", sent: false, reason: "it is busy" });
    expect([terminal.pasted, terminal.presses]).toEqual([[], 0]);
  });

  test("does not press Enter when a dialog opens over the pasted text", async () => {
    const terminal = new FakeTerminal();
    terminal.onPaste = () => {
      terminal.line = "dialog";
    };
    expect(await pasteWithProof(target(terminal), message)).toMatchObject({ state: "unknown", sent: true });
    expect(terminal.presses).toBe(0);
  });

  test("does not press Enter when the agent became busy after the paste", async () => {
    const terminal = new FakeTerminal();
    const unsafe = (): Promise<string | undefined> =>
      Promise.resolve(terminal.pasted.length > 0 ? "it is busy" : undefined);
    const outcome = await pasteWithProof(target(terminal, { unsafe }), message);
    expect(outcome).toMatchObject({ state: "unknown", sent: true, reason: expect.stringContaining("it is busy") });
    expect(terminal.presses).toBe(0);
  });

  test("presses Enter again when it was lost", async () => {
    const terminal = new FakeTerminal();
    terminal.deaf = 2;
    expect((await pasteWithProof(target(terminal), message)).state).toBe("delivered");
    expect(terminal.presses).toBe(3);
  });

  test("says that the text still stands there when Enter never works", async () => {
    const terminal = new FakeTerminal();
    terminal.deaf = 99;
    const outcome = await pasteWithProof(target(terminal), message);
    expect(outcome).toMatchObject({ state: "unknown", sent: true, reason: expect.stringContaining("unsubmitted") });
    expect(terminal.presses).toBe(4);
  });

  test("takes up its own text that an earlier try left unsubmitted, without pasting it twice", async () => {
    const terminal = new FakeTerminal();
    terminal.line = "filled";
    terminal.text = "hello\n[constel:msg_1]";
    expect((await pasteWithProof(target(terminal), message)).state).toBe("delivered");
    expect([terminal.pasted, terminal.submitted]).toEqual([[], ["hello\n[constel:msg_1]"]]);
  });

  test("waits for the end of a moment's work before it presses Enter, and pastes once", async () => {
    const terminal = new FakeTerminal();
    let looks = 0;
    const unsafe = (): Promise<string | undefined> =>
      Promise.resolve(terminal.pasted.length > 0 && looks++ < 20 ? "it is busy" : undefined);
    expect((await pasteWithProof(target(terminal, { unsafe }), message)).state).toBe("delivered");
    expect([terminal.pasted.length, terminal.presses]).toEqual([1, 1]);
  });

  describe("a long text, for which the program shows a sign", () => {
    const long = { ...message, id: "msg_long" };
    const left = async (): Promise<FakeTerminal> => {
      const terminal = new FakeTerminal();
      terminal.onPaste = () => {
        terminal.text = "› [Pasted Content 2240 chars]\n\n  ? for shortcuts";
      };
      const unsafe = (): Promise<string | undefined> =>
        Promise.resolve(terminal.pasted.length > 0 ? "it is busy" : undefined);
      const outcome = await pasteWithProof(target(terminal, { unsafe }), long);
      expect(outcome).toMatchObject({ state: "unknown", sent: true, unsubmitted: true });
      return terminal;
    };

    test("is known again by that sign, and submitted", async () => {
      const terminal = await left();
      expect((await pasteWithProof(target(terminal), long)).state).toBe("delivered");
      expect([terminal.pasted.length, terminal.presses]).toEqual([1, 1]);
    });

    for (const [what, text] of [
      ["another sign", "› [Pasted Content 17 chars]"],
      ["words that somebody typed behind it", "› [Pasted Content 2240 chars] and do not"],
    ] as const)
      test(`is left alone with ${what}`, async () => {
        const terminal = await left();
        terminal.text = text;
        expect(await pasteWithProof(target(terminal), long)).toMatchObject({ state: "unknown", sent: false });
        expect([terminal.pasted.length, terminal.presses]).toEqual([1, 0]);
      });
  });

  test("a paste that the program lost was not submitted", async () => {
    const terminal = new FakeTerminal();
    terminal.onPaste = () => {
      terminal.line = "empty";
    };
    const outcome = await pasteWithProof(target(terminal), message);
    expect(outcome).toMatchObject({ sent: true, unsubmitted: true, reason: expect.stringContaining("not seen") });
    expect(terminal.presses).toBe(0);
  });

  test("never says delivered without proof, although the text was taken", async () => {
    const terminal = new FakeTerminal();
    const outcome = await pasteWithProof(target(terminal, { proof: () => Promise.resolve(undefined) }), message);
    expect(outcome).toMatchObject({ state: "unknown", sent: true, reason: expect.stringContaining("no turn") });
    expect(outcome).not.toHaveProperty("unsubmitted");
  });

  test("says so when the program ends before the turn begins", async () => {
    const terminal = new FakeTerminal();
    const proof = (): Promise<undefined> => {
      terminal.dead = terminal.submitted.length > 0;
      return Promise.resolve(undefined);
    };
    const outcome = await pasteWithProof(target(terminal, { proof }), message);
    expect(outcome).toMatchObject({ state: "unknown", sent: true, reason: expect.stringContaining("ended") });
  });
});

const on = (state: "idle" | "busy" | "limited" | "waiting-permission" | "starting") =>
  ({ state, rests: { on: "nothing", says: "" } }) as const;

describe("an agent may be typed to", () => {
  test("when it is idle or limited", () => {
    expect([unsafeIn(on("idle"), "ask"), unsafeIn(on("limited"), "ask")]).toEqual([undefined, undefined]);
  });
  test("when it is busy, only if it never asks", () => {
    expect(unsafeIn(on("busy"), "all")).toBeUndefined();
    expect(unsafeIn(on("busy"), "ask")).toContain("busy");
  });
  test("never while it asks or starts", () => {
    expect(unsafeIn(on("waiting-permission"), "all")).toBeDefined();
    expect(unsafeIn(on("starting"), "all")).toBeDefined();
  });
});
