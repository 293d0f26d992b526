import type { SettingGroup } from './setting.ts';

const SHORT = 255;

export const SEARCH: readonly SettingGroup[] = [
  {
    title: 'Search engines and link previews',
    settings: [
      {
        key: 'can_be_indexed',
        label: 'Search engines may list this form',
        hint: 'Closed, protected and draft forms are never listed.',
        kind: 'switch',
      },
      {
        key: 'seo_meta',
        member: 'page_title',
        label: 'Title',
        kind: 'text',
        maxLength: SHORT,
        placeholder: 'The form’s title',
      },
      {
        key: 'seo_meta',
        member: 'page_description',
        label: 'Description',
        kind: 'long',
        maxLength: 1_000,
        rows: 3,
      },
      {
        key: 'seo_meta',
        member: 'site_name',
        label: 'Name of your site',
        kind: 'text',
        maxLength: SHORT,
      },
      {
        key: 'seo_meta',
        member: 'page_thumbnail',
        label: 'Picture',
        hint: 'For previews in messengers and networks.',
        kind: 'picture',
        maxLength: 2_048,
      },
      {
        key: 'seo_meta',
        member: 'page_favicon',
        label: 'Icon in the browser’s tab',
        kind: 'picture',
        maxLength: 2_048,
      },
    ],
  },
];
