import { unparse } from 'papaparse';
import { guardFormula } from '../../fields/as-text/formula-guard.ts';
import type { CountedForm } from './queries.ts';

/** Byte order mark, which tells spreadsheets the encoding. */
const MARK = '\ufeff';
const COLUMNS = [
  'form_id',
  'title',
  'views',
  'starts',
  'completed',
  'partial',
  'completion_rate',
  'last_day_completed',
  ...['views', 'starts', 'completed', 'partial', 'completion_rate'].map((figure) => `before_${figure}`),
];

/** The forms in their order, one line each, under the names of the API. */
export function formsAsCsv(forms: readonly CountedForm[]): string {
  const figures = ({ views, starts, completed, partial, completion_rate: rate }: CountedForm['before']) => [
    views,
    starts,
    completed,
    partial,
    rate ?? '',
  ];
  const rows = forms.map((form) => [
    form.id,
    guardFormula(form.title),
    ...figures(form),
    form.last_day_completed,
    ...figures(form.before),
  ]);
  return MARK + unparse([COLUMNS, ...rows]);
}
