import { type ImportedForm, UnreadableForm } from '../imported.ts';
import { cellOf } from '../rows.ts';
import { asName, inOneLanguage, mapWords } from '../words.ts';
import { addLimeConditions } from './conditions.ts';
import { type LimeContext, limeContext, surveyText } from './context.ts';
import { finishLimeForm } from './end.ts';
import { addLimeGroups } from './groups.ts';
import { tellLimeLosses } from './losses.ts';
import { limeSurvey } from './survey.ts';
import { documentKind, readTables } from './tables.ts';

/** The link to the privacy policy in the words of its checkbox. */
const POLICY_LINK = /\{(?:START|END)POLICYLINK\}/g;

export function isXml(text: string): boolean {
  return text.trimStart().startsWith('<');
}

/** A survey of LimeSurvey, as “Export → Survey structure (.lss)” gives it. */
export function fromLimeSurvey(xml: string): ImportedForm {
  requireSurvey(documentKind(xml));
  const context = limeContext(limeSurvey(readTables(xml)));
  welcome(context);
  askForConsent(context);
  const placed = addLimeGroups(context);
  addLimeConditions(placed, context);
  tellLosses(context);
  return finishLimeForm(context);
}

function requireSurvey(kind: string): void {
  if (kind === 'Survey') return;
  throw new UnreadableForm(
    kind === ''
      ? 'This is XML, but not from LimeSurvey. There, export the “Survey structure (.lss)”.'
      : `This is a ${kind.toLowerCase()} of LimeSurvey. Export the “Survey structure (.lss)” instead.`,
  );
}

function welcome(context: LimeContext): void {
  const { maker, survey } = context;
  if (survey.settings.get('showwelcome') === 'N') return;
  for (const name of ['description', 'welcometext']) maker.tell(surveyText(name, context));
}

function askForConsent(context: LimeContext): void {
  const { maker, survey, clean } = context;
  const notice = surveyText('policy_notice', context);
  if (!/^[12]$/.test(cellOf(survey.settings, 'showsurveypolicynotice')) || notice.text === '') return;
  maker.tell(notice);
  const label = mapWords(survey.text('policy_notice_label'), (said) => said.replace(POLICY_LINK, ''));
  const name = asName(label.text) === '' ? inOneLanguage('I have read this and accept it.') : label;
  maker.ask('', 'checkbox', { name: clean(name, '') }, { required: true });
}

function tellLosses({ maker, survey, questions }: LimeContext): void {
  const { settings, languages, quotas } = survey;
  for (const question of questions) tellLimeLosses(question, (said) => maker.note(question.about, said));
  if (quotas.length > 0) maker.note('', `Quotas are left out: ${quotas.join(', ')}`);
  if (settings.get('assessments') === 'Y') maker.note('', 'What answers count is left out.');
  for (const name of languages.doubled)
    maker.note('', `The texts in “${name}” are left out: the form has texts in that language already.`);
}
