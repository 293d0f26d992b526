import type { Form, User } from '../api/queries.ts';
import type { SettingGroup } from './setting.ts';

const CODE = 200_000;

export const ADVANCED: readonly SettingGroup[] = [
  {
    title: 'Organise',
    settings: [
      {
        key: 'slug',
        label: 'Name in the link',
        hint: 'Lowercase letters, digits and hyphens. Links given out before go on leading here.',
        kind: 'text',
        maxLength: 255,
        isRequired: true,
        isCode: true,
      },
      {
        key: 'custom_domain',
        label: 'Own domain',
        hint: 'Links to the form begin with it, where your operator leads it here.',
        kind: 'text',
        maxLength: 255,
        placeholder: 'forms.example.com',
        isCode: true,
        withoutEffect: domainWithoutEffect,
      },
      {
        key: 'tags',
        label: 'Tags',
        hint: 'To find the form again. Separate them with commas.',
        kind: 'own',
        part: 'tags',
      },
    ],
  },
  {
    title: 'Style sheet and code',
    settings: [
      {
        key: 'custom_css',
        label: 'Own CSS',
        hint: 'Comes after the form’s own styles.',
        kind: 'long',
        rows: 6,
        maxLength: CODE,
        isCode: true,
      },
      {
        key: 'custom_code',
        label: 'Own HTML and scripts',
        hint: 'Runs in a frame of its own below the form, where your operator allows it.',
        kind: 'long',
        rows: 6,
        maxLength: CODE,
        isCode: true,
        adminsOnly: 'Only admins of the workspace may add code to a form.',
        withoutEffect: codeWithoutEffect,
      },
    ],
  },
  {
    title: 'Kept for other programs',
    description:
      'Programs made for this family of APIs read and write these. This service stores them and does nothing with them.',
    settings: [
      {
        key: 'analytics',
        member: 'provider',
        label: 'Visitor tracking',
        kind: 'choice',
        nullName: 'None',
        options: [
          ['meta_pixel', 'Meta Pixel'],
          ['google_analytics', 'Google Analytics'],
          ['gtm', 'Google Tag Manager'],
        ],
      },
      {
        key: 'analytics',
        member: 'tracking_id',
        label: 'Tracking id',
        kind: 'text',
        maxLength: 50,
        isCode: true,
        when: ({ analytics }) => Boolean(analytics.provider),
      },
      { key: 'enable_ip_tracking', label: 'Record network addresses', kind: 'switch' },
      { key: 'pdf_download_enabled', label: 'Offer answers as PDF', kind: 'switch' },
      {
        key: 'pdf_download_button_text',
        label: 'Button for the PDF',
        kind: 'text',
        maxLength: 50,
        when: ({ pdf_download_enabled: isOn }) => isOn,
      },
      {
        key: 'database_fields_update',
        label: 'Questions that find an earlier answer',
        kind: 'own',
        part: 'record-fields',
      },
    ],
  },
];

function domainWithoutEffect({ custom_domain: domain, share_url }: Form): string | null {
  const { origin } = new URL(share_url);
  const [, , host = ''] = share_url.split('/');
  if (!domain || host.replace(/:\d+$/, '') === domain) return null;
  return `Saved, but without effect: links to the form still begin with ${origin}. Your operator has to list ${domain} in FORM_DOMAINS, and lead it here.`;
}

function codeWithoutEffect({ custom_code: code }: Form, { service_runs_code: runs }: User): string | null {
  if (!code || runs) return null;
  return 'Saved, but without effect: this service runs no code of forms. Your operator has to set CUSTOM_CODE to on.';
}
