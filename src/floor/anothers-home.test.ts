import { expect, test } from "bun:test";
import { takingBack } from "./anothers-home.ts";

test("the command that takes a home back can be copied, whatever the home is called", () => {
  const own = process.getuid?.();
  expect(takingBack("/home/ann/.constel")).toBe(`sudo chown -R ${own} /home/ann/.constel`);
  const ran = Bun.spawnSync([
    "sh",
    "-c",
    takingBack('/home/ann\'s "$x" home').replace("sudo chown -R", "printf '%s|'"),
  ]);
  expect(ran.stdout.toString()).toBe(`${own}|/home/ann's "$x" home|`);
});
