// `onboarded`: this home was set up once; a session may start in earnest.

import { hasMarker, putNewMarker } from "./marker-files.ts";

const name = "onboarded";

/** True when this call made it. */
export const markOnboarded = (home: string, body: string): boolean => putNewMarker(home, name, body);
export const isOnboarded = (home: string): boolean => hasMarker(home, name);
