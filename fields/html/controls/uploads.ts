import { isOn } from '../../block-options/options.ts';
import { MEGABYTE, uploadRules } from '../../block-options/upload-rules.ts';
import { drawingOf, isFileText } from '../../file-reference.ts';
import type { Property } from '../../property.ts';
import { nameWithoutId } from '../../texts/name-without-id.ts';
import { fillIn } from '../../texts/template.ts';
import type { ControlContext, FieldControl } from '../field-control.ts';
import { attribute, type Html, html } from '../html.ts';
import {
  type Attributes,
  answerText,
  answerTexts,
  attributes,
  controlAttributes,
  hint,
  textInput,
} from './parts.ts';

/** A file input, and the uploaded files with a box to remove each. */
export const filesControl: FieldControl = {
  groupRole: () => 'none',
  render(property, context) {
    const hintId = `${context.id}-rules`;
    const { placeholder: _, ...list } = controlAttributes(property, context, hintId);
    const isMultiple = isOn(property.multiple);
    const { accept, limit, text } = rulesOf(property, 'files', context);
    const input = fileInput(context, {
      ...list,
      multiple: isMultiple,
      accept,
      'data-files': true,
      'data-max-size': limit,
      'data-camera': isOn(property.camera_upload),
    });
    return html`${uploaded(property, context, answerTexts(context.answer))}${input}${hint(hintId, text)}`;
  },
};

/** A typed name as signature, or an uploaded picture of one; the script adds an area to draw in. */
export const signatureControl: FieldControl = {
  groupRole: () => 'group',
  render(property, context) {
    const { texts, id, isRequired, isInvalid } = context;
    const answer = answerText(context.answer);
    const isFile = isFileText(answer);
    const { accept, limit, text } = rulesOf(property, 'signature', context);
    const typed = textInput(isFile ? '' : answer, {
      id: `${id}-0`,
      name: property.id,
      autocomplete: 'off',
      'aria-required': isRequired && 'true',
      'aria-invalid': isInvalid && 'true',
      'data-typed': true,
    });
    const file = fileInput(context, {
      id: `${id}-1`,
      name: property.id,
      accept,
      'aria-describedby': `${id}-rules`,
      'data-max-size': limit,
    });
    return html`<div class="signature" data-signature>${uploaded(property, context, isFile ? [answer] : [])}<label>${texts.typeSignatureLabel} ${typed}</label><label>${texts.uploadSignature} ${file}</label>${hint(`${id}-rules`, text)}</div>`;
  },
};

/** Browsers name the button of a file input in their own language: once the script lists the files, one in the language of the page lies over it. */
function fileInput({ texts }: ControlContext, list: Attributes): Html {
  const [text, more] = list.multiple
    ? [texts.chooseFiles, html`<i>${texts.dropFiles}</i>`]
    : [texts.chooseFile];
  return html`<span class="file"><input${attributes({ type: 'file', ...list })}><span aria-hidden="true"><b>${text}</b>${more}</span></span>`;
}

/** An uploaded file stays in the answer until its box is ticked. */
function uploaded(
  property: Property,
  { texts, language, id, isDisabled }: ControlContext,
  references: string[],
): Html {
  const off = attribute('disabled', isDisabled);
  if (references.length === 0) return html``;
  const items = references.map((reference, index) => {
    const name = drawingOf(reference) === null ? nameWithoutId(reference) : texts.drawSignature;
    return html`<li><input type="hidden" name="${property.id}" value="${reference}"${off}><span>${name}</span> <label><input type="checkbox" id="${id}-remove-${index}" name="${property.id}[remove]" value="${reference}"${off}><span>${fillIn(texts.remove, { name }, language)}</span></label></li>`;
  });
  return html`<ul class="uploaded">${items}</ul>`;
}

/** Types and sizes, as attributes for browser and script and as text. */
function rulesOf(property: Property, typeName: string, { texts, language, maxFileSize }: ControlContext) {
  const { types, maxSize } = uploadRules(property, typeName);
  const limit = Math.min(maxSize, maxFileSize * MEGABYTE);
  const megabytes = Math.round((limit / MEGABYTE) * 100) / 100;
  const size = fillIn(texts.maxSize, { limit: megabytes }, language);
  const kinds = types.length > 0 ? fillIn(texts.fileTypes, { types: types.join(', ') }, language) : null;
  return {
    accept: types.length > 0 ? types.map((type) => `.${type}`).join(',') : null,
    /** In bytes. */
    limit,
    text: kinds === null ? size : `${kinds} · ${size}`,
  };
}
