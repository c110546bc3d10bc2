// A branch's name in what operations take: one that git would take (git-check-ref-format). Whether there is such a branch is for others to say.

import { z } from "zod";

const never = [/[\p{Cc} ~^:?*[\\]/u, /\.\.|\/\/|@\{/, /^[-/]|[/.]$/, /(?:^|\/)\.|\.lock(?:\/|$)/, /^(?:@|HEAD)$/];

export const branchShape = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => !never.some((pattern) => pattern.test(name)), "must be a name that git takes for a branch");
