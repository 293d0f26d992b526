/** A drawn cover, which needs no photographer: hills in the evening. */
export const COVER = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 240" preserveAspectRatio="xMidYMid slice">
<rect width="960" height="240" fill="#f6d9c4"/><circle cx="690" cy="120" r="52" fill="#f2a679"/>
<path d="M0 170 190 90l170 95L560 70l230 120 170-70v120H0z" fill="#7a9d96"/>
<path d="M0 215 240 150l200 60 220-70 300 80v20H0z" fill="#3f6c66"/></svg>`;

export const COVER_ADDRESS = 'https://pictures.example/cover.svg';

/** A sample form for guests. */
export const STAY = {
  title: 'How was your stay?',
  description: 'Two minutes, promised. Your answers help us to make the house better.',
  color: '#2f6f68',
  cover_picture: COVER_ADDRESS,
  auto_save: false,
  properties: [
    { id: 'name', type: 'text', name: 'Your name', required: true, width: '1/2' },
    {
      id: 'mail',
      type: 'email',
      name: 'E-mail',
      required: true,
      width: '1/2',
      placeholder: 'ada@example.com',
    },
    choice('travel', 'How did you come?', ['By train', 'By bicycle', 'By car']),
    { id: 'stars', type: 'rating', name: 'How did you like it?', rating_max_value: 5, required: true },
    { id: 'words', type: 'text', name: 'What should we know?', multi_lines: true },
  ],
};

/** The same form, read from right to left. */
export const ARABIC_STAY = {
  ...STAY,
  language: 'ar',
  title: 'كيف كانت إقامتك؟',
  description: 'دقيقتان فقط. إجاباتك تساعدنا على تحسين البيت.',
  properties: [
    { id: 'name', type: 'text', name: 'اسمك', required: true, width: '1/2' },
    { id: 'mail', type: 'email', name: 'البريد الإلكتروني', required: true, width: '1/2' },
    choice('travel', 'كيف وصلت؟', ['بالقطار', 'بالدراجة', 'بالسيارة']),
    { id: 'stars', type: 'rating', name: 'هل أعجبتك؟', rating_max_value: 5, required: true },
    { id: 'words', type: 'text', name: 'ماذا تود أن تخبرنا؟', multi_lines: true },
  ],
};

function choice(id: string, name: string, options: string[]): object {
  return { id, type: 'select', name, options, without_dropdown: true, required: true };
}
