import { fieldTypeOf } from '../field-types.ts';
import { multiSelectControl, selectControl } from './controls/choices.ts';
import {
  anyTextControl,
  barcodeControl,
  emailControl,
  numberControl,
  phoneControl,
  richTextControl,
  textControl,
  urlControl,
} from './controls/text-inputs.ts';
import type { FieldControl } from './field-control.ts';

const CONTROLS: ReadonlyMap<string, FieldControl> = new Map([
  ['text', textControl],
  ['rich_text', richTextControl],
  ['number', numberControl],
  ['email', emailControl],
  ['url', urlControl],
  ['phone_number', phoneControl],
  ['barcode', barcodeControl],
  ['select', selectControl],
  ['multi_select', multiSelectControl],
]);

/** How a type of input is asked; types without a control of their own take any text. */
export function controlOf(typeName: string): FieldControl {
  return CONTROLS.get(fieldTypeOf(typeName).name) ?? anyTextControl;
}
