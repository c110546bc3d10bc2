// Times for people: how long ago, and the exact moment in the reader's zone and in UTC.

export function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 45) return "now";
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 || hours > 5 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return days === 1 ? "1 day" : `${days} days`;
}

/** As part of a sentence. */
export function since(ms: number): string {
  const text = ago(ms);
  return text === "now" ? "just now" : `${text} ago`;
}

/** How long something took or may take. */
export function lasting(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 || minutes > 9 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

export function exact(ms: number): string {
  const at = new Date(ms);
  return `${at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" })} here\n${utc(ms)} UTC`;
}

export const utc = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

/** `13:02` today, else with its date. */
export function clock(ms: number, nowMs: number = Date.now()): string {
  const at = new Date(ms);
  const time = at.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
  return at.toDateString() === new Date(nowMs).toDateString()
    ? time
    : `${at.toLocaleDateString(undefined, { month: "short", day: "numeric" })} ${time}`;
}
