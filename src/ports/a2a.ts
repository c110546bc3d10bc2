// Declares what core asks of the machine about outside agents: whom the owner lets through, and how an address is told something.

export interface A2aRule {
  readonly sender: string;
  readonly skill: string;
  readonly repository?: string | undefined;
}

export interface A2aWishes {
  readonly isEnabled: boolean;
  /** The requests that need no word of the owner's. */
  readonly rules: readonly A2aRule[];
  /** Where their tasks begin. */
  readonly root: string;
  /** Why nothing is sent to this address; undefined where it may be. Only its words are looked at, nothing is looked up. */
  readonly complaintAboutPush: (push: PushAddress) => string | undefined;
}

export interface PushAddress {
  readonly url: string;
  readonly token: string | null;
  readonly scheme: string | null;
  readonly credentials: string | null;
}

export type PushOutcome =
  | { readonly kind: "taken" }
  /** It will never be taken there. */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "away"; readonly why: string };

export interface PushSender {
  send(push: PushAddress, body: string): Promise<PushOutcome>;
}
