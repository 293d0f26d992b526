import { compileMask as maskCompiler } from '../../../../fields/block-options/input-mask.ts';
import type { AnswerRules } from '../../../../fields/field-type.ts';
import { readEntries as entriesReader } from '../../../../fields/html/read-entries.ts';
import type { Operators } from '../../../../fields/logic/operators.ts';
import { RARE_OPERATORS } from '../../../../fields/logic/rare-operators.ts';
import { compileMentions as mentionsCompiler } from '../../../../fields/texts/mentions.ts';
import { barcodeRules } from '../../../../fields/types/barcode.ts';
import { exclusiveChoiceRules } from '../../../../fields/types/exclusive-choice.ts';
import { filesRules } from '../../../../fields/types/files.ts';
import { locationRules } from '../../../../fields/types/location.ts';
import { matrixRules } from '../../../../fields/types/matrix.ts';
import { phoneNumberRules } from '../../../../fields/types/phone-number.ts';
import { rankingRules } from '../../../../fields/types/ranking.ts';
import { repeatRules } from '../../../../fields/types/repeat.ts';
import { richTextRules } from '../../../../fields/types/rich-text.ts';
import { signatureRules } from '../../../../fields/types/signature.ts';
import { scaleRules, sliderRules } from '../../../../fields/types/stepped.ts';
import { urlRules } from '../../../../fields/types/url.ts';

/** Rules of some types and some operators, which few forms need. */
export const rareOperators: Operators = RARE_OPERATORS;
export const rareRules: readonly AnswerRules[] = [
  barcodeRules,
  exclusiveChoiceRules(({ exclusive }) => new Set(Array.isArray(exclusive) ? exclusive : [])),
  filesRules,
  locationRules,
  matrixRules,
  phoneNumberRules,
  rankingRules,
  repeatRules,
  richTextRules,
  scaleRules,
  signatureRules,
  sliderRules,
  urlRules,
];
export const readEntries = entriesReader;
export const compileMask = maskCompiler;
export const compileMentions = mentionsCompiler;
