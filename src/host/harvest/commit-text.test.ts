import { expect, test } from "bun:test";
import { parseCommit, withTrailers } from "./commit-text.ts";

const check = (message: string, expected: string): void =>
  expect(
    withTrailers(Buffer.from(message, "latin1"), ["Constel-Task: 1", "Constel-Commit: abc"]).toString("latin1"),
  ).toBe(expected);

test("trailers join a block of trailers, and otherwise stand by themselves", () => {
  check("subject\n", "subject\n\nConstel-Task: 1\nConstel-Commit: abc\n");
  check("subject\n\nbody\n", "subject\n\nbody\n\nConstel-Task: 1\nConstel-Commit: abc\n");
  check(
    "subject\n\nSigned-off-by: A <a@b>\n",
    "subject\n\nSigned-off-by: A <a@b>\nConstel-Task: 1\nConstel-Commit: abc\n",
  );
  check("fix: not a trailer\n", "fix: not a trailer\n\nConstel-Task: 1\nConstel-Commit: abc\n");
});

test("trailers of an earlier landing are replaced, so that nobody can pose as another task", () => {
  check("subject\n\nConstel-Task: 99\nConstel-Commit: zzz\n", "subject\n\nConstel-Task: 1\nConstel-Commit: abc\n");
});

test("bytes that are not UTF-8 stay as they are", () => {
  check("caf\xe9\n", "caf\xe9\n\nConstel-Task: 1\nConstel-Commit: abc\n");
});

test("a commit with a signature, an encoding and two parents is read", () => {
  const raw =
    "tree t\nparent a\nparent b\nauthor A <a> 1 +0000\ncommitter C <c> 2 +0000\nencoding latin1\ngpgsig -----BEGIN\n x\n\nsubject\n\nbody\n";
  expect(parseCommit("id", Buffer.from(raw))).toMatchObject({
    tree: "t",
    parents: ["a", "b"],
    subject: "subject",
    message: Buffer.from("subject\n\nbody\n"),
  });
  expect(parseCommit("id", Buffer.from(raw)).author.toString()).toBe("A <a> 1 +0000");
});
