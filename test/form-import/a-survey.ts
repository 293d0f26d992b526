/** A question of LimeSurvey; options by their codes. */
export interface LimeQuestionInput {
  type: string;
  code: string;
  text?: string;
  help?: string;
  relevance?: string;
  mandatory?: string;
  other?: string;
  pattern?: string;
  /** Rows of a table, or options that can be chosen together. */
  rows?: Record<string, string>;
  columns?: Record<string, string>;
  options?: Record<string, string>;
  /** The second scale of a dual scale. */
  more?: Record<string, string>;
  attributes?: Record<string, string>;
  /** By the code of the row, '' for the question. */
  defaults?: Record<string, string>;
  rowRelevance?: Record<string, string>;
}

export interface LimeSurveyInput {
  settings?: Record<string, string>;
  texts?: Record<string, string>;
  groups?: Record<string, string>[];
  conditions?: Record<string, string>[];
}

type Row = Record<string, string>;

const SURVEY = 4711;

/** A survey structure as LimeSurvey 6 exports it. Questions have the numbers 1, 2 and so on; their rows follow from 1000. */
export function aSurvey(
  questions: readonly (readonly LimeQuestionInput[])[],
  about: LimeSurveyInput = {},
): string {
  const tables: Record<string, Row[]> = {
    surveys: [{ sid: `${SURVEY}`, language: 'en', format: 'G', ...about.settings }],
    surveys_languagesettings: [
      { surveyls_survey_id: `${SURVEY}`, surveyls_language: 'en', surveyls_title: 'Library', ...about.texts },
    ],
    groups: [],
    group_l10ns: [],
    questions: [],
    subquestions: [],
    question_l10ns: [],
    answers: [],
    answer_l10ns: [],
    question_attributes: [],
    defaultvalues: [],
    defaultvalue_l10ns: [],
    conditions: about.conditions ?? [],
  };
  const add = (table: string, row: Row) => tables[table]?.push(row);
  let numbers = 0;
  let others = 1000;
  questions.forEach((group, at) => {
    const gid = `${at + 1}`;
    add('groups', { gid, group_order: gid, grelevance: '1', ...about.groups?.[at] });
    add('group_l10ns', { gid, language: 'en', group_name: `Group ${gid}`, ...about.groups?.[at] });
    group.forEach((question, order) => {
      const qid = `${++numbers}`;
      const { type, code: title, mandatory = 'N', other = 'N', relevance = '1' } = question;
      const common = { gid, type, question_order: `${order}`, relevance };
      add('questions', {
        qid,
        title,
        parent_qid: '0',
        mandatory,
        other,
        preg: question.pattern ?? '',
        ...common,
      });
      add('question_l10ns', {
        qid,
        language: 'en',
        question: question.text ?? title,
        help: question.help ?? '',
      });
      const partNumbers: Row = {};
      for (const [scale, parts] of [question.rows, question.columns].entries())
        Object.entries(parts ?? {}).forEach(([code, text], place) => {
          const part = `${++others}`;
          partNumbers[code] = part;
          const own = {
            qid: part,
            title: code,
            parent_qid: qid,
            scale_id: `${scale}`,
            question_order: `${place}`,
          };
          add('subquestions', { ...common, ...own, relevance: question.rowRelevance?.[code] ?? '1' });
          add('question_l10ns', { qid: part, language: 'en', question: text });
        });
      for (const [scale, options] of [question.options, question.more].entries())
        Object.entries(options ?? {}).forEach(([code, text], place) => {
          const aid = `${++others}`;
          add('answers', { aid, qid, code, sortorder: `${place}`, scale_id: `${scale}` });
          add('answer_l10ns', { aid, language: 'en', answer: text });
        });
      for (const [attribute, value] of Object.entries(question.attributes ?? {}))
        add('question_attributes', { qid, attribute, value });
      for (const [code, value] of Object.entries(question.defaults ?? {})) {
        const dvid = `${++others}`;
        add('defaultvalues', { dvid, qid, sqid: partNumbers[code] ?? '0', specialtype: '' });
        add('defaultvalue_l10ns', { dvid, language: 'en', defaultvalue: value });
      }
    });
  });
  return documentOf(tables);
}

/** The tables as an .lss file. */
export function documentOf(tables: Record<string, readonly Row[]>, kind = 'Survey'): string {
  const parts = Object.entries(tables)
    .filter(([, rows]) => rows.length > 0)
    .map(([name, rows]) => ` <${name}>\n  <rows>\n${rows.map(rowOf).join('')}  </rows>\n </${name}>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<document>\n <LimeSurveyDocType>${kind}</LimeSurveyDocType>\n${parts.join('')}</document>\n`;
}

function rowOf(row: Row): string {
  const cells = Object.entries(row).map(([name, value]) =>
    value === ''
      ? `<${name}/>`
      : `<${name}><![CDATA[${value.replaceAll(']]>', ']]]]><![CDATA[>')}]]></${name}>`,
  );
  return `   <row>${cells.join('')}</row>\n`;
}
