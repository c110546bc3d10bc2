// The mirror of the bus.

/** One receiver's copy of an envelope. The bus's files are the truth; this is their account. */
export interface MessagesTable {
  /** The file's name on the bus. */
  name: string;
  receiver: string;
  constellation: string;
  message_id: string | null;
  sender: string;
  kind: string | null;
  thread: string | null;
  in_reply_to: string | null;
  task: string | null;
  /** Long bodies are cut; null when the account has only the file's name. */
  text: string | null;
  text_bytes: number | null;
  state: string;
  /** The proof of the state, or the reason why it was poisoned. */
  because: string | null;
  /** The basis of the state: `bound` to whoever may say so, or `weak`. */
  evidence: string | null;
  /** The holder of the signature or seal that proves the sender: an agent, `owner`, `constellation`. Null when nothing does. */
  verified_by: string | null;
  sent_ms: number | null;
  delivered_ms: number | null;
  acked_ms: number | null;
  unknown_ms: number | null;
  poisoned_ms: number | null;
}
