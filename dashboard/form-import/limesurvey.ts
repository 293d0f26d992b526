import { MAX_PROPERTIES } from '../../fields/check-properties.ts';
import type { Property } from '../../fields/property.ts';
import { ALWAYS, all, type Test } from './boolean-tests.ts';
import { type Calculated, calculateAll } from './calculations.ts';
import { showOnlyWhen } from './conditions.ts';
import { type ImportedForm, UnreadableForm } from './imported.ts';
import { addressOf } from './json.ts';
import { checkLimeAnswer } from './limesurvey-checks.ts';
import type { LimeContext } from './limesurvey-context.ts';
import { limeNames } from './limesurvey-expressions.ts';
import { tellLimeLosses } from './limesurvey-losses.ts';
import { askLimeQuestion } from './limesurvey-questions.ts';
import { attribute, type LimeGroup, type LimeQuestion, limeSurvey } from './limesurvey-survey.ts';
import { documentKind, readTables } from './limesurvey-tables.ts';
import { cleanWords, LIME_PIPE, onlyExpression } from './limesurvey-texts.ts';
import { makeForm } from './maker.ts';
import { cellOf } from './rows.ts';
import { asName, escapeHtml, heading, inOneLanguage, mapWords, type Words } from './words.ts';

/** Types with a question for each row or cell, which texts can mention. */
const OF_INPUTS = /^[QK:;]$/;
/** The link to the privacy policy in the words of its checkbox. */
const POLICY_LINK = /\{(?:START|END)POLICYLINK\}/g;

export function isXml(text: string): boolean {
  return text.trimStart().startsWith('<');
}

