// `constel hook wait`: a hook that the agent's program starts in the background and wakes up by. Waits for a message in the push
// inbox, prints it on stderr and exits 2, which is how the program is told; exits 0 in silence when it is no longer needed.

import { watch } from "node:fs";
import { PushWaiter } from "../../floor/push/push-inbox.ts";
import { systemLiveness } from "../../host/process/liveness.ts";

/** File watching is a hint that may fail; looking is the truth, and costs one directory listing. */
const lookMs = 2_000;

export async function waitForPush(home: string, agent: string): Promise<void> {
  const waiter = new PushWaiter(home, agent, systemLiveness);
  const parent = process.ppid;
  let stirred = (): void => undefined;
  const watcher = watch(waiter.path, () => stirred());
  try {
    // When the program that started us is gone, a message printed here would reach nobody.
    while (waiter.isCurrent() && process.ppid === parent) {
      const texts = waiter.take();
      if (texts.length > 0) {
        process.stderr.write(`${texts.join("\n\n")}\n`);
        process.exitCode = 2;
        return;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookMs);
        stirred = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    watcher.close();
    waiter.close();
  }
}
