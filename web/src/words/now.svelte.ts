// The clock of the page: moves four times a minute, so that ages are told without a timer for each.

export const now = $state({ ms: Date.now() });

setInterval(() => (now.ms = Date.now()), 15_000);
