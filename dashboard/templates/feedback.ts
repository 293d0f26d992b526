import { ask, HALF, is, LONG, must, of, page, radios, when } from './blocks.ts';
import type { Template } from './template.ts';

const AGREEMENT = ['Disagree', 'Rather disagree', 'Neutral', 'Rather agree', 'Agree'];

/** A point for each right answer; a question with several choices needs exactly the right ones. */
const SCORE = `IF({planet} = "Jupiter", 1, 0) + IF({river} = "Danube", 1, 0) + IF({year} = 1969, 1, 0)
  + IF(AND(COUNT({primes}) = 3, CONTAINS({primes}, "2"), CONTAINS({primes}, "11"), CONTAINS({primes}, "17")), 1, 0)`;

export const FEEDBACK_TEMPLATES: readonly Template[] = [
  {
    key: 'feedback',
    name: 'Feedback',
    purpose: 'Learn what people like and what they miss.',
    group: 'Feedback',
    form: {
      title: 'Your feedback',
      description: 'It takes two minutes and helps us a lot.',
      submit_button_text: 'Send feedback',
      submitted_text: 'Thank you! We read every answer.',
      properties: [
        must('rating', 'rating', 'How do you like it so far?'),
        when(
          is('rating', 'rating', 3, 'less_than_or_equal_to'),
          ask('wrong', 'text', 'What went wrong?', LONG),
        ),
        ask('liked', 'text', 'What do you like best?', LONG),
        ask('missing', 'text', 'What should we do better?', LONG),
        ask('again', 'select', 'Would you come back?', radios('Yes', 'Perhaps', 'No')),
        ask('email', 'email', 'E-mail, if we may get back to you'),
      ],
    },
  },
  {
    key: 'nps',
    name: 'Net Promoter Score',
    purpose: 'One number, and the reason for it.',
    group: 'Feedback',
    form: {
      title: 'How are we doing?',
      presentation_style: 'focused',
      submit_button_text: 'Send',
      submitted_text: 'Thank you for your time!',
      properties: [
        must('score', 'scale', 'How likely are you to recommend us to a friend or colleague?', {
          scale_min_value: 0,
          scale_max_value: 10,
          scale_min_label: 'Not at all likely',
          scale_max_label: 'Extremely likely',
        }),
        when(
          is('score', 'scale', 6, 'less_than_or_equal_to'),
          ask('better', 'text', 'What disappointed you?', LONG),
        ),
        when(
          is('score', 'scale', 9, 'greater_than_or_equal_to'),
          ask('best', 'text', 'What do you like most?', LONG),
        ),
        ask('reason', 'text', 'What is the main reason for your score?', LONG),
      ],
    },
  },
  {
    key: 'survey',
    name: 'Customer survey',
    purpose: 'A survey of several pages with matrix, ranking and choices.',
    group: 'Feedback',
    form: {
      title: 'Customer survey',
      description: 'About five minutes. Your answers are anonymous.',
      show_progress_bar: true,
      submitted_text: 'Thank you for taking part.',
      properties: [
        must(
          'since',
          'select',
          'How long have you been a customer?',
          radios('Less than a month', 'Up to a year', 'Longer'),
        ),
        must(
          'often',
          'select',
          'How often do you use our product?',
          radios('Daily', 'Weekly', 'Monthly', 'Rarely'),
        ),
        ask('uses', 'multi_select', 'What do you use it for?', {
          ...of('multi_select', 'Work', 'Private', 'School'),
          allow_creation: true,
        }),
        page('p2'),
        must('agree', 'matrix', 'How far do you agree?', {
          rows: [
            'It is easy to use',
            'It does what I need',
            'It is worth its price',
            'Support helps quickly',
          ],
          columns: AGREEMENT,
        }),
        ask('overall', 'rating', 'All in all'),
        page('p3'),
        ask(
          'next',
          'ranking',
          'What should we work on first?',
          of('ranking', 'Speed', 'Price', 'Looks', 'Support'),
        ),
        ask('change', 'text', 'If you could change one thing, what would it be?', LONG),
        ask(
          'age',
          'select',
          'Your age',
          of('select', 'Under 18', '18 to 29', '30 to 44', '45 to 59', '60 or older'),
        ),
        ask('country', 'text', 'Country you live in', { autocomplete: 'country-name' }),
      ],
    },
  },
  {
    key: 'course',
    name: 'Course evaluation',
    purpose: 'How a course was, from those who took it.',
    group: 'Learning',
    form: {
      title: 'Course evaluation',
      description: 'Anonymous. Read by the teachers after the grades are given.',
      submitted_text: 'Thank you. The next course will be better for it.',
      properties: [
        must('course', 'text', 'Course', HALF),
        ask('teacher', 'text', 'Teacher', HALF),
        must('statements', 'matrix', 'How far do you agree?', {
          rows: [
            'The goals were clear',
            'The pace was right',
            'The material was good',
            'I could ask questions',
            'I learned a lot',
          ],
          columns: AGREEMENT,
        }),
        ask('effort', 'scale', 'Hours of work a week besides the lessons', {
          scale_min_value: 0,
          scale_max_value: 10,
        }),
        must('rating', 'rating', 'All in all'),
        ask('best', 'text', 'What was best?', LONG),
        ask('worst', 'text', 'What should change?', LONG),
        ask('recommend', 'select', 'Would you recommend the course?', radios('Yes', 'No')),
      ],
    },
  },
  {
    key: 'quiz',
    name: 'Quiz',
    purpose: 'Questions one at a time, and at the end how many were right.',
    group: 'Learning',
    form: {
      title: 'A small quiz',
      presentation_style: 'focused',
      show_progress_bar: true,
      confetti_on_submission: true,
      submit_button_text: 'Hand in',
      submitted_text:
        '<p>Your answers were handed in. You got <span mention="true" mention-field-id="cv_score" mention-fallback="0">Score</span> of 4.</p>',
      computed_variables: [{ id: 'cv_score', name: 'Score', formula: SCORE, result_type: 'number' }],
      properties: [
        must('name', 'text', 'What is your name?', { autocomplete: 'name' }),
        must(
          'planet',
          'select',
          'Which planet is the largest of our solar system?',
          radios('Earth', 'Jupiter', 'Saturn', 'Mars'),
        ),
        must(
          'river',
          'select',
          'Which river flows through Vienna, Budapest and Belgrade?',
          radios('Rhine', 'Danube', 'Elbe', 'Vistula'),
        ),
        must('primes', 'multi_select', 'Which of these are prime numbers?', {
          ...of('multi_select', '2', '9', '11', '15', '17'),
          help: 'There is more than one.',
        }),
        must('year', 'number', 'In which year did people first walk on the Moon?'),
        ask('sure', 'slider', 'How sure are you of your answers, in percent?', {
          slider_min_value: 0,
          slider_max_value: 100,
          slider_step_value: 5,
        }),
      ],
    },
  },
];
