// `agentinfinity-ready`: the watchdog agent is up and waits for something to repair.

import { hasMarker, putMarker, removeMarker } from "./marker-files.ts";

const name = "agentinfinity-ready";

export const markWatchdogReady = (home: string, since: string): void => putMarker(home, name, since);
export const isWatchdogReady = (home: string): boolean => hasMarker(home, name);
export const clearWatchdogReady = (home: string): boolean => removeMarker(home, name);
