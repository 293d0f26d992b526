import { LOCATION_PATTERN, readLocation } from '../as-text/locations.ts';
import { textOf } from '../as-text/text-of.ts';
import { isBlank } from '../block-options/options.ts';
import type { AnswerRules, FieldType } from '../field-type.ts';
import { LOCATION_OPERATORS } from '../logic/operator-names.ts';

/** A place on earth as text: `52.520008, 13.404954 ±12 m`. Other notations are converted to this one. */
export const locationRules: AnswerRules = {
  name: 'location',
  kind: 'input',
  compile:
    ({ name }, { messages }) =>
    (answer, report) => {
      const location = typeof answer === 'string' ? readLocation(answer) : null;
      if (location === null) report(messages.location(name));
      return location ?? answer;
    },
  isEmpty: isBlank,
};

export const locationType: FieldType = {
  ...locationRules,
  checkOptions: () => [],
  toText: textOf,
  csvKind: 'location',
  answerSchema: () => ({
    type: 'string',
    pattern: LOCATION_PATTERN,
    description: 'Latitude, longitude in degrees of WGS 84, and the accuracy in meters if it is known.',
  }),
  operators: LOCATION_OPERATORS,
};
