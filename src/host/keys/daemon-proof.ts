// Tells whether the process that listens at the daemon's socket is the daemon. The kernel names the process: it must be this account's,
// alive, and none that an agent started (host/process/limit-mark.ts). And it proves that it holds the constellation's secret, over a word of
// ours that it cannot know beforehand. Inside a sandbox neither can be seen; there nobody can replace a socket either.

import { isAgentsMark, isMarked } from "../process/limit-mark.ts";
import type { SocketPeer } from "../process/socket-peer.ts";
import type { DaemonAnswer, DaemonProof } from "../../ports/daemon-proof.ts";
import { proofOf } from "./seals.ts";

export function daemonProof(home: string): DaemonProof {
  // The way to the C library takes most of a millisecond: it is opened while the daemon answers.
  const kernel = () => import("../process/socket-peer.ts");
  return {
    nonce: () => crypto.randomUUID(),
    prepare: () => void kernel().then(({ prepareToAsk }) => prepareToAsk()),
    whyKept: async (unix) => (await import("../process/connect-error.ts")).connectError(unix),
    async judge(fd, answer) {
      const peer = (await kernel()).peerOf(fd);
      if (peer === "ended") return { pid: undefined, problem: "the process that began to listen there has ended" };
      const problem = wrongProcess(peer) ?? wrongProof(home, answer, peer);
      return { pid: peer?.pid, ...(problem === undefined ? {} : { problem }) };
    },
  };
}

/** Root may run what is ours; nobody else's account does. */
export function wrongProcess(peer: SocketPeer | undefined, own = process.getuid?.()): string | undefined {
  if (peer === undefined) return undefined;
  if (peer.uid !== undefined && own !== undefined && peer.uid !== own && peer.uid !== 0)
    return "it runs under another account";
  return isAgentsMark(peer.pid) ? "an agent started it" : undefined;
}

export function wrongProof(home: string, answer: DaemonAnswer, peer: SocketPeer | undefined): string | undefined {
  const expected = proofOf(home, wordsOf(answer));
  if (expected === answer.proof) return undefined;
  if (expected !== undefined) return "it does not hold the key of this constellation";
  // There is no key to compare with: then nothing may speak against it either.
  const isOdd = peer !== undefined && isMarked(peer.pid);
  return isOdd
    ? "the agents' tmux server started it, and there is no key here by which it could prove itself"
    : undefined;
}

/** The proof that the daemon answers with. Undefined before there is a key. */
export const proveDaemon = (home: string, answer: Omit<DaemonAnswer, "proof">): string | undefined =>
  proofOf(home, wordsOf(answer));

const wordsOf = ({ nonce, pass, door }: Omit<DaemonAnswer, "proof">): string => `${nonce} ${pass} ${door}`;
