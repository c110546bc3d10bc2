/** The kind of the message in which constel sends what a worker said at the end of its turn. It is not answered in turn. */
export const answerKind = "answer";
