import { escapeHtml } from '../../../fields/texts/escape-html.ts';
import type { ImportedForm } from '../imported.ts';
import { addressOf } from '../json.ts';
import { cellOf } from '../rows.ts';
import { asName, mapWords, type Words } from '../words.ts';
import { type LimeContext, surveyText } from './context.ts';

/** The finished form, with the settings of the survey and what it says at its end. */
export function finishLimeForm(context: LimeContext): ImportedForm {
  const { maker, survey } = context;
  const { settings, languages } = survey;
  const title = survey.text('title');
  maker.translate('title', mapWords(title, asName));
  const address = addressOf(survey.text('url').text);
  const redirects = settings.get('autoredirect') === 'Y' && address !== undefined;
  const said = surveyText('endtext', context);
  const thanks =
    redirects || address === undefined ? said : withLink(said, address, survey.text('urldescription'));
  maker.translate('submitted_text', maker.rich(thanks));
  return maker.finish(asName(title.text), {
    language: languages.code,
    ...(cellOf(settings, 'format') === 'S' && { presentation_style: 'focused' }),
    ...(settings.get('showprogress') === 'Y' && { show_progress_bar: true }),
    ...(thanks.text !== '' && { submitted_text: maker.rich(thanks).text }),
    ...(redirects && { redirect_url: address }),
  });
}

/** The link below the text at the end. */
function withLink(thanks: Words, address: string, label: Words): Words {
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
