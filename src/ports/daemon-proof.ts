// Describes how a caller makes sure that the process listening at the daemon's socket is the daemon: by what the kernel tells of the
// process, and by a proof that it holds the constellation's secret.

export interface DaemonAnswer {
  /** The value that the caller sent along, never the same twice. */
  readonly nonce: string;
  readonly pass: string;
  /** The file of the socket that requests go to, as `device:inode`. */
  readonly door: string;
  readonly proof: string;
}

export interface DaemonVerdict {
  /** The process that listens, where the kernel tells. */
  readonly pid: number | undefined;
  /** The reason why it is not the daemon; absent if it is. */
  readonly problem?: string;
}

export interface DaemonProof {
  nonce(): string;
  /** Does the work that takes a moment and can be done while the answer is awaited. */
  prepare(): void;
  /** Says why the kernel lets none of us connect to a socket (EPERM, EACCES). Undefined if it is not the kernel that refuses. */
  readonly whyKept: (unix: string) => Promise<string | undefined>;
  /** `fd` is the connection over which the answer came. */
  judge(fd: number, answer: DaemonAnswer): Promise<DaemonVerdict>;
}
