// The words behind /up and /down, the same in every program. The work is done by code; the model only reads and summarises.

interface CommandText {
  readonly description: string;
  readonly body: (args: string) => string;
}

export const upText: CommandText = {
  description: "Begin a constel session",
  body: (args) =>
    `Run \`constel session up\` now and read all it prints. Then say in a few lines what the notes say you were doing and what comes next. Do nothing else until a message asks for it.\n${args === "" ? "" : `\n${args}\n`}`,
};

export const downText: CommandText = {
  description: "End a constel session and leave notes",
  body: (args) =>
    `Write down this session for whoever takes over: run \`constel session down --did "<what was done>" --why "<why it was done so>" --pickup "<where to go on>"\` with your own words in the three places, short and concrete. Then stop.\n${args === "" ? "" : `\n${args}\n`}`,
};
