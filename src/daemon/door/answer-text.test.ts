import { expect, spyOn, test } from "bun:test";
import { answerText } from "./answer-text.ts";

test("a long list is written as JSON writes it, a part at a time", async () => {
  const items = Array.from({ length: 1_234 }, (_, index) => ({ index, text: 'ä\u2028"', left: undefined }));
  const answer = { total: 7, none: undefined, items, more: null, rest: [1] };
  const whole = JSON.stringify(answer);
  const longest: number[] = [];
  const { stringify } = JSON;
  using written = spyOn(JSON, "stringify").mockImplementation((value: unknown) => {
    if (Array.isArray(value)) longest.push(value.length);
    return stringify(value);
  });
  expect(await answerText(answer)).toBe(whole);
  expect(written).toHaveBeenCalled();
  expect(Math.max(...longest)).toBeLessThanOrEqual(100);
});

test("a short answer is there at once", () => {
  expect(answerText({ total: 1, items: [1, 2] })).toBe('{"total":1,"items":[1,2]}');
  expect(answerText(null)).toBe("null");
});
