// How a caller makes sure that what listens at the daemon's socket is the daemon: by what the kernel tells of the process, and by a
// proof that it holds the constellation's secret.

export interface DaemonAnswer {
  /** What the caller sent along, never the same twice. */
  readonly nonce: string;
  readonly pass: string;
  /** The file of the socket that requests go to, as `device:inode`. */
  readonly door: string;
  readonly proof: string;
}

export interface DaemonVerdict {
  /** Who listens, where the kernel tells. */
  readonly pid: number | undefined;
  /** Why it is not the daemon; absent when it is. */
  readonly problem?: string;
}

export interface DaemonProof {
  nonce(): string;
  /** What takes a moment and can be done while the answer is awaited. */
  prepare(): void;
  /** Why the kernel lets nobody of us connect to a socket (EPERM, EACCES); undefined when it is not the kernel that refuses. */
  readonly whyKept: (unix: string) => Promise<string | undefined>;
  /** `fd` is the connection over which the answer came. */
  judge(fd: number, answer: DaemonAnswer): Promise<DaemonVerdict>;
}
