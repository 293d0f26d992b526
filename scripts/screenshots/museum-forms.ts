import { COVER_ADDRESS } from './guest-forms.ts';

// Forms that a small museum may have.

export const SURVEY = {
  title: 'Visitor survey',
  slug: 'visitor-survey',
  description: 'Two minutes that help us a lot. Thank you for coming!',
  tags: ['visitors', '2026'],
  color: '#2f6f68',
  cover_picture: COVER_ADDRESS,
  show_progress_bar: true,
  enable_partial_submissions: true,
  submit_button_text: 'Send answers',
  submitted_text: 'Thank you! We read every answer.',
  endings: [
    {
      name: 'Disappointed',
      conditions: when('stars', 'rating', 'less_than_or_equal_to', 2),
      submitted_text:
        '<p>We are sorry that you did not like it, and will look into what you wrote. Your next visit is on us: show this page at the desk.</p>',
    },
    {
      name: 'Would recommend us',
      conditions: when('recommend', 'scale', 'greater_than_or_equal_to', 9),
      redirect_url: 'https://museum.example.org/friends',
    },
  ],
  properties: [
    field('name', 'text', 'Your name', { required: true, width: '1/2' }),
    field('mail', 'email', 'E-mail', { width: '1/2', placeholder: 'ada@example.com' }),
    select('found', 'How did you hear about us?', [
      'Friends',
      'Poster',
      'Newspaper',
      'Social media',
      'Passing by',
    ]),
    field('seen', 'multi_select', 'What did you see?', {
      multi_select: options('Paintings', 'Sculptures', 'Garden', 'Special exhibition'),
    }),
    field('party', 'number', 'How many were you?'),
    { id: 'page', type: 'nf-page-break', name: 'Your opinion', next_btn_text: 'Go on' },
    field('stars', 'rating', 'How did you like it?', { required: true, rating_max_value: 5 }),
    field('recommend', 'scale', 'How likely are you to recommend us?', {
      scale_min_value: 0,
      scale_max_value: 10,
      scale_step_value: 1,
    }),
    field('better', 'text', 'What should we do better?', {
      multi_lines: true,
      hidden: true,
      logic: {
        conditions: when('stars', 'rating', 'less_than_or_equal_to', 3),
        actions: ['show-block'],
      },
    }),
    field('best', 'text', 'What will you remember?', { multi_lines: true }),
    field('write', 'checkbox', 'You may write to me about exhibitions'),
  ],
};

export const SCHOOLS = {
  title: 'School visits: book a guided tour',
  slug: 'school-visits',
  tags: ['schools'],
  properties: [
    field('school', 'text', 'School', { required: true }),
    field('mail', 'email', 'E-mail of the teacher', { required: true }),
    field('pupils', 'number', 'Number of pupils', { required: true }),
    select('tour', 'Tour', ['The river and the town', 'Painting with light', 'From stone to statue']),
  ],
  translations: {
    fr: {
      title: 'Visites scolaires : réservez une visite guidée',
      properties: { school: { name: 'École' } },
    },
    de: {
      title: 'Schulbesuche: Führung buchen',
      properties: {
        school: { name: 'Schule' },
        mail: { name: 'E-Mail der Lehrkraft' },
        tour: { name: 'Führung', labels: { 'The river and the town': 'Der Fluss und die Stadt' } },
      },
    },
  },
};

export const CONCERT = {
  title: 'Summer concert in the garden',
  slug: 'summer-concert',
  tags: ['events', '2026'],
  max_submissions_count: 80,
  properties: [
    field('name', 'text', 'Your name', { required: true }),
    field('seats', 'number', 'Seats', { required: true }),
  ],
};

/** Changes of the form, one after another. */
export const CONCERT_CHANGES = [
  {
    properties: [
      field('name', 'text', 'Your name', { required: true }),
      field('mail', 'email', 'Your e-mail', { required: true }),
      field('seats', 'number', 'How many seats?', { required: true }),
    ],
  },
  { color: '#15803d', submitted_text: 'See you in the garden!' },
];

export const VOLUNTEERS = {
  title: 'Become a volunteer',
  slug: 'volunteers',
  tags: ['team'],
  properties: [
    field('name', 'text', 'Your name', { required: true }),
    select('area', 'Where would you like to help?', ['Welcome desk', 'Garden', 'Archive', 'Children']),
  ],
};

export const ARABIC_SURVEY = {
  title: 'استبيان الزوار',
  slug: 'visitor-survey-ar',
  language: 'ar',
  tags: ['visitors'],
  properties: [
    field('name', 'text', 'اسمك', { required: true }),
    field('stars', 'rating', 'هل أعجبك المتحف؟', { rating_max_value: 5 }),
  ],
};

export const NIGHT = {
  title: 'Long night of museums: feedback',
  visibility: 'draft',
  tags: ['events'],
  properties: [field('stars', 'rating', 'How was your night?', { rating_max_value: 5 })],
};

/** One condition. */
function when(id: string, type: string, operator: string, value: number) {
  return {
    operatorIdentifier: 'and',
    children: [{ identifier: id, value: { operator, property_meta: { id, type }, value } }],
  };
}

function field(id: string, type: string, name: string, more: object = {}): object {
  return { id, type, name, hidden: false, required: false, ...more };
}

function select(id: string, name: string, names: string[]): object {
  return field(id, 'select', name, { select: options(...names), without_dropdown: true, required: true });
}

function options(...names: string[]): object {
  return { options: names.map((name) => ({ id: name, name })) };
}
