// Every language that constel reads. This is the only list: everything else asks it.

import { go } from "./go/go.ts";
import { java } from "./java/java.ts";
import type { Language } from "./language.ts";
import { python } from "./python/python.ts";
import { rust } from "./rust/rust.ts";
import { typescript } from "./typescript/typescript.ts";

export const languages: readonly Language[] = [typescript, python, go, java, rust];
