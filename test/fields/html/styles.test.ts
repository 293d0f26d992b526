import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { styleNames } from '../../../fields/html/style-names.ts';
import { contrast, parseColor, type Rgb } from '../../../server/public-pages/page/colors.ts';
import { themeStyle } from '../../../server/public-pages/page/theme.ts';
import type { PublishedForm } from '../../../server/submissions/published-form/published-form.ts';
import { property } from '../forms.ts';

const FOLDER = resolve(import.meta.dirname, '../../../server/public-pages/styles');
const THEMES = ['default', 'simple', 'notion', 'minimal', 'transparent'];
/** WCAG 2.2: 1.4.3 for text, 1.4.11 for the edges of inputs. */
const TEXT_CONTRAST = 4.5;
const EDGE_CONTRAST = 3;
/** Compressed bytes of all styles of a form with ten fields of mixed types. */
const MAX_STYLES = 3300;

const sheet = (name: string) => readFileSync(`${FOLDER}/${name}.css`, 'utf8');
const names = readdirSync(FOLDER).map((file) => file.replace('.css', ''));

/** The custom properties in rules with exactly this selector. */
function variables(css: string, selector: string): Record<string, string> {
  const rules = css.split('}').filter(
    (rule) =>
      rule
        .split('{')
        .at(-2)
        ?.replace(/\/\*.*?\*\//gs, '')
        .trim() === selector,
  );
  return Object.fromEntries(
    rules.flatMap((rule) =>
      [...rule.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]),
    ),
  );
}

function accentText(style: string, selector: string): string {
  return style.slice(style.indexOf(`${selector}{`)).match(/--accent-text:(#\w{6})/)?.[1] ?? '';
}

/** The visible color, where a translucent one lies on the page. */
function over(color: string, page: string): Rgb {
  const below = parseColor(page)!;
  if (color === 'transparent') return below;
  const share = Number(/\/ ([\d.]+)\)$/.exec(color)?.[1] ?? 1);
  return parseColor(color)!.map(
    (part, index) => part * share + below[index]! * (1 - share),
  ) as unknown as Rgb;
}

/** The colors of a theme in a mode, in the order in which browsers apply them. */
function colors(theme: string, mode: 'light' | 'dark'): Record<string, string> {
  const base = sheet('base');
  const own = theme === 'default' ? '' : sheet(`theme-${theme}`);
  const light = { ...variables(base, ':root'), ...variables(own, `.theme-${theme}`) };
  const always = variables(own, `html.theme-${theme}`);
  if (mode === 'light') return { ...light, ...always };
  return {
    ...light,
    ...variables(base, 'html.dark'),
    ...always,
    ...variables(own, `html.dark.theme-${theme}`),
  };
}

describe.each(THEMES)('theme %s', (theme) => {
  test.each(['light', 'dark'] as const)('can be read, %s', (mode) => {
    const set = colors(theme, mode);
    const color = (name: string): Rgb | null => parseColor(set[name] ?? '');
    const page = color('--bg')!;
    for (const background of [page, color('--surface') ?? page]) {
      for (const text of ['--text', '--muted', '--error', '--accent-text']) {
        expect(contrast(color(text)!, background), `${text} on ${background}`).toBeGreaterThanOrEqual(
          TEXT_CONTRAST,
        );
      }
      const edge = color('--border') ?? color('--text')!;
      expect(contrast(edge, background), 'edges').toBeGreaterThanOrEqual(EDGE_CONTRAST);
    }
  });

  test.each(['#ffff00', '#00e5ff', '#777777', '#ffffff', '#000000', '#3b82f6', '#7b1fa2'])(
    'shows what has the color %s',
    (chosen) => {
      const presentation = { color: chosen, font_family: null, cover_settings: {} };
      const style = themeStyle({ presentation } as unknown as PublishedForm);
      for (const [mode, selector] of [
        ['light', ':root'],
        ['dark', 'html.dark'],
      ] as const) {
        const set = colors(theme, mode);
        const text = parseColor(accentText(style, selector))!;
        for (const name of ['--bg', '--surface', '--soft']) {
          const background = over(set[name] ?? '', set['--bg'] ?? '');
          expect(contrast(text, background), `${mode} ${name}`).toBeGreaterThanOrEqual(TEXT_CONTRAST);
        }
      }
    },
  );

  test('is the same dark, whether asked for or preferred', () => {
    const css = sheet(theme === 'default' ? 'base' : `theme-${theme}`);
    const own = theme === 'default' ? '' : `.theme-${theme}`;
    expect(variables(css, `html.auto${own}`)).toEqual(variables(css, `html.dark${own}`));
  });
});

test('left and right are never named, but for the side of texts that run in a direction of their own', () => {
  const physical = /(?<![\w-])(?:(?:margin|padding|border)-(?:left|right)|left|right|float)\s*:/;
  expect(names.filter((name) => physical.test(sheet(name)))).toEqual([]);
  expect(names.filter((name) => /text-align:\s*(?:left|right)/.test(sheet(name)))).toEqual([
    'aligns',
    'base',
  ]);
});

test('a page carries only what its fields need', () => {
  expect(styleNames([property('text'), property('email')], 'default')).toEqual([]);
  expect(styleNames([property('rating'), property('scale'), property('rating')], 'notion')).toEqual([
    'rating',
    'scale',
    'theme-notion',
  ]);
  expect(styleNames([property('select', { options: ['A'] })], 'default')).toEqual([]);
  expect(styleNames([property('select', { options: ['A'], without_dropdown: true })], 'default')).toEqual([
    'choices',
  ]);
});

test('every sheet a form may ask for exists, and every sheet may be asked for', () => {
  const everything = [
    'select',
    'multi_select',
    'rating',
    'scale',
    'slider',
    'matrix',
    'ranking',
    'files',
    'signature',
    'rich_text',
    'phone_number',
    'repeat',
    'nf-image',
  ].map((type) => property(type, { option_display_mode: 'image_only', image: {}, options: [{ name: 'A' }] }));
  everything.push(
    property('checkbox', { use_toggle_switch: true }),
    property('text', { secret_input: true }),
    property('text', { hide_field_name: true, width: '1/2', align: 'center' }),
    property('date', { date_range: true }),
    property('scale', { scale_min_label: 'Never' }),
  );
  const asked = new Set([
    'base',
    'focused',
    'lines-on-paper',
    'middle',
    'pictures-above',
    'receipt',
    'results',
    'thank-you',
    'uppercase',
    ...THEMES.flatMap((theme) => styleNames(everything, theme, 2)),
  ]);
  expect([...asked].toSorted()).toEqual(names.toSorted());
});

test('ten fields of mixed types are styled with little', () => {
  const types = [
    'text',
    'email',
    'phone_number',
    'select',
    'multi_select',
    'date',
    'rating',
    'scale',
    'matrix',
    'files',
  ];
  const sheets = [
    'base',
    ...styleNames(
      types.map((type) => property(type)),
      'notion',
    ),
  ];
  // about what a minifier leaves
  const css = sheets
    .map(sheet)
    .join('')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};:,>]) ?/g, '$1');
  expect(brotliCompressSync(css).length).toBeLessThanOrEqual(MAX_STYLES);
});
