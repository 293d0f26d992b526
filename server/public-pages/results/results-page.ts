import { labelOf } from '../../../fields/choices/choices.ts';
import { type Html, html } from '../../../fields/html/html.ts';
import type { PageTexts } from '../../../fields/languages/language.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import { ownMember, type Property } from '../../../fields/property.ts';
import { fillIn } from '../../../fields/texts/template.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import { askedOf, type Share } from '../../public-results/figures.ts';
import type { KeptResults } from '../../public-results/queries.ts';
import type { PublicResultSettings } from '../../public-results/settings.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { inSameLanguage } from '../page/language-choice.ts';
import type { MessagePage } from '../page/message-pages.ts';

interface Words {
  texts: PageTexts;
  /** Language of the texts: English if there are none in the form's language. */
  language: string;
  number: Intl.NumberFormat;
  percent: Intl.NumberFormat;
}

/** The public results, question by question; `results` is null while too few have answered. */
export function resultsPage(
  form: PublishedForm,
  { questions }: PublicResultSettings,
  results: KeptResults | null,
): MessagePage {
  const { page: texts, code: language } = languageFor(form.presentation.language);
  const words: Words = {
    texts,
    language,
    number: new Intl.NumberFormat(language, { maximumFractionDigits: 2 }),
    percent: new Intl.NumberFormat(language, { style: 'percent' }),
  };
  const shown = questions.map((question) => questionPart(question, results, words));
  return {
    title: form.title,
    titlePrefix: `${texts.resultsTitle}:`,
    path: '/results',
    styles: ['results'],
    main: html`<div class="page results">
<h1>${form.title}</h1>
<h2>${texts.resultsTitle}</h2>
${results ? html`<p>${countText(results.submissions, words)}</p>${shown}` : html`<p>${texts.fewResponses}</p>`}
<div class="nav"><a class="button quiet" href="${inSameLanguage(form, `/forms/${form.slug}`)}">${form.title}</a></div>
</div>`,
  };
}

function questionPart(question: Property, results: KeptResults | null, words: Words): Html {
  const { texts, number } = words;
  const figure = results && ownMember(results.questions, question.id);
  if (!figure?.answers || figure.asked !== askedOf(question))
    return html`<section><h3>${question.name}</h3><p class="hint">${texts.fewResponses}</p></section>`;
  const { answered, average, groups } = figure.answers;
  const mean = average === null ? '' : ` · ${texts.average}: ${number.format(average)}`;
  return html`<section>
<h3>${question.name}</h3>
<p class="hint">${countText(answered, words)}${mean}</p>
${groups.map(({ row, answered: inGroup, shares }) => {
  const name = row === null ? question.name : labelOf(question, row);
  return html`${row !== null && html`<h4>${name}</h4>`}
<table aria-label="${name}">${shares.map((share) => shareRow(question, share, inGroup, words))}</table>`;
})}
</section>`;
}

function shareRow(question: Property, { name, count, average }: Share, answered: number, words: Words): Html {
  const { texts, number, percent } = words;
  // Free texts are counted together as the rest, where one visitor may count several times.
  const part = average === undefined && (name !== null || count <= answered) ? count / answered : null;
  const told =
    average === undefined
      ? part !== null && percent.format(part)
      : `${texts.average}: ${number.format(average)}`;
  return html`<tr><th scope="row">${nameOf(question, name, texts)}</th>
<td class="share">${part !== null && bar(part)}</td><td>${told}</td><td aria-label="${countText(count, words)}">${number.format(count)}</td></tr>`;
}

/** Drawn as SVG, because the content policy forbids styles within the markup. */
function bar(part: number): Html {
  return html`<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round(part * 1000) / 10}" height="1"/></svg>`;
}

function nameOf(question: Property, name: string | null, texts: PageTexts): string {
  if (name === null) return texts.otherAnswers;
  if (canonicalTypeName(question.type) === 'checkbox') return name === 'true' ? texts.yes : texts.no;
  return labelOf(question, name);
}

function countText(count: number, { texts, language, number }: Words): string {
  return fillIn(texts.responses, { count }, language).replace(String(count), number.format(count));
}