/** A survey of LimeSurvey, as “Export → Survey structure (.lss)” gives it. */
export function fromLimeSurvey(xml: string): ImportedForm {
  const kind = documentKind(xml);
  if (kind !== 'Survey')
    throw new UnreadableForm(
      kind === ''
        ? 'This is XML, but not from LimeSurvey. There, export the “Survey structure (.lss)”.'
        : `This is a ${kind.toLowerCase()} of LimeSurvey. Export the “Survey structure (.lss)” instead.`,
    );
  const survey = limeSurvey(readTables(xml));
  const { settings, groups, languages } = survey;
  const maker = makeForm(LIME_PIPE);
  const questions = groups.flatMap((group) => group.questions);
  const names = limeNames(maker, new Map(questions.map(({ number, code }) => [number, code])));
  const mentionable = mentionableIn(questions);
  const context: LimeContext = {
    maker,
    names,
    survey,
    isLarge:
      questions.reduce((sum, question) => sum + blocksOf(question), 2 * groups.length) > MAX_PROPERTIES,
    inputs: new Map(),
    clean: (words, about) =>
      cleanWords(words, {
        mentionable: (name) => {
          const code = names.codeOf(name);
          return mentionable.has(code) ? code : undefined;
        },
        note: (text) => maker.note(about, text),
      }),
  };
  const format = cellOf(settings, 'format');
  const hasPages = format !== 'A' && format !== 'S';
  const shownWhen = new Map<string, Test>();
  const shown: { block: Property; group: LimeGroup; question?: LimeQuestion }[] = [];
  const calculations: Calculated[] = [];
  const results: { block: Property; code: string }[] = [];

  for (const { code, type } of questions) if (type === '*') maker.calculationId(code);
  const text = (name: string) => context.clean(survey.text(name), '');
  if (settings.get('showwelcome') !== 'N')
    for (const name of ['description', 'welcometext']) maker.tell(text(name));
  askForConsent();
  groups.forEach(addGroup);
  calculateAll(maker, calculations, 'limesurvey', names.findWhole);
  for (const { block, code } of results)
    if (!maker.find(code)) maker.properties.splice(maker.properties.indexOf(block), 1);
  groups.forEach(findConditions);
  for (const one of shown) show(one.block, one.group, one.question);
  tellLosses();
  return finish();

  function askForConsent(): void {
    const notice = text('policy_notice');
    if (!/^[12]$/.test(cellOf(settings, 'showsurveypolicynotice')) || notice.text === '') return;
    maker.tell(notice);
    const label = mapWords(survey.text('policy_notice_label'), (said) => said.replace(POLICY_LINK, ''));
    const name = asName(label.text) === '' ? inOneLanguage('I have read this and accept it.') : label;
    maker.ask('', 'checkbox', { name: context.clean(name, '') }, { required: true });
  }

  function addGroup(group: LimeGroup, index: number): void {
    const { about } = group;
    const name = context.clean(group.name, about);
    if (hasPages && (index > 0 || maker.properties.length > 0)) maker.breakPage(name);
    tellGroup(group, name);
    if (group.isShuffled)
      maker.note(about, 'Its questions changed places with other groups. Here they stay in their places.');
    for (const question of group.questions) {
      const from = maker.properties.length;
      if (question.type === '*') addCalculation(question);
      else askLimeQuestion(question, context);
      for (const block of maker.properties.slice(from)) shown.push({ block, group, question });
    }
  }

  /** Of a group people may see its name (`N`), its description (`D`), neither (`X`) or both. */
  function tellGroup(group: LimeGroup, name: Words): void {
    const parts = cellOf(settings, 'showgroupinfo');
    const heads = [
      parts === 'X' || parts === 'D' ? null : maker.tell(name, heading),
      parts === 'X' || parts === 'N' ? null : maker.tell(context.clean(group.description, group.about)),
    ];
    for (const block of heads) if (block) shown.push({ block, group });
  }

  /** The result of an expression is shown where it stands, unless it is hidden. */
  function addCalculation(question: LimeQuestion): void {
    const { code, text: words } = question;
    const given = attribute(question, 'equation');
    const source = given === '' ? words.text : given;
    calculations.push({ source: code, name: code, text: onlyExpression(source) ?? source });
    if (attribute(question, 'hidden') === '1') return;
    const said = given === '' ? inOneLanguage('') : context.clean(words, question.about);
    const shownText = said.text.includes(`{${code}}`)
      ? said
      : mapWords(said, (one) => `${one} <strong>{${code}}</strong>`);
    const block = maker.tell(shownText);
    if (block) results.push({ block, code });
  }

  /** When each question is asked, by its code. */
  function findConditions(group: LimeGroup): void {
    const around = testOf(group.relevance, group.about);
    for (const question of group.questions) {
      shownWhen.set(question.code, all(around, testOf(question.relevance, question.about)));
    }
  }

  /** Always true if the condition cannot be expressed here. */
  function testOf(relevance: string, about: string): Test {
    const test = names.testOf(relevance, shownWhen);
    if (test === null) maker.note(about, `The condition under which it is shown is left out: ${relevance}`);
    return test ?? ALWAYS;
  }

  function show(block: Property, group: LimeGroup, question: LimeQuestion | undefined): void {
    const note = (said: string) => maker.note(block.name, said);
    if (!question) {
      showOnlyWhen(block, testOf(group.relevance, group.about), note);
      return;
    }
    const input = context.inputs.get(block.id);
    if (!block.type.startsWith('nf-')) checkLimeAnswer(question, block, input, context);
    // A comment on an option is asked once that is chosen, which includes that the question is asked.
    if (block.logic) return;
    const own = input ? testOf(input.relevance, block.name) : ALWAYS;
    showOnlyWhen(block, all(shownWhen.get(question.code) ?? ALWAYS, own), note);
    if (attribute(question, 'hidden') !== '1') return;
    delete block.logic;
    block.hidden = true;
  }

  function tellLosses(): void {
    for (const question of questions) tellLimeLosses(question, (said) => maker.note(question.about, said));
    if (survey.quotas.length > 0) maker.note('', `Quotas are left out: ${survey.quotas.join(', ')}`);
    if (settings.get('assessments') === 'Y') maker.note('', 'What answers count is left out.');
    for (const name of languages.doubled)
      maker.note('', `The texts in “${name}” are left out: the form has texts in that language already.`);
  }

  function finish(): ImportedForm {
    const title = survey.text('title');
    maker.translate('title', mapWords(title, asName));
    const address = addressOf(survey.text('url').text);
    const redirects = settings.get('autoredirect') === 'Y' && address !== undefined;
    const thanks = redirects ? text('endtext') : withLink(text('endtext'), address);
    maker.translate('submitted_text', maker.rich(thanks));
    return maker.finish(asName(title.text), {
      language: languages.code,
      ...(format === 'S' && { presentation_style: 'focused' }),
      ...(settings.get('showprogress') === 'Y' && { show_progress_bar: true }),
      ...(thanks.text !== '' && { submitted_text: maker.rich(thanks).text }),
      ...(redirects && { redirect_url: address }),
    });
  }

  /** The link below the text at the end. */
  function withLink(thanks: Words, address: string | undefined): Words {
    if (address === undefined) return thanks;
    const label = survey.text('urldescription');
    const link = (said: string) =>
      `<p><a href="${escapeHtml(address)}">${escapeHtml(asName(said) || address)}</a></p>`;
    const codes = Object.keys({ ...thanks.others, ...label.others });
    const joined = (said: string, labelled: string) => `${said}${link(labelled)}`;
    return {
      text: joined(thanks.text, label.text),
      others: Object.fromEntries(
        codes.map((code) => [
          code,
          joined(thanks.others[code] ?? thanks.text, label.others[code] ?? label.text),
        ]),
      ),
    };
  }
}

/** How many blocks a question takes, or more. */
function blocksOf({ type, parts: [rows = [], columns = []] }: LimeQuestion): number {
  if (type === 'Q' || type === 'K') return rows.length + 2;
  if (type === 'P') return rows.length + 1;
  return type === ':' || type === ';' ? rows.length * columns.length + 2 : 2;
}

/** The names that texts can mention: questions, and rows and cells that become questions. */
function mentionableIn(questions: readonly LimeQuestion[]): ReadonlySet<string> {
  return new Set(
    questions.flatMap(({ code, type, parts: [rows = [], columns = []] }) => {
      if (type === 'X' || type === 'I') return [];
      if (!OF_INPUTS.test(type)) return [code, ...(type === 'O' ? [`${code}_comment`] : [])];
      const named = rows.map((row) => `${code}_${row.code}`);
      return columns.length === 0
        ? named
        : named.flatMap((name) => columns.map((column) => `${name}_${column.code}`));
    }),
  );
}
