/** Members of a form whose name in the dashboard is another. */
const NAMES: Record<string, string> = {
  properties: 'questions',
  max_submissions_count: 'limit on responses',
  slug: 'name in the link',
};

/** The name of a form's member in a sentence. */
export function memberName(member: string): string {
  return NAMES[member] ?? member.replaceAll('_', ' ');
}
