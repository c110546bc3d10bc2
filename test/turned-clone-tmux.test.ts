// A clone that was turned has the clients of the agents' tmux server become programs of its own: the owner's, who looks at an agent, and those
// that constel's own commands use. A tmux server may tell its clients to do that, and on a shared account a clone reaches the server.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectTop, until } from "./kit/home.ts";
import { ObedientHome } from "./kit/obedient-home.ts";

const at = new ObedientHome();
beforeAll(() => at.start());
afterAll(() => at[Symbol.asyncDispose]());

const socket = `socket=$(ls "$TMUX_TMPDIR"/tmux-*/ | grep '^constel-')`;
const program = `printf '#!/bin/sh\\nexec "%s" task cancel 1 --home "%s" >"%s" 2>&1\\n' "$constel" "$CONSTEL_HOME" "$said" >"$said-run"; chmod +x "$said-run"`;
const heard = (): string => (existsSync(at.said) ? readFileSync(at.said, "utf8") : "");

// The mark that tells is Linux's.
describe.skipIf(process.platform !== "linux")("what a client of the agents' tmux server becomes is nobody's", () => {
  /** The owner looks at agent2 in a terminal while agent1 does something; it is over when the program has said something. */
  async function beside(order: string): Promise<string> {
    const look = `${projectTop}/bin/constel attach agent2`;
    const owner = Bun.spawn(["script", "-qec", look, "/dev/null"], {
      env: { ...at.env, TERM: "xterm" },
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
    });
    try {
      const ready = `until tmux -L "$socket" list-clients -F '#{session_name}' | grep -qx agent2; do sleep 0.02; done`;
      await at.ordered(`${socket}; ${program}; ${ready}; ${order}`);
      return await until("the program was run", heard, (said) => said.includes("\n"));
    } finally {
      owner.kill();
      await owner.exited;
    }
  }

  test("of the owner's, who looks at an agent", async () => {
    expect(await beside('tmux -L "$socket" detach-client -s agent2 -E "$said-run"')).toContain("[authority.nobody]");
    expect(await at.stateOfTask()).toBe("open");
  });

  test("of the owner's, whose terminal is locked", async () => {
    const lock =
      'tmux -L "$socket" set-option -t agent2 lock-command "$said-run"; tmux -L "$socket" lock-session -t agent2';
    expect(await beside(lock)).toContain("[authority.nobody]");
    expect(await at.stateOfTask()).toBe("open");
  });

  test("of the owner's commands and of a round of the watchdog, at a server that is the clone's", async () => {
    const server = `perl "${join(projectTop, "test/kit/false-tmux.pl")}" "$PWD/$socket" "$said-run" "$said-ends"`;
    const place = `mv "$socket" "$socket-away"; (setsid ${server} >/dev/null 2>&1 &); until [ -e "$socket" ]; do sleep 0.02; done`;
    await at.ordered(`${socket}; ${program}; cd "$TMUX_TMPDIR"/tmux-*/; ${place}`);
    const { said } = at;
    const back = `cd "$TMUX_TMPDIR"/tmux-*/; : >"${said}-ends"; for one in *-away; do mv "$one" "\${one%-away}"; done`;
    try {
      for (const verb of [["agents"], ["watchdog", "tick"]]) await at.constel(verb);
      expect(readFileSync(said, "utf8")).toContain("[authority.nobody]");
      expect(await at.stateOfTask()).toBe("open");
    } finally {
      await at.ordered(back);
    }
  });
});
