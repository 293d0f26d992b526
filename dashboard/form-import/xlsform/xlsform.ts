import { calculateAll } from '../calculations.ts';
import type { ImportedForm } from '../imported.ts';
import { addressOf } from '../json.ts';
import { type Maker, makeForm } from '../maker.ts';
import type { Row } from '../rows.ts';
import { applyConditions } from './conditions.ts';
import type { XlsContext } from './questions.ts';
import { type Languages, languagesOf, type XlsForm } from './sheets.ts';
import { readSurvey } from './survey.ts';

const PIPE = /\$\{\s*([^{}]+?)\s*\}/g;

/**
 * A form of ODK and KoboToolbox, with the sheets survey, choices and settings.
 * @param fileName the title, if the form has none
 */
export function fromXlsForm(form: XlsForm, fileName = ''): ImportedForm {
  const { settings } = form;
  const maker = makeForm(PIPE);
  const languages = languagesOf(form);
  const context: XlsContext = { maker, languages, choices: form.choices };
  const survey = readSurvey(form, context);
  tellRecorded(maker, survey.recorded);
  tellUnknownLanguages(maker, languages);
  calculateAll(maker, survey.calculations, 'xpath');
  applyConditions(survey, context);
  const redirect = addressOf(settings.get('return_url'));
  return maker.finish(titleOf(settings) ?? fileName, {
    ...(languages.own !== null && { language: languages.own }),
    ...(redirect !== undefined && { redirect_url: redirect }),
  });
}

function titleOf(settings: Row): string | undefined {
  return settings.get('form_title') ?? settings.get('title') ?? settings.get('form_id');
}

function tellRecorded(maker: Maker, kinds: ReadonlySet<string>): void {
  if (kinds.size === 0) return;
  const named = [...kinds].join(', ');
  maker.note(
    '',
    `What the device recorded is left out: ${named}. The time of a response is kept here anyway.`,
  );
}

function tellUnknownLanguages(maker: Maker, { codes, ownColumn }: Languages): void {
  for (const [name, code] of codes)
    if (code === null && name !== ownColumn)
      maker.note(
        '',
        `The texts in “${name}” are left out: the name of the column has no language code, such as (fr).`,
      );
}
