import { ownMember, type Property } from '../../fields/property.ts';
import { isLayoutBlock } from '../../fields/type-names.ts';
import type { Expected, Named, NamedParts, Scenario, ScenarioResult } from './queries.ts';

type Observed = ScenarioResult['observed'];
type Value = string | number | null;

/** Expects exactly what came of the answers. */
export function expectedOf({ errors, ...observed }: Observed): Expected {
  return { ...observed, errors: Object.keys(errors) };
}

/** What the parts of a scenario's expectation may name: of the form, and what is named already though it is gone. */
export function choicesOf(
  { expected }: Scenario,
  observed: Observed | undefined,
  { blocks, calculations, endings }: NamedParts,
) {
  const changing = [...(observed?.shown ?? []), ...(observed?.hidden ?? [])];
  const stated = [...expected.shown, ...expected.hidden];
  const isInput = ({ type }: Property) => !isLayoutBlock(type);
  return {
    fields: withGone(blocks.filter(isInput), expected.errors),
    // In the order of the form.
    blocks: withGone(
      blocks.filter(({ id }) => changing.includes(id) || stated.includes(id)),
      stated,
    ),
    calculations: withGone(calculations, Object.keys(expected.computed)),
    endings: withGone(
      endings,
      expected.ending === null || expected.ending === 'none' ? [] : [expected.ending],
    ),
  };
}

function withGone(parts: readonly Named[], wanted: readonly string[]): Named[] {
  const gone = wanted.filter((id) => !parts.some((part) => part.id === id));
  return [...parts, ...gone.map((id) => ({ id, name: `${id} (not in the form any more)` }))];
}

/**
 * Reads the expectation from the fields of its dialog; see edit-scenario.tsx.
 * @param before stays where the text of a value was not changed
 * @param observed tells a calculation's number from a text that looks like one
 */
export function readExpectation(
  sent: FormData,
  { computed: before }: Pick<Expected, 'computed'>,
  observed: Observed['computed'],
): Expected {
  const all = [...sent].map(([key, value]) => [key, String(value)] as const);
  const withPrefix = (prefix: string) =>
    all.flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : [],
    );
  const outcome = sent.get('outcome') === 'refused' ? 'refused' : 'accepted';
  const states = withPrefix('state ');
  const compared = withPrefix('compare ').map(([id]) => id);
  const ending = String(sent.get('ending') ?? '');
  return {
    outcome,
    errors: outcome === 'refused' ? withPrefix('error ').map(([id]) => id) : [],
    shown: states.filter(([, state]) => state === 'shown').map(([id]) => id),
    hidden: states.filter(([, state]) => state === 'hidden').map(([id]) => id),
    computed: Object.fromEntries(
      withPrefix('value ')
        .filter(([id]) => compared.includes(id))
        .map(([id, text]) => [
          id,
          readValue(
            withPlainBreaks(text),
            ownMember(before, id) as Value | undefined,
            ownMember(observed, id) as Value | undefined,
          ),
        ]),
    ),
    ending: outcome === 'accepted' && ending !== '' ? ending : null,
  };
}

function readValue(text: string, before: Value | undefined, observed: Value | undefined): Value {
  // Also what its field cannot hold: a text that looks like a number, and one that is empty.
  if (before !== undefined && withPlainBreaks(String(before ?? '')) === text) return before;
  if (text === '') return null;
  const number = Number(text);
  return typeof observed === 'string' || text.trim() === '' || !Number.isFinite(number) ? text : number;
}

/** A sent form breaks lines in a way of its own. */
function withPlainBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
