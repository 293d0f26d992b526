import { MAX_RETENTION_DAYS } from '../../fields/answer-retention.ts';
import type { OptionSpec } from './option-table.ts';

export const RETENTION: OptionSpec = {
  key: 'retention_days',
  label: 'Remove answers after (days)',
  input: 'number',
  min: 1,
  max: MAX_RETENTION_DAYS,
  placeholder: 'Never',
  help: 'After the last change of a response. The rest of the response stays.',
};
