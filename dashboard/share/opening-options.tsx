import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
import { type EmbedOptions, opensByItself } from './embed-code.ts';

type Choices = readonly (readonly [value: string, name: string])[];

const CUES: Choices = [
  ['', 'By a link'],
  ['5s', 'By itself, after 5 seconds'],
  ['15s', 'By itself, after 15 seconds'],
  ['60s', 'By itself, after a minute'],
  ['50%', 'By itself, half-way down the page'],
  ['90%', 'By itself, near the end of the page'],
  ['leave', 'By itself, when the pointer leaves the page'],
  ['60s leave', 'By itself, after a minute or when the pointer leaves'],
];
const AGAIN: Choices = [
  ['0', 'On every page'],
  ['1', 'After a day'],
  ['7', 'After a week'],
  ['30', 'After 30 days'],
  ['never', 'Never'],
];
const AGAIN_SENT: Choices = [
  ['0', 'On every page'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After a year'],
  ['never', 'Never'],
];
const VISITORS: Choices = [
  ['100', 'Everybody'],
  ['50', 'Half of them'],
  ['25', 'A quarter of them'],
  ['10', '10 of a hundred'],
  ['1', '1 of a hundred'],
];
const WITHOUT_POINTER = 'Phones have no pointer: there it stays closed.';

/** How a form outside the page's text is opened, and how often. */
export function OpeningOptions({
  options,
  change,
}: {
  options: EmbedOptions;
  change(part: Partial<EmbedOptions>): void;
}) {
  const byItself = opensByItself(options);
  const words = byItself ? 'extraButton' : 'button';
  const choice = (name: 'cues' | 'again' | 'againSent' | 'visitors', label: string, choices: Choices) => (
    <Field name={name} label={label} hint={name === 'cues' && options.cues === 'leave' && WITHOUT_POINTER}>
      <Select value={options[name]} onChange={({ target }) => change({ [name]: target.value })}>
        {choices.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
  return (
    <>
      {choice('cues', 'Opened', CUES)}
      <Field
        name={words}
        label={byItself ? 'Words of a link that opens it as well' : 'Words of the link that opens it'}
        hint={byItself && 'Without words there is no link.'}
      >
        <Input value={options[words]} onChange={({ target }) => change({ [words]: target.value })} />
      </Field>
      {byItself && (
        <>
          {choice('visitors', 'Visitors for whom it opens', VISITORS)}
          {choice('again', 'Again after it was closed', AGAIN)}
          {choice('againSent', 'Again after it was sent', AGAIN_SENT)}
        </>
      )}
    </>
  );
}
