/** Markup that is safe to send. Only `html` and `trusted` make it, so text can never become markup by accident. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
  toString(): string {
    return this.markup;
  }
}

/** Values allowed in a template: text is escaped, `false`, null and undefined print nothing. */
type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

const SPECIAL = /[&<>"']/g;
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Template for markup. Every value is escaped for text and for quoted attributes, so attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let markup = parts[0] ?? '';
  values.forEach((value, index) => {
    markup += print(value) + (parts[index + 1] ?? '');
  });
  return new Html(markup);
}

/** Markup from a safe source: our own files, or text the sanitiser has passed. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** ` name="value"`; true prints the name alone; false, null and undefined leave the attribute out. */
export function attribute(name: string, value: string | number | boolean | null | undefined): Html {
  if (value === false || value === null || value === undefined) return NOTHING;
  return value === true ? new Html(` ${name}`) : html` ${trusted(name)}="${value}"`;
}

const NOTHING = new Html('');

function print(value: HtmlValue): string {
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.map(print).join('');
  if (value === null || value === undefined || value === false) return '';
  return String(value).replace(SPECIAL, (character) => ENTITIES[character] ?? '');
}
