import { labelOf } from '../../fields/choices.ts';
import { type Html, html } from '../../fields/html/html.ts';
import type { PageTexts } from '../../fields/languages/language.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import type { Property } from '../../fields/property.ts';
import { fillIn } from '../../fields/template.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import type { FigureOfQuestion, Share } from '../public-results/figures.ts';
import type { KeptResults } from '../public-results/queries.ts';
import type { PublicResultSettings } from '../public-results/settings.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import type { MessagePage } from './other-pages.ts';

interface Words {
  language: string;
  texts: PageTexts;
}

/** Everything that is shown to everybody, question by question; `results` is null while too few have answered. */
export function resultsPage(
  form: PublishedForm,
  { questions }: PublicResultSettings,
  results: KeptResults | null,
): MessagePage {
  const { language } = form.presentation;
  const words = { language, texts: languageFor(language).page };
  const figures = new Map(results?.results.map((figure) => [figure.id, figure]));
  const shown = questions.map((question) => questionPart(question, figures.get(question.id), words));
  const { texts } = words;
  return {
    title: form.title,
    styles: ['results'],
    main: html`<div class="page results">
<h1>${form.title}</h1>
<h2>${texts.resultsTitle}</h2>
${results ? html`<p>${count(results.submissions, words)}</p>${shown}` : html`<p>${texts.fewResponses}</p>`}
</div>`,
  };
}

function questionPart(question: Property, figure: FigureOfQuestion | undefined, words: Words): Html {
  const { texts, language } = words;
  if (!figure)
    return html`<section><h3>${question.name}</h3><p class="hint">${texts.fewResponses}</p></section>`;
  const { answered, average, groups } = figure;
  const mean = average === null ? '' : ` · ${texts.average}: ${rounded(average, language)}`;
  return html`<section>
<h3>${question.name}</h3>
<p class="hint">${count(answered, words)}${mean}</p>
${groups.map(
  ({ row, answered: inGroup, shares }) => html`${row !== null && html`<h4>${labelOf(question, row)}</h4>`}
<table aria-label="${row === null ? question.name : labelOf(question, row)}">${shares.map((share) => shareRow(question, share, inGroup, words))}</table>`,
)}
</section>`;
}

function shareRow(question: Property, share: Share, answered: number, { texts, language }: Words): Html {
  const part = share.count / answered;
  const told =
    share.average === undefined
      ? new Intl.NumberFormat(language, { style: 'percent' }).format(part)
      : `${texts.average}: ${rounded(share.average, language)}`;
  return html`<tr><th scope="row">${nameOf(question, share.name, texts)}</th>
<td class="share">${share.average === undefined && bar(part)}</td><td>${told}</td><td>${rounded(share.count, language)}</td></tr>`;
}

/** Drawn, as the content policy of a page stops styles within the markup. */
function bar(part: number): Html {
  return html`<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round(part * 1000) / 10}" height="1"/></svg>`;
}

function nameOf(question: Property, name: string | null, texts: PageTexts): string {
  if (name === null) return texts.otherAnswers;
  if (canonicalTypeName(question.type) === 'checkbox') return name === 'true' ? texts.yes : texts.no;
  return labelOf(question, name);
}

function rounded(number: number, language: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(number);
}

function count(responses: number, { texts, language }: Words): string {
  return fillIn(texts.responses, { count: responses }, language);
}
