import type { SettingGroup } from './setting.ts';

/** Characters of a picture's address. */
const ADDRESS = 2_048;
const BUTTON = 50;

export const APPEARANCE: readonly SettingGroup[] = [
  {
    title: 'Style',
    settings: [
      {
        key: 'theme',
        label: 'Theme',
        kind: 'choice',
        options: [
          ['default', 'Default'],
          ['simple', 'Simple'],
          ['notion', 'Notion'],
          ['minimal', 'Minimal'],
          ['transparent', 'Transparent'],
        ],
      },
      {
        key: 'color',
        label: 'Color',
        hint: 'Buttons and marks. Made darker or lighter where it could not be read.',
        kind: 'color',
      },
      {
        key: 'dark_mode',
        label: 'Light or dark',
        kind: 'choice',
        options: [
          ['auto', 'As the visitor’s device'],
          ['light', 'Always light'],
          ['dark', 'Always dark'],
        ],
      },
      {
        key: 'size',
        label: 'Size',
        kind: 'choice',
        options: [
          ['sm', 'Small'],
          ['md', 'Medium'],
          ['lg', 'Large'],
        ],
      },
      {
        key: 'border_radius',
        label: 'Corners',
        kind: 'choice',
        options: [
          ['none', 'Sharp'],
          ['small', 'Slightly round'],
          ['full', 'Round'],
        ],
      },
      {
        key: 'width',
        label: 'Width',
        kind: 'choice',
        options: [
          ['centered', 'Centered column'],
          ['full', 'Full width'],
        ],
      },
      {
        key: 'font_family',
        label: 'Font',
        hint: 'A font that visitors have installed; nothing is loaded from elsewhere.',
        kind: 'text',
        maxLength: 255,
        placeholder: 'The system’s font',
      },
      { key: 'uppercase_labels', label: 'Questions in capital letters', kind: 'switch' },
      {
        key: 'layout_rtl',
        label: 'From right to left',
        hint: 'Languages such as Arabic do so by themselves.',
        kind: 'switch',
      },
      {
        key: 'transparent_background',
        label: 'Transparent background',
        hint: 'For forms shown inside another page.',
        kind: 'switch',
      },
      { key: 'no_branding', label: 'Hide “made with Formstead”', kind: 'switch' },
    ],
  },
  {
    title: 'Layout',
    settings: [
      {
        key: 'presentation_style',
        label: 'Questions',
        kind: 'choice',
        options: [
          ['classic', 'Page by page'],
          ['focused', 'One question at a time'],
        ],
      },
      {
        key: 'settings',
        member: 'navigation_arrows',
        label: 'Arrows to go back and forth',
        kind: 'switch',
        when: ({ presentation_style: style }) => style === 'focused',
      },
      {
        key: 'settings',
        member: 'auto_next',
        label: 'Go on as soon as one choice is made',
        kind: 'switch',
        when: ({ presentation_style: style }) => style === 'focused',
      },
      {
        key: 'show_progress_bar',
        label: 'Show progress',
        hint: 'Where there is more than one page.',
        kind: 'switch',
      },
      { key: 'auto_focus', label: 'Put the cursor into the first question', kind: 'switch' },
    ],
  },
  {
    title: 'Pictures',
    settings: [
      {
        key: 'logo_picture',
        label: 'Logo',
        kind: 'picture',
        maxLength: ADDRESS,
      },
      {
        key: 'cover_picture',
        label: 'Cover',
        hint: 'Shown above the form.',
        kind: 'picture',
        maxLength: ADDRESS,
      },
      {
        key: 'cover_settings',
        member: 'focal_point',
        label: 'Part of the cover that stays in view',
        kind: 'own',
        part: 'focal-point',
        when: hasCover,
      },
      {
        key: 'cover_settings',
        member: 'brightness',
        label: 'Brightness of the cover',
        kind: 'range',
        min: -100,
        max: 100,
        unit: '%',
        usual: 0,
        when: hasCover,
      },
    ],
  },
];

export const TEXTS: readonly SettingGroup[] = [
  {
    title: 'The form in words',
    description: 'Its language, and the same texts in others, stand under Languages.',
    settings: [
      { key: 'title', label: 'Title', kind: 'text', maxLength: 255, isRequired: true },
      {
        key: 'description',
        label: 'Description',
        hint: 'Shown below the title.',
        kind: 'long',
        maxLength: 2_000,
      },
      {
        key: 'submit_button_text',
        label: 'Button to send',
        kind: 'text',
        maxLength: BUTTON,
        placeholder: 'In the form’s language',
      },
    ],
  },
];

function hasCover({ cover_picture: cover }: { cover_picture: string | null }): boolean {
  return Boolean(cover);
}
