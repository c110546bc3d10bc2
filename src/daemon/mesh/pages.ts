// The owner is told by the root of the mesh, with the machine named, so that one person is not paged by ten machines in ten ways. A sibling that
// cannot reach its root waits a while, then tells the owner by its own channels and says why.

import { createHash } from "node:crypto";
import type { Arrival, Doing } from "../../core/mesh/arrivals.ts";
import type { Escalated, MeshContext, Peer } from "../../core/mesh/mesh-context.ts";
import { answerPage, putPage, takePageBack } from "../../core/mesh/page-item.ts";
import { channelsFromConfig } from "../../floor/escalate/channels-from-config.ts";
import { escalate } from "../../floor/escalate/escalate.ts";
import type { Lines } from "../../ports/mesh.ts";
import { type PageBody, pageBody, pageToldBody, readBody } from "../../protocol/mesh-bodies.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import { escalateContext } from "../owner/escalate-context.ts";

const lookEveryMs = 250;
/** The same page is not brought twice, also when the daemon died between bringing it and saying so. */
const sameForMs = 3_600_000;

export type PageText = Pick<PageBody, "subject" | "body" | "urgent">;

export class PagesByRoot {
  readonly #context: MeshContext;
  readonly #lines: Lines;
  readonly #waitMs: number;
  readonly #answers = new Map<string, Escalated>();

  constructor(context: MeshContext, lines: Lines, waitMs: number) {
    this.#context = context;
    this.#lines = lines;
    this.#waitMs = waitMs;
  }

  async #root(): Promise<Peer | undefined> {
    return (await this.#context.peers()).find(({ is }) => is === "root");
  }

  async hasRoot(): Promise<boolean> {
    return (await this.#root()) !== undefined;
  }

  /** Undefined where there is no root. Not told: `says` is why, for the page that our own channels bring. */
  async page({ subject, body, urgent }: PageText): Promise<Escalated | undefined> {
    const root = await this.#root();
    if (root === undefined) return undefined;
    const { clock } = this.#context;
    const untilMs = clock.monotonicMs() + this.#waitMs;
    const id = `pag_${createHash("sha256")
      .update(JSON.stringify([subject, body]))
      .digest("hex")
      .slice(0, 24)}_${clock.nowMs()}`;
    const page: PageBody = {
      subject: subject.slice(0, 400),
      body: body.slice(0, 20_000),
      urgent,
      at_ms: clock.nowMs(),
    };
    while (this.#lines.to(root.peer) === undefined) {
      if (clock.monotonicMs() >= untilMs) return { told: false, says: `${root.peer}, our root, cannot be reached` };
      await clock.sleep(lookEveryMs);
    }
    await putPage(this.#context, root, { id, body: page });
    return this.#answerTo(root, id, untilMs);
  }

  async #answerTo(root: Peer, id: string, untilMs: number): Promise<Escalated> {
    const { clock } = this.#context;
    for (;;) {
      const answer = this.#answers.get(id);
      this.#answers.delete(id);
      if (answer?.told === true) return { told: true, says: `${root.peer} says: ${answer.says}` };
      if (answer !== undefined) return { told: false, says: `${root.peer}, our root, reached nobody: ${answer.says}` };
      if (clock.monotonicMs() >= untilMs) {
        const isBack = await takePageBack(this.#context, root, id);
        const why = isBack ? "was out of reach before it had this" : "took this and did not say that anybody was told";
        return { told: false, says: `${root.peer}, our root, ${why}` };
      }
      await clock.sleep(lookEveryMs);
    }
  }

  /** The root says what became of a page. */
  readonly answered: Doing = async ({ from, body }: Arrival): Promise<void> => {
    const { page, told, says } = readBody(pageToldBody, body);
    // Only the root was asked; nobody waits for what is answered late.
    if (from.is === "root" && this.#answers.size < 1_000) this.#answers.set(page, { told, says });
  };
}

/** A sibling's page, brought to the owner by the channels here. */
export function bringPage(
  { settings, clock, random }: Pick<LoopParts, "settings" | "clock" | "random">,
  context: MeshContext,
): Doing {
  const channels = channelsFromConfig(settings.config["escalate.channels"]);
  return async ({ id, from, body }) => {
    const { subject, body: text, urgent } = readBody(pageBody, body);
    const outcome =
      from.is === "root"
        ? { told: false, line: "a root is paged by nobody" }
        : await escalate(
            escalateContext(settings, { clock, random }, channels),
            { subject: `${from.peer}: ${subject}`, body: `On ${from.peer}:\n${text}`, urgent },
            { sameForMs, leaveMarker: false },
          );
    await answerPage(context, from, id, { told: outcome.told, says: outcome.line });
  };
}
