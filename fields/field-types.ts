import type { FieldType } from './field-type.ts';
import { COMPUTED_OPERATORS } from './logic/operator-names.ts';
import { canonicalTypeName } from './type-names.ts';
import { barcodeType } from './types/barcode.ts';
import { checkboxType } from './types/checkbox.ts';
import { dateType } from './types/date.ts';
import { emailType } from './types/email.ts';
import { filesType } from './types/files.ts';
import { LAYOUT_TYPES } from './types/layout.ts';
import { locationType } from './types/location.ts';
import { matrixType } from './types/matrix.ts';
import { multiSelectType } from './types/multi-select.ts';
import { numberType } from './types/number.ts';
import { paymentType } from './types/payment.ts';
import { phoneNumberType } from './types/phone-number.ts';
import { rankingType } from './types/ranking.ts';
import { ratingType } from './types/rating.ts';
import { repeatType } from './types/repeat.ts';
import { richTextType } from './types/rich-text.ts';
import { selectType } from './types/select.ts';
import { signatureType } from './types/signature.ts';
import { scaleType, sliderType } from './types/stepped.ts';
import { textType } from './types/text.ts';
import { openType, unknownType } from './types/unknown.ts';
import { urlType } from './types/url.ts';

const FIELD_TYPES: ReadonlyMap<string, FieldType> = new Map(
  [
    textType,
    richTextType,
    numberType,
    ratingType,
    scaleType,
    sliderType,
    selectType,
    multiSelectType,
    checkboxType,
    dateType,
    emailType,
    urlType,
    phoneNumberType,
    matrixType,
    rankingType,
    filesType,
    signatureType,
    barcodeType,
    locationType,
    repeatType,
    paymentType,
    openType('computed', COMPUTED_OPERATORS),
    ...LAYOUT_TYPES,
  ].map((type) => [type.name, type]),
);

/** The type of that name, with `-` or `_`; the `unknown` type for any other string. */
export function fieldTypeOf(typeName: string): FieldType {
  return FIELD_TYPES.get(typeName) ?? FIELD_TYPES.get(canonicalTypeName(typeName)) ?? unknownType;
}
