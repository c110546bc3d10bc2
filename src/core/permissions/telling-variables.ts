// Variables by which programs are told to run another: a pager, an editor, a loader's libraries, what a shell reads first. Setting one of
// them for a command makes it another command.

const names = new RegExp(
  `^(?:${[
    "GIT_(?!AUTHOR_|COMMITTER_|TERMINAL_PROMPT|MERGE_AUTOEDIT|OPTIONAL_LOCKS).*",
    ".*PAGER|.*EDITOR|VISUAL|BROWSER|.*ASKPASS|LESS(?:OPEN|CLOSE|KEY.*)?|MANOPT|MORE",
    "PATH|(?:NODE|PYTHON|RUBY|PERL5?|CLASS|GO|LUA_|CD)_?(?:PATH|LIB|OPT.*|DB)|.*_?LIBRARY_PATH|LD_.*|DYLD_.*",
    "SHELL|BASH_ENV|ENV|ZDOTDIR|IFS|PROMPT_COMMAND|PS[0-4]|SHELLOPTS|BASHOPTS|BASH_FUNC.*",
    "(?:NODE|JAVA_TOOL|_JAVA|JDK_JAVA|MAVEN|GRADLE|RUBY|PERL5|PYTHON|RUST|RUSTC|RUSTDOC|GO|MAKE)_?(?:OPTIONS|OPTS|OPT|FLAGS|FILES|STARTUP|HOME|WRAPPER)",
    "MAKE(?:FLAGS|FILES)|GNUMAKEFLAGS|MFLAGS|CC|CXX|CPP|LD|AR|AS|RUSTC|.*_(?:WRAPPER|RUNNER|LINKER|COMMAND|CMD|HOOK|SHELL|EXEC|PRELOAD)",
    "npm_.*|NPM_CONFIG_.*|YARN_.*|BUN_.*|UV_.*|PIP_.*|RSYNC_RSH|CVS_RSH|SVN_SSH|SUDO_.*|SSH_.*|TAR_OPTIONS|GREP_OPTIONS|RIPGREP_CONFIG_PATH|FZF_.*|FD_.*",
    "HOME|XDG_CONFIG.*|EXINIT|VIMINIT|INPUTRC|TERMINFO.*|GCONV_PATH|NLSPATH|OPENSSL_CONF|PYTHON.*|PERL.*|RUBY.*",
  ].join("|")})$`,
  "i",
);

/** Tells whether `NAME=value`, as it is written, sets such a variable. */
export function setsProgram(assignment: string): boolean {
  const name = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/.exec(assignment)?.[1];
  return name !== undefined && names.test(name);
}
