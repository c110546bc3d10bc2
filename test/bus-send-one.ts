// A program for tests of the bus: sends one message and prints its name, or the code with which it was refused.
//   bus-send-one.ts <home> <from> <to> <text | @length> [user id to become]

import { send } from "../src/floor/bus/send.ts";
import { Refusal } from "../src/protocol/errors.ts";
import { realBus } from "./bus-kit.ts";

const [home = "", from = "", to = "", given = "", user] = process.argv.slice(2);
const text = given.startsWith("@") ? "x".repeat(Number(given.slice(1))) : given;
if (user !== undefined) process.seteuid?.(Number(user));
try {
  process.stdout.write(`${send(realBus(home), { from, to, text }).name}\n`);
} catch (cause) {
  if (!(cause instanceof Refusal)) throw cause;
  process.stdout.write(`${cause.code} ${String(cause.facts["systemCode"] ?? "")}\n`);
}
