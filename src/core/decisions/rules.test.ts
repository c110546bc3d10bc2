import { expect, test } from "bun:test";
import { askerNamed } from "../../protocol/authority.ts";
import { type DecisionMove, refuseMove } from "./rules.ts";

type Given = Partial<Parameters<typeof refuseMove>[1]>;

const moves: readonly DecisionMove[] = ["accept", "reject", "supersede"];

/** For each move: allowed, or the code of the refusal. */
const answers = (name: string, given: Given = {}): string[] => {
  const decision = { id: "dec_1", state: "draft", recorded_by: "agent1", owner_verified: 0, ...given };
  return moves.map((move) => refuseMove(askerNamed(name), decision, move)?.code ?? "allowed");
};

const allowed = ["allowed", "allowed", "allowed"];

test("a clone settles its own decisions, replaces another's, and settles none but its own", () => {
  expect(answers("agent1")).toEqual(allowed);
  expect(answers("agent2")).toEqual(["decision.not-allowed", "decision.not-allowed", "allowed"]);
});

test("the root, the watchdog and the owner settle every agent's", () => {
  for (const name of ["agent0", "agentinfinity", "owner"])
    expect({ name, says: answers(name) }).toEqual({ name, says: allowed });
});

test("what the owner recorded or accepted is nobody else's to change", () => {
  const owners = ["decision.owners", "decision.owners", "decision.owners"];
  for (const given of [{ recorded_by: "owner" }, { owner_verified: 1 }]) {
    for (const name of ["agent0", "agentinfinity", "agent1"])
      expect({ name, says: answers(name, given) }).toEqual({ name, says: owners });
    expect(answers("owner", given)).toEqual(allowed);
  }
});

test("what is over stays as it is, whoever asks", () => {
  for (const state of ["rejected", "superseded"])
    for (const name of ["agent1", "owner"])
      expect(answers(name, { state })).toEqual([
        "decision.not-allowed",
        "decision.not-allowed",
        "decision.not-allowed",
      ]);
  expect(answers("agent1", { state: "active" })).toEqual(allowed);
});
