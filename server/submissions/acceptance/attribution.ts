import { ATTRIBUTION_KEYS } from '../../../fields/attribution-keys.ts';
import { isBlank } from '../../../fields/block-options/options.ts';
import { addError, type ErrorBag, isJsonObject, type JsonValue } from '../../../fields/property.ts';
import { storageProblem } from '../../../fields/storable.ts';

export type Attribution = Partial<Record<(typeof ATTRIBUTION_KEYS)[number], string>>;

/** Characters. */
export const MAX_ATTRIBUTION_LENGTH = 2048;
const ALLOWED: ReadonlySet<string> = new Set(ATTRIBUTION_KEYS);

/**
 * Checks `tracking_parameters`; problems go to `errors`. An empty list counts as an empty object, as PHP writes it so.
 * @returns null when absent, empty or wrong
 */
export function readAttribution(sent: unknown, errors: ErrorBag): Attribution | null {
  if (isBlank(sent as JsonValue | undefined)) return null;
  if (!isJsonObject(sent)) {
    addError(errors, 'tracking_parameters', 'The tracking parameters must be an object.');
    return null;
  }
  const keys = Object.keys(sent);
  if (keys.some((key) => !ALLOWED.has(key)))
    addError(errors, 'tracking_parameters', 'The tracking parameters contain an unsupported key.');
  for (const key of keys.filter((one) => ALLOWED.has(one)))
    checkValue(`tracking_parameters.${key}`, sent[key], errors);
  return keys.length > 0 ? (sent as Attribution) : null;
}

function checkValue(key: string, value: unknown, errors: ErrorBag): void {
  if (typeof value !== 'string') addError(errors, key, `The ${key} must be a valid text.`);
  else if (value === '') addError(errors, key, `The ${key} field is required.`);
  else if ([...value].length > MAX_ATTRIBUTION_LENGTH)
    addError(errors, key, `The ${key} may not be greater than ${MAX_ATTRIBUTION_LENGTH} characters.`);
  else {
    // The API has checked its whole body for this already, but answers also come from the form's page.
    const problem = storageProblem(value);
    if (problem !== null) addError(errors, key, problem);
  }
}
