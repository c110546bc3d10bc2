// Languages that constel meets and does not read: there only the text of a merge was compared, and a silence says so. Scripts
// and markup whose files rarely lean on each other (shell, SQL, HTML, CSS) are left out: text is all there is to compare.

export interface UnreadLanguage {
  /** As people write it. */
  readonly title: string;
  readonly files: RegExp;
  /** Languages of ours, by name, whose definitions its files may use. */
  readonly uses: readonly string[];
}

export const unreadLanguages: readonly UnreadLanguage[] = [
  { title: "Ruby", files: /\.(rb|rake|erb|gemspec)$/, uses: [] },
  { title: "Kotlin", files: /\.kts?$/, uses: ["java"] },
  { title: "Scala", files: /\.(scala|sc)$/, uses: ["java"] },
  { title: "Groovy", files: /\.(groovy|gradle)$/, uses: ["java"] },
  { title: "C#", files: /\.(cs|csx|razor|cshtml)$/, uses: [] },
  { title: "F#", files: /\.fs[xi]?$/, uses: [] },
  { title: "Visual Basic", files: /\.vb$/, uses: [] },
  { title: "C and C++", files: /\.(c|cc|cpp|cxx|h|hh|hpp|hxx|inl|ipp|cu|cuh)$/, uses: [] },
  { title: "Objective-C", files: /\.mm?$/, uses: [] },
  { title: "PHP", files: /\.(php|phtml)$/, uses: [] },
  { title: "Swift", files: /\.swift$/, uses: [] },
  { title: "Dart", files: /\.dart$/, uses: [] },
  { title: "Elixir", files: /\.(ex|exs|heex)$/, uses: [] },
  { title: "Erlang", files: /\.[eh]rl$/, uses: [] },
  { title: "Clojure", files: /\.clj[cs]?$/, uses: ["java"] },
  { title: "Haskell", files: /\.l?hs$/, uses: [] },
  { title: "OCaml", files: /\.mli?$/, uses: [] },
  { title: "Lua", files: /\.lua$/, uses: [] },
  { title: "Perl", files: /\.p[lm]$/, uses: [] },
  { title: "R", files: /\.[rR]$/, uses: [] },
  { title: "Julia", files: /\.jl$/, uses: [] },
  { title: "Zig", files: /\.zig$/, uses: [] },
  { title: "Nim", files: /\.nim$/, uses: [] },
  { title: "Solidity", files: /\.sol$/, uses: [] },
  { title: "Vue", files: /\.vue$/, uses: ["typescript"] },
  { title: "Svelte", files: /\.svelte$/, uses: ["typescript"] },
  { title: "Astro", files: /\.astro$/, uses: ["typescript"] },
  { title: "MDX", files: /\.mdx$/, uses: ["typescript"] },
  { title: "Jupyter", files: /\.ipynb$/, uses: ["python"] },
  { title: "Cython", files: /\.px[di]$|\.pyx$/, uses: ["python"] },
];
