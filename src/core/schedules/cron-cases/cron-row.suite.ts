// Defines the form of a case: an expression in a zone, and when it fires next, in UTC.

export type CronRow = readonly [says: string, cron: string, zone: string, after: string, ...fires: string[]];
