// Describes how a task's words reach an agent: what dispatch asks of the bus and of the subject of agents. All that is asked here is to put
// a letter into the inbox. Its arrival is told later, by the account of messages, and only on the agent's proof.

/** In whose name constel itself writes about tasks. */
export const briefSender = "agentdispatch";

export interface Letter {
  /** Names the message: the same id put twice is one message to the agent. */
  readonly id: string;
  readonly to: string;
  readonly kind: string;
  /** Null when it is about none. */
  readonly task: number | null;
  readonly text: string;
}

export interface Deliver {
  /** Durable when it returns. Refused when the bus would not carry it. */
  put(letter: Letter): void;
  /** Tells whether the bus would carry these words to a model. */
  carries(text: string): boolean;
  /** The path at which agents find constel when their shell does not: some start a new shell that sets its own PATH. */
  readonly program: string;
  /** Its program has constel's tools, and its shell cannot reach the daemon. */
  hasOnlyTools(agent: string): boolean;
  /** An agent that has used it up today is given nothing. 0: none. */
  readonly budget: {
    readonly tokensPerDay: number;
    readonly microsPerDay: number;
    readonly together?: { readonly tokensPerDay: number; readonly microsPerDay: number };
  };
}
