/** A problem that the user has to correct in the file. */
export class UnreadableFile extends Error {}
