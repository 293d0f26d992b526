/** Something about the file that whoever chose it has to mend. */
export class UnreadableFile extends Error {}
