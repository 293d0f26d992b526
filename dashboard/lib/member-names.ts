/** Members of a form that are not called what they are in the dashboard. */
const NAMES: Record<string, string> = {
  properties: 'questions',
  max_submissions_count: 'limit of answers',
  slug: 'name in the link',
};

/** What a member of a form is called in a sentence. */
export function memberName(member: string): string {
  return NAMES[member] ?? member.replaceAll('_', ' ');
}
