import { isRightToLeft } from '../../../fields/languages/languages.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { asText, colorText, contrast, parseColor, type Rgb, readableOn, WHITE } from './colors.ts';

const DEFAULT_COLOR: Rgb = [59, 130, 246];
/** The worst backgrounds for text in the form's color: the darkest light and the lightest dark `--soft` of all themes. */
const LIGHT_PAGE: Rgb = [231, 233, 237];
const DARK_PAGE: Rgb = [50, 50, 54];
/** A color on which white text has less contrast than this stays as it is, with black text. */
const NEARLY_ENOUGH = 3;

/** Letters, digits, spaces and hyphens: nothing that could end a quoted family name. */
const FONT = /^[\p{L}\p{N} -]{1,100}$/u;

/** Class names of `<html>` for the form's look. */
export function themeClasses({ presentation }: PublishedForm): string {
  const {
    theme,
    width,
    size,
    border_radius: radius,
    dark_mode: mode,
    presentation_style: style,
  } = presentation;
  return [
    `theme-${theme} width-${width} size-${size} radius-${radius} ${mode} ${style}`,
    presentation.uppercase_labels && 'uppercase',
    presentation.transparent_background && 'transparent',
  ]
    .filter(Boolean)
    .join(' ');
}

/** The form's own colors and font as custom properties. Text on them is always readable, whatever the owner chose. */
export function themeStyle({ presentation }: PublishedForm): string {
  const chosen = parseColor(presentation.color) ?? DEFAULT_COLOR;
  // White text looks calmer than black, so a color that nearly allows it is darkened a little.
  const color = contrast(chosen, WHITE) >= NEARLY_ENOUGH ? asText(chosen, WHITE) : chosen;
  const font = presentation.font_family?.trim() ?? '';
  const dark = `--accent-text:${colorText(asText(chosen, DARK_PAGE))}`;
  return [
    `:root{--accent:${colorText(color)};--on-accent:${colorText(readableOn(color))}`,
    `;--accent-text:${colorText(asText(chosen, LIGHT_PAGE))}`,
    FONT.test(font) ? `;--font:"${font}",system-ui,sans-serif` : '',
    `}html.dark{${dark}}@media(prefers-color-scheme:dark){html.auto{${dark}}}`,
    coverStyle(presentation.cover_settings),
  ].join('');
}

/** Text direction of the page: the language's, unless the owner reverses it. */
export function directionOf({ presentation }: PublishedForm): 'ltr' | 'rtl' {
  return presentation.layout_rtl || isRightToLeft(presentation.language) ? 'rtl' : 'ltr';
}

/** Which part of the cover stays visible, in percent, and its brightness. */
function coverStyle(settings: { [key: string]: unknown }): string {
  const { focal_point: focus, brightness } = settings as {
    focal_point?: { x?: number; y?: number };
    brightness?: number;
  };
  const rules = [
    focus && `object-position:${Number(focus.x ?? 50)}% ${Number(focus.y ?? 50)}%`,
    brightness && `filter:brightness(${1 + Number(brightness) / 100})`,
  ].filter(Boolean);
  return rules.length > 0 ? `.cover{${rules.join(';')}}` : '';
}
