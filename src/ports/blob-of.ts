/** Returns the blob that a file has now, as git names it. Undefined where there is none. */
export type BlobOf = (path: string) => string | undefined;
