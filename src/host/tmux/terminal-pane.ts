// One agent's terminal as the runtimes see it, over the terminals of a multiplexer. Pasting and keys leave copy mode by
// themselves.

import type { Pane, Screen } from "../../ports/runtime.ts";
import type { Terminal, Terminals } from "../../ports/terminal.ts";

export function terminalPane(terminals: Terminals, name: string): Pane {
  return {
    async capture() {
      const terminal = await terminals.find(name);
      if (terminal === undefined) return gone;
      return screenOf(terminal, (await terminals.captureMany([name])).get(name)?.text ?? "");
    },
    async paste(text) {
      await terminals.paste(name, text);
    },
    enter: () => terminals.enter(name),
    keys: (...names) => terminals.sendKeys(name, names),
    leaveMode: () => Promise.resolve(),
  };
}

export function screenOf(terminal: Terminal, text: string): Screen {
  const { title, cursorX, cursorY, inMode, dead } = terminal;
  return { text, title, cursorX, cursorY, inMode, dead };
}

const gone: Screen = { text: "", title: "", cursorX: 0, cursorY: 0, inMode: false, dead: true };
