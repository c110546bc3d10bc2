// The row of a compiled language: random merges, judged by its compiler, in a process of its own (eval/semantic-compiled.ts).

import { join } from "node:path";
import type { Measure } from "../../../../eval/language-cases.ts";
import type { Tally } from "../../../../eval/judge-scenarios.ts";

export function judgedByCompiler(language: string, compiler: string): Measure {
  return {
    what: "judged by its compiler",
    isExact: false,
    judge: compiler,
    async run(quick) {
      const script = join(import.meta.dir, "../../../../eval/semantic-compiled.ts");
      const flags = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
      const asked = ["--json", "--language", language, "--random", quick ? "24" : "400"];
      const child = Bun.spawn([process.execPath, ...flags, script, ...asked], { stdout: "pipe" });
      const printed = await new Response(child.stdout).text();
      const scores = Object.values(JSON.parse(printed) as Record<string, Tally | null>).filter((one) => one !== null);
      const sum = (of: keyof Tally): number => scores.reduce((total, score) => total + score[of], 0);
      if (scores.length === 0) return undefined;
      return { tally: { cases: sum("cases"), right: sum("right"), wrong: sum("wrong"), missed: sum("missed") } };
    },
  };
}
