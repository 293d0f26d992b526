import { textSchema } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { integerProblems } from '../block-options/option-checks.ts';
import { isBlank, isOneOf } from '../block-options/options.ts';
import type { AnswerRules, FieldType, OptionProblem } from '../field-type.ts';
import { TEXT_OPERATORS } from '../logic/operator-names.ts';
import type { Property } from '../property.ts';
import { characterLimit, compileText } from './text.ts';

/** Kinds of codes that a page may look for. */
const DECODERS = [
  'qr_reader',
  'ean_reader',
  'ean_8_reader',
  'upc_reader',
  'upc_e_reader',
  'code_128_reader',
  'code_39_reader',
];

/** The text of a scanned code, or any typed text. */
export const barcodeRules: AnswerRules = {
  name: 'barcode',
  kind: 'input',
  compile: (property, context) => compileText({ ...property, input_mask: null }, context),
  isEmpty: isBlank,
};

export const barcodeType: FieldType = {
  ...barcodeRules,
  checkOptions: (property) => [
    ...integerProblems(property, 'max_char_limit', 1),
    ...decoderProblems(property),
  ],
  toText: textOf,
  csvKind: 'text',
  answerSchema: (property) => textSchema(characterLimit(property)),
  operators: TEXT_OPERATORS,
};

function decoderProblems({ decoders }: Property): OptionProblem[] {
  if (decoders === undefined || decoders === null || decoders === '') return [];
  if (!Array.isArray(decoders))
    return [{ path: 'decoders', message: 'The decoders field must be an array of texts.' }];
  return decoders.every((decoder) => isOneOf(DECODERS, decoder))
    ? []
    : [{ path: 'decoders', message: `The decoders must be one of: ${DECODERS.join(', ')}` }];
}
