/*
 * What the script of the page finds in the markup. Names without a value are flags.
 *
 *   block      id="f<n>-block" data-block="<field id>" data-type="<type>"   every block; `hidden` while it is not shown
 *              id="f<n>"              its input, or its fieldset; inputs of a group are f<n>-0, f<n>-1 …
 *              id="f<n>-error"        the place of its problem; `hidden` while there is none
 *              id="f<n>-help"         its help
 *              data-required          the mark behind the name, wherever the field is or may become required
 *              data-kept              hidden inputs with the answer of a disabled field: remove when it is enabled
 *   text       data-max-chars="<n>"   characters (code points);  data-counter   text that tells how many are left
 *              data-mask="<mask>" data-slot="<character>"
 *              data-secret            typed unseen
 *   rich text  data-rich              textarea with HTML
 *   phone      data-phone data-unavailable="FR,DE"
 *   date       data-date data-format="dd/MM/yyyy" data-time-format="24"
 *   select     data-search            select, or list of options, with many options
 *              data-other             input for an option of one's own
 *              data-exclusive         list of options, some of which rule out the others;  data-alone   the box of such an option
 *   radios     data-clear             radio that takes the answer back; in a matrix that of its row
 *   slider     data-slider data-min data-max data-by       text input; untouched means unanswered
 *   matrix     data-row="<n>"         rows of the table
 *   ranking    data-ranking           list of options, each with a list of places
 *   files      data-files data-camera data-max-size="<bytes>"   input; uploads before it are li in ul.uploaded with a
 *              hidden input of the field's name and a box named `<field id>[remove]`
 *   signature  data-signature         around all; data-typed   input of the typed name
 *   barcode    data-decoders="qr_reader,…"
 *   location   data-locate
 *   repeat     data-repeat data-min="<n>" data-max="<n>" data-name="<what entries are called>"   around the entries, each a
 *              fieldset f<n>-e<number> with a hidden input `<field id>[]`; behind it a template of one, and the button .add
 *   media      data-embed="video|audio"   link to a player of others
 *   code       data-code              frame
 */
import { fieldTypeOf } from '../field-types.ts';
import type { InputType } from '../type-names.ts';
import { checkboxControl } from './controls/checkbox.ts';
import { multiSelectControl, selectControl } from './controls/choices.ts';
import { dateControl } from './controls/date.ts';
import { matrixControl } from './controls/matrix.ts';
import { paymentControl } from './controls/payment.ts';
import { rankingControl } from './controls/ranking.ts';
import { repeatControl } from './controls/repeat.ts';
import { ratingControl, scaleControl, sliderControl } from './controls/scores.ts';
import {
  anyTextControl,
  barcodeControl,
  emailControl,
  locationControl,
  numberControl,
  phoneControl,
  richTextControl,
  textControl,
  urlControl,
} from './controls/text-inputs.ts';
import { filesControl, signatureControl } from './controls/uploads.ts';
import type { FieldControl } from './field-control.ts';

const CONTROLS: Readonly<Record<string, FieldControl>> = {
  text: textControl,
  rich_text: richTextControl,
  number: numberControl,
  email: emailControl,
  url: urlControl,
  phone_number: phoneControl,
  barcode: barcodeControl,
  location: locationControl,
  select: selectControl,
  multi_select: multiSelectControl,
  checkbox: checkboxControl,
  date: dateControl,
  rating: ratingControl,
  scale: scaleControl,
  slider: sliderControl,
  matrix: matrixControl,
  ranking: rankingControl,
  repeat: repeatControl,
  files: filesControl,
  payment: paymentControl,
  signature: signatureControl,
  computed: anyTextControl,
} satisfies Record<InputType, FieldControl>;

/** The control for a type of input; unknown types take any text. */
export function controlOf(typeName: string): FieldControl {
  return CONTROLS[fieldTypeOf(typeName).name] ?? anyTextControl;
}
