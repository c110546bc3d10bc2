import { describe, expect, test } from "bun:test";
import { isLimitText, isLoginText, limitFrom, unknownLiftMs } from "./limits.ts";

const now = Date.UTC(2026, 10, 15, 12, 30); // a Sunday, 12:30 UTC
const hour = 3_600_000;

function check(says: string, expected: string, zone = "UTC"): void {
  test(says, () => {
    const limit = limitFrom(says, now, { zone });
    expect({ known: limit.known, until: new Date(limit.untilMs).toISOString() }).toEqual({
      known: true,
      until: expected,
    });
  });
}

describe("the lift of a limit is read from", () => {
  check("You've hit your session limit · resets 3pm (UTC)", "2026-11-15T15:00:00.000Z");
  check("You've hit your session limit · resets 3pm", "2026-11-15T15:00:00.000Z");
  check("5-hour limit reached ∙ resets 3pm (America/New_York)", "2026-11-15T20:00:00.000Z");
  check("You've hit your weekly limit · resets Nov 20, 3:30pm (Europe/Paris)", "2026-11-20T14:30:00.000Z");
  check("You've hit your session limit · resets 9am (Europe/Paris)", "2026-11-16T08:00:00.000Z");
  check("resets 12am", "2026-11-16T00:00:00.000Z");
  check("resets 12pm", "2026-11-16T12:00:00.000Z");
  check("Claude AI usage limit reached|1794762000", "2026-11-15T17:00:00.000Z");
  check("You’ve hit your usage limit. Try again at 3:05 PM.", "2026-11-15T15:05:00.000Z");
  check(
    "You’ve hit your usage limit. Try again at 3:05 PM.",
    "2026-11-15T06:05:00.000Z".replace("15T", "16T"),
    "Asia/Tokyo",
  );
  check("You’ve hit your usage limit. Try again at Nov 20th, 2026 3:05 PM.", "2026-11-20T15:05:00.000Z");
  test("a date in the next year, which is not named", () => {
    const limit = limitFrom("Try again at Jan 2nd, 3:05 PM.", Date.UTC(2026, 11, 28), { zone: "UTC" });
    expect(new Date(limit.untilMs).toISOString()).toBe("2027-01-02T15:05:00.000Z");
  });
  check("usage limit … try again in 2 days 3 hours 5 minutes", "2026-11-17T15:35:00.000Z");
  check("Your quota will reset after 8h30m12s.", "2026-11-15T21:00:12.000Z");
  check("Please retry in 45.5s.", "2026-11-15T12:30:45.500Z");
  check("limit resets Thursday at 15:00", "2026-11-19T15:00:00.000Z");
  check("limit resets Sunday at 11:00", "2026-11-22T11:00:00.000Z");
  check("resets_at: 1794762000", "2026-11-15T17:00:00.000Z");
  check("blocked until 2026-11-15T18:00:00Z", "2026-11-15T18:00:00.000Z");
  // The clock goes back an hour between now and then.
  test("a time after the clocks change", () => {
    const before = Date.UTC(2026, 9, 24, 20, 0);
    const limit = limitFrom("resets 9am (Europe/Paris)", before);
    expect(new Date(limit.untilMs).toISOString()).toBe("2026-10-25T08:00:00.000Z");
  });
});

describe("a lift that cannot be known", () => {
  for (const says of [
    "Please try again later.",
    "rate limit",
    "resets at noon",
    "resets 99:99",
    "usage limit reached|17",
  ]) {
    test(`gets a cautious guess: ${says}`, () => {
      expect(limitFrom(says, now)).toEqual({ untilMs: now + unknownLiftMs, known: false, says });
    });
  }
  test("is also one that lies in the past or months away", () => {
    expect(limitFrom("limit|1000000000", now).known).toBe(false);
    expect(limitFrom("try again in 400 days", now).known).toBe(false);
  });
  test("is overruled by what the program says in figures", () => {
    expect(limitFrom("later", now, { liftsAtMs: now + hour })).toMatchObject({ untilMs: now + hour, known: true });
  });
});

describe("an error text", () => {
  for (const says of [
    "API Error: Request rejected (429) · This request would exceed your account's rate limit.",
    "You've hit your session limit · resets 3pm",
    "You’ve hit your usage limit. Try again later.",
    "You have exhausted your capacity on this model. Your quota will reset after 1h.",
    "RESOURCE_EXHAUSTED",
  ]) {
    test(`is about a limit: ${says}`, () => expect([isLimitText(says), isLoginText(says)]).toEqual([true, false]));
  }
  for (const says of [
    "Invalid API key · Please run /login",
    "401 Unauthorized",
    "authentication_error: token expired",
  ]) {
    test(`is about a login: ${says}`, () => expect([isLimitText(says), isLoginText(says)]).toEqual([false, true]));
  }
  for (const says of ["API Error: 500 internal", "connection refused", "prompt is too long"]) {
    test(`is about neither: ${says}`, () => expect([isLimitText(says), isLoginText(says)]).toEqual([false, false]));
  }
});
