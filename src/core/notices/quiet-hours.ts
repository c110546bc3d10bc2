// Quiet hours: `22:00-07:00`, by the machine's own clock. Empty: never.

/** Tells whether it is quiet now. A setting that cannot be read never gets here: the settings refuse it. */
export function isQuietAt(setting: string, now: Date): boolean {
  const found = quietHours.exec(setting);
  if (found === null) return false;
  const [, fromHour, fromMinute, toHour, toMinute] = found.map(Number);
  const from = (fromHour ?? 0) * 60 + (fromMinute ?? 0);
  const to = (toHour ?? 0) * 60 + (toMinute ?? 0);
  const at = now.getHours() * 60 + now.getMinutes();
  return from <= to ? at >= from && at < to : at >= from || at < to;
}

const quietHours = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;
