// Whether what listens at the daemon's socket is the daemon. The kernel names the process: it must be this account's, alive, and none that
// an agent started (host/process/limit-mark.ts). And it proves that it holds the constellation's secret, over a word of ours that it cannot
// know beforehand. Inside a sandbox neither can be seen; there nobody can replace a socket either.

import { isAgentsMark } from "../process/limit-mark.ts";
import type { DaemonAnswer, DaemonProblem, DaemonProof } from "../../ports/daemon-proof.ts";
import { proofOf } from "./seals.ts";

export function daemonProof(home: string): DaemonProof {
  // The way to the C library takes most of a millisecond: it is opened while the daemon answers.
  const kernel = () => import("../process/socket-peer.ts");
  return {
    nonce: () => crypto.randomUUID(),
    prepare: () => void kernel().then(({ prepareToAsk }) => prepareToAsk()),
    async problem(fd, answer) {
      const peer = (await kernel()).peerOf(fd);
      const because = (why: string): DaemonProblem => ({ pid: peer?.pid, why });
      if (peer !== undefined) {
        const own = process.getuid?.();
        if (peer.uid !== undefined && own !== undefined && peer.uid !== own && peer.uid !== 0)
          return because("it runs under another account");
        if (isAgentsMark(peer.pid)) return because("an agent started it");
      }
      const expected = proofOf(home, wordsOf(answer));
      if (expected !== undefined && expected !== answer.proof)
        return because("it does not hold the key of this constellation");
      return undefined;
    },
  };
}

/** What the daemon answers with. Undefined before there is a key. */
export const proveDaemon = (home: string, answer: Omit<DaemonAnswer, "proof">): string | undefined =>
  proofOf(home, wordsOf(answer));

const wordsOf = ({ nonce, pass, door }: Omit<DaemonAnswer, "proof">): string => `${nonce} ${pass} ${door}`;
