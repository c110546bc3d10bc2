// Asks a running ssh-agent (SSH_AUTH_SOCK) which Ed25519 keys it has, and to sign with one. The private key never leaves the agent, and an
// agent that was given the key with `ssh-add -c` asks its user each time. What is signed begins with the word `constel`, which no
// message of the SSH protocol does, so a signature made here is good for nothing else.

import { connect } from "node:net";
import { createHash } from "node:crypto";
import { messageOf, Refusal } from "../../protocol/errors.ts";

export interface AgentKey {
  /** 32 bytes, base64url, as the ring has them. */
  readonly publicKey: string;
  readonly comment: string;
  /** As `ssh-add -l` prints it. */
  readonly fingerprint: string;
}

const kind = "ssh-ed25519";
const ask = { identities: 11, sign: 13 } as const;
const answers = { identities: 12, signature: 14 } as const;
/** Somebody may have to say yes at a prompt of the agent's. */
const deadlineMs = 60_000;
const longestAnswer = 1024 * 1024;

export async function agentKeys(socket: string | undefined): Promise<AgentKey[]> {
  const answer = new Reader(await exchange(socket, Buffer.from([ask.identities])));
  if (answer.byte() !== answers.identities) throw noAgent("the ssh-agent does not tell which keys it has");
  const keys: AgentKey[] = [];
  for (let left = answer.number(); left > 0; left--) {
    const blob = answer.string();
    const comment = answer.string().toString("utf8");
    const publicKey = ed25519In(blob);
    if (publicKey === undefined) continue;
    const hash = createHash("sha256")
      .update(blob)
      .digest("base64")
      .replace(/(?<!=)=+$/, "");
    keys.push({ publicKey, comment, fingerprint: `SHA256:${hash}` });
  }
  return keys;
}

/** The signature, 64 bytes. */
export async function signWithAgent(
  socket: string | undefined,
  publicKey: string,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  const blob = Buffer.concat([text(Buffer.from(kind)), text(Buffer.from(publicKey, "base64url"))]);
  const request = Buffer.concat([Buffer.from([ask.sign]), text(blob), text(bytes), Buffer.alloc(4)]);
  const answer = new Reader(await exchange(socket, request));
  if (answer.byte() !== answers.signature)
    throw noAgent("the ssh-agent did not sign: it does not have the owner's key, or its user said no");
  const signature = new Reader(answer.string());
  const [named, signed] = [signature.string().toString("latin1"), signature.string()];
  if (named !== kind || signed.length !== 64) throw noAgent(`the ssh-agent signed as ${JSON.stringify(named)}`);
  return signed;
}

function ed25519In(blob: Buffer): string | undefined {
  try {
    const reader = new Reader(blob);
    const [named, key] = [reader.string().toString("latin1"), reader.string()];
    return named === kind && key.length === 32 ? key.toString("base64url") : undefined;
  } catch {
    return undefined; // of another kind, with parts of its own
  }
}

/** One question, one answer; each stands behind its length. */
function exchange(socket: string | undefined, request: Uint8Array): Promise<Buffer> {
  if (socket === undefined || socket === "") throw noAgent("SSH_AUTH_SOCK names no ssh-agent");
  return new Promise((resolve, reject) => {
    const connection = connect({ path: socket });
    let heard = Buffer.alloc(0);
    const end = (work: () => void): void => {
      connection.destroy();
      work();
    };
    const fail = (why: string): void => end(() => reject(noAgent(`the ssh-agent at ${socket} ${why}`)));
    connection.setTimeout(deadlineMs, () => fail("does not answer"));
    connection.on("error", (cause) => fail(`cannot be asked: ${messageOf(cause)}`));
    connection.on("close", () => fail("hung up"));
    connection.on("data", (bytes: Buffer) => {
      heard = Buffer.concat([heard, bytes]);
      if (heard.length < 4) return;
      const length = heard.readUInt32BE(0);
      if (length > longestAnswer) return fail("answers with too much");
      if (heard.length >= length + 4) end(() => resolve(heard.subarray(4, length + 4)));
    });
    connection.write(text(request));
  });
}

/** The length in four bytes, and then the bytes. */
function text(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#take(1)[0] ?? 0;
  }

  number(): number {
    return this.#take(4).readUInt32BE(0);
  }

  string(): Buffer {
    return this.#take(this.number());
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw noAgent("the ssh-agent's answer is cut short");
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }
}

const noAgent = (why: string): Refusal => new Refusal("keys.no-agent", why);
