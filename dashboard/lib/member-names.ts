/** Members of a form whose name in the dashboard is another. */
const NAMES: Record<string, string> = {
  properties: 'questions',
  max_submissions_count: 'limit on responses',
  slug: 'name in the link',
  computed_variables: 'calculations',
  translations: 'other languages',
  visibility: 'state',
  submitted_text: 'thank-you text',
  redirect_url: 'address after sending',
  re_fillable: 'filling in again',
  editable_submissions: 'changes by respondents',
  enable_partial_submissions: 'unfinished answers',
  submission_retention_value: 'retention',
  submission_retention_unit: 'unit of the retention',
  auto_save: 'keeping answers in the browser',
  use_captcha: 'captcha',
  can_be_indexed: 'listing by search engines',
  seo_meta: 'link preview',
  no_branding: '“made with Formstead”',
  layout_rtl: 'direction of the page',
  dark_mode: 'light or dark',
  presentation_style: 'page by page or one at a time',
  enable_ip_tracking: 'network addresses',
};

/** The name of a form's member in a sentence. */
export function memberName(member: string): string {
  return NAMES[member] ?? member.replaceAll('_', ' ');
}
