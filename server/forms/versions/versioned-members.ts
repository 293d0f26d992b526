import type { FormInput } from '../schemas.ts';

/**
 * Members that a version contains: questions, computed variables, texts of the page and its look. Others stay as they are when a version
 * is restored: the address, the password, who may answer, how often and until when, what is done with answers and how long they are
 * kept, what search engines and analytics are told, and translations, which find their texts by block and name.
 */
export const VERSIONED_MEMBERS = [
  'title',
  'description',
  'language',
  'properties',
  'computed_variables',
  'theme',
  'presentation_style',
  'width',
  'size',
  'border_radius',
  'dark_mode',
  'font_family',
  'color',
  'layout_rtl',
  'uppercase_labels',
  'no_branding',
  'transparent_background',
  'logo_picture',
  'cover_picture',
  'cover_settings',
  'custom_css',
  'custom_code',
  'show_progress_bar',
  'submit_button_text',
  'submitted_text',
  'endings',
  'confetti_on_submission',
  're_fill_button_text',
  'pdf_download_button_text',
  'editable_submissions_button_text',
  'closed_text',
  'max_submissions_reached_text',
] as const satisfies (keyof FormInput)[];
