import { MAX_RETENTION_DAYS } from '../../../fields/block-options/answer-retention.ts';
import { formatNumber } from '../../lib/format.ts';

export const WRONG_RETENTION = `Its answers are removed after 1 to ${formatNumber(MAX_RETENTION_DAYS)} whole days, or never.`;
