import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { keepWithin } from '../api/keep-within.ts';

export type WorkspaceStatistics = Answer<'/open/workspaces/{workspaceId}/statistics'>;
/** A form with its figures in the range and in as many days before it. */
export type CountedForm = WorkspaceStatistics['forms'][number];
export type AttentionItem = Answer<'/open/workspaces/{workspaceId}/attention'>['data'][number];

/** Loaded again after so many milliseconds while the screen is open. */
const REFRESH_MS = 60_000;

export const workspaceStatisticsQuery = (workspaceId: number, range: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['workspaces', workspaceId, 'statistics', range],
    queryFn: ({ signal }) =>
      api.get('/open/workspaces/{workspaceId}/statistics', { path: { workspaceId }, query: range, signal }),
    placeholderData: keepWithin(workspaceId),
    refetchInterval: REFRESH_MS,
  });

export const summaryMailsQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ['workspaces', workspaceId, 'summary-mails'],
    queryFn: ({ signal }) =>
      api.get('/open/workspaces/{workspaceId}/summary-mails', { path: { workspaceId }, signal }),
  });

export const attentionQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ['workspaces', workspaceId, 'attention'],
    queryFn: async ({ signal }) => {
      const { data } = await api.get('/open/workspaces/{workspaceId}/attention', {
        path: { workspaceId },
        signal,
      });
      return data;
    },
    refetchInterval: REFRESH_MS,
  });
