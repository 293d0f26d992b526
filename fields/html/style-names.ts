import { isOn, isOneOf } from '../block-options/options.ts';
import { fieldTypeOf } from '../field-types.ts';
import { isJsonObject, type Property } from '../property.ts';
import { questionsOf } from '../repeated-questions.ts';
import { holdsFiles } from '../type-names.ts';
import { ALIGNS, WIDTHS } from './block.ts';
import { scaleHasEnds } from './controls/scores.ts';
import { controlOf } from './controls.ts';

/** Style sheets by the type of block that needs them; all other types need only the base. */
const SHEETS: Readonly<Record<string, string>> = {
  phone_number: 'phone',
  multi_select: 'choices',
  rating: 'rating',
  scale: 'scale',
  slider: 'slider',
  matrix: 'matrix',
  ranking: 'ranking',
  repeat: 'repeat',
  files: 'uploads',
  signature: 'uploads',
  rich_text: 'editor',
  'nf-image': 'media',
  'nf-video': 'media',
  'nf-audio': 'media',
  'nf-code': 'media',
};

/** Names of the style sheets that a form needs besides `base`, each once; the page contains only these. */
export function styleNames(properties: readonly Property[], theme: string, languages = 1): string[] {
  const names = new Set(
    properties.flatMap((property) => [property, ...questionsOf(property)]).flatMap(sheetsOf),
  );
  if (languages > 1) names.add('languages');
  if (theme !== 'default') names.add(`theme-${theme}`);
  return [...names];
}

function sheetsOf(property: Property): string[] {
  const type = fieldTypeOf(property.type).name;
  const isGroup = controlOf(type).groupRole(property) === 'radiogroup';
  return [
    SHEETS[type],
    isOneOf(WIDTHS, property.width) && 'widths',
    isOn(property.date_range) && 'range',
    isOneOf(ALIGNS, property.align) && 'aligns',
    type === 'select' && isGroup && 'choices',
    isOneOf(['text_and_image', 'image_only'], property.option_display_mode) && 'cards',
    holdsFiles(type) && 'progress',
    (isOn(property.secret_input) || type === 'location') && 'button-below',
    type === 'checkbox' && isOn(property.use_toggle_switch) && 'switch',
    type === 'scale' && scaleHasEnds(property) && 'scale-ends',
    isJsonObject(property.image) && 'pictures',
    isOn(property.hide_field_name) && 'hidden-names',
  ].filter((name) => typeof name === 'string');
}
