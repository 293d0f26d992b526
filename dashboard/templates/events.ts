import { ask, HALF, is, LONG, must, of, page, radios, repeated, text, when } from './blocks.ts';
import type { Template } from './template.ts';

const FOOD = of('multi_select', 'Vegetarian', 'Vegan', 'No gluten', 'No nuts');

export const EVENT_TEMPLATES: readonly Template[] = [
  {
    key: 'event',
    name: 'Event registration',
    purpose: 'Names, tickets and special needs of those who come.',
    group: 'Events',
    form: {
      title: 'Register for the event',
      description: 'Tell us who comes and what you would like to take part in.',
      submit_button_text: 'Register',
      submitted_text: 'You are registered. See you there!',
      properties: [
        must('name', 'text', 'Your name', { ...HALF, autocomplete: 'name' }),
        must('email', 'email', 'E-mail', HALF),
        ask('company', 'text', 'Organisation', { autocomplete: 'organization' }),
        must('ticket', 'select', 'Ticket', radios('Both days', 'First day', 'Second day', 'Online')),
        ask('workshops', 'multi_select', 'Workshops', {
          ...of('multi_select', 'Morning: Basics', 'Morning: Advanced', 'Afternoon: Hands on'),
          max_selection: 2,
        }),
        when(
          is('ticket', 'select', 'Online', 'does_not_equal'),
          ask('food', 'select', 'Food', of('select', 'Everything', 'Vegetarian', 'Vegan', 'Something else')),
        ),
        ask('needs', 'text', 'What do you need to take part well?', LONG),
        must('terms', 'checkbox', 'I agree to the terms of the event'),
      ],
    },
  },
  {
    key: 'rsvp',
    name: 'RSVP',
    purpose: 'Who comes to the party, and what they eat.',
    group: 'Events',
    form: {
      title: 'Will you come?',
      description: 'Please answer by the end of the month.',
      submit_button_text: 'Answer',
      submitted_text: 'Thank you for letting us know!',
      confetti_on_submission: true,
      properties: [
        must('name', 'text', 'Your name', { autocomplete: 'name' }),
        must('coming', 'select', 'Will you come?', radios('Yes, with pleasure', 'Sorry, I cannot')),
        when(
          is('coming', 'select', 'Yes, with pleasure'),
          ask('food', 'multi_select', 'Anything we should know about food?', FOOD),
        ),
        when(
          is('coming', 'select', 'Yes, with pleasure'),
          repeated('guests', 'Who comes with you?', 'Guest', [
            must('guest', 'text', 'Name', HALF),
            ask('guest-food', 'multi_select', 'Food', { ...FOOD, ...HALF }),
          ]),
        ),
        ask('song', 'text', 'A song you want to hear'),
        ask('words', 'text', 'Words for us', LONG),
      ],
    },
  },
  {
    key: 'volunteer',
    name: 'Volunteer sign-up',
    purpose: 'Find out who helps where and when.',
    group: 'Events',
    form: {
      title: 'Become a volunteer',
      description: 'Every hour helps.',
      submit_button_text: 'I want to help',
      submitted_text: 'Wonderful! We will write to you soon.',
      properties: [
        must('name', 'text', 'Your name', { autocomplete: 'name' }),
        must('email', 'email', 'E-mail', HALF),
        ask('phone', 'phone_number', 'Phone', HALF),
        must('areas', 'multi_select', 'Where would you like to help?', {
          ...of('multi_select', 'Setting up', 'Welcome desk', 'Kitchen', 'Children', 'Clearing away'),
          min_selection: 1,
        }),
        must('times', 'matrix', 'When could you come?', {
          rows: ['Friday', 'Saturday', 'Sunday'],
          columns: ['Not at all', 'Morning', 'Afternoon', 'All day'],
        }),
        ask('experience', 'text', 'What have you done before?', LONG),
        ask('shirt', 'select', 'T-shirt size', of('select', 'XS', 'S', 'M', 'L', 'XL', 'XXL')),
        must('adult', 'checkbox', 'I am 18 or older'),
      ],
    },
  },
  {
    key: 'job',
    name: 'Job application',
    purpose: 'Applications with documents, on three pages; deleted after six months.',
    group: 'Work',
    form: {
      title: 'Apply for a job',
      description: 'About ten minutes. You need your CV as a file.',
      show_progress_bar: true,
      submit_button_text: 'Send application',
      // Six months, as the text on the last page says.
      submission_retention_value: 6,
      submission_retention_unit: 'month',
      submitted_text: 'Thank you for your application. You will hear from us within two weeks.',
      properties: [
        must('name', 'text', 'Your name', { autocomplete: 'name' }),
        must('email', 'email', 'E-mail', HALF),
        must('phone', 'phone_number', 'Phone', HALF),
        ask('city', 'text', 'Where do you live?', { autocomplete: 'address-level2' }),
        page('p2', 'Experience'),
        must(
          'position',
          'select',
          'Position',
          of('select', 'Engineer', 'Designer', 'Support', 'Something else'),
        ),
        when(
          is('position', 'select', 'Something else'),
          must('position-other', 'text', 'What would you like to do?'),
        ),
        must('years', 'number', 'Years of experience', HALF),
        ask('start', 'date', 'Earliest start', { ...HALF, disable_past_dates: true }),
        ask('portfolio', 'url', 'Portfolio or profile'),
        must('cv', 'files', 'CV', { allowed_file_types: 'pdf,doc,docx,odt', max_file_size: 10 }),
        page('p3', 'Last page'),
        must('why', 'text', 'Why do you want to work with us?', {
          ...LONG,
          max_char_limit: 3000,
          show_char_limit: true,
        }),
        ask('letter', 'files', 'More documents', { multiple: true, allowed_file_types: 'pdf' }),
        text('privacy', '<p>We keep your application for six months, and share it with nobody.</p>'),
        must('consent', 'checkbox', 'I agree that my data is used for this application'),
      ],
    },
  },
  {
    key: 'order',
    name: 'Order',
    purpose: 'A simple order with delivery or collection.',
    group: 'Shop',
    form: {
      title: 'Place an order',
      description: 'We confirm your order and its price by e-mail.',
      submit_button_text: 'Order',
      submitted_text: 'Thank you for your order. We will confirm it by e-mail.',
      properties: [
        { ...ask('number', 'text', 'Order number', { generates_auto_increment_id: true }), hidden: true },
        must('product', 'select', 'What would you like?', radios('Small box', 'Large box', 'Gift card')),
        must('quantity', 'number', 'How many?', { ...HALF, prefill: 1 }),
        must('day', 'date', 'For which day?', { ...HALF, disable_past_dates: true }),
        must('way', 'select', 'How do you get it?', radios('I collect it', 'Please deliver it')),
        when(
          is('way', 'select', 'Please deliver it'),
          must('address', 'text', 'Address', { ...LONG, autocomplete: 'street-address' }),
        ),
        must('name', 'text', 'Your name', { autocomplete: 'name' }),
        must('email', 'email', 'E-mail', HALF),
        ask('phone', 'phone_number', 'Phone', HALF),
        ask('notes', 'text', 'Anything else?', LONG),
      ],
    },
  },
];
