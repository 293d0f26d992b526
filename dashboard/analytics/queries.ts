import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { keepWithin } from '../api/keep-within.ts';

export type Statistics = Answer<'/open/forms/{form}/statistics'>;
export type AnswerStatistics = Answer<'/open/forms/{form}/statistics/fields'>;
/** The answers to one question; its type decides which figures there are. */
export type FieldFigures = AnswerStatistics['fields'][number];

/** Figures are loaded again after so many milliseconds while the screen is open. */
const REFRESH_MS = 60_000;

export const statisticsQuery = (form: string, range: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['statistics', form, range],
    queryFn: ({ signal }) =>
      api.get('/open/forms/{form}/statistics', { path: { form }, query: range, signal }),
    placeholderData: keepWithin(form),
    refetchInterval: REFRESH_MS,
  });

export const answersQuery = (
  form: string,
  range: { from: string; to: string; status: 'completed' | 'all' },
) =>
  queryOptions({
    queryKey: ['statistics', form, 'fields', range],
    queryFn: ({ signal }) =>
      api.get('/open/forms/{form}/statistics/fields', { path: { form }, query: range, signal }),
    placeholderData: keepWithin(form),
    refetchInterval: REFRESH_MS,
  });
