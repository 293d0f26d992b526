import { parseDocument } from 'htmlparser2';
import { expect } from 'vitest';
import type { TestService } from '../setup/service.ts';

type Node = ReturnType<typeof parseDocument>['children'][number];
type Element = Extract<Node, { attribs: unknown }>;

/** A page as a browser without scripts sees it. */
export interface Page {
  status: number;
  /** The final path and query, after redirects. */
  path: string;
  html: string;
  headers: Headers;
  /** All text of `<main>`. */
  text: string;
  title: string;
}

export type Values = Record<string, string | string[] | File>;

/** A browser without scripts: follows redirects, fills in forms, presses buttons. */
export function aVisitor(service: TestService) {
  async function open(path: string, init: RequestInit = {}): Promise<Page> {
    const headers = {
      accept: 'text/html,application/xhtml+xml',
      ...(init.headers as Record<string, string>),
    };
    const answer = await fetch(service.url + path, { ...init, headers, redirect: 'manual' });
    const target = answer.headers.get('location');
    if (target?.startsWith('/')) {
      expect(init.method === 'POST' ? [303] : [302, 303]).toContain(answer.status);
      return open(target);
    }
    const html = await answer.text();
    const document = parseDocument(html);
    return {
      status: answer.status,
      path: target ?? path,
      html,
      headers: answer.headers,
      text: wordsOf(find(document.children, (element) => element.name === 'main')),
      title: wordsOf(find(document.children, (element) => element.name === 'title')),
    };
  }

  /**
   * Sends the form of a page with all it contains, changed by these values; `null` empties an input.
   * @param options.action of a button elsewhere on the page
   */
  async function send(
    page: Page,
    values: Record<string, string | (string | File)[] | File | null> = {},
    { button = 'primary', action }: { button?: string; action?: string } = {},
  ): Promise<Page> {
    const elements = parseDocument(page.html).children;
    const form = find(elements, ({ name }) => name === 'form');
    if (!form) throw new Error(`no form on ${page.path}: ${page.text}`);
    const pressed = find(form.children, ({ name, attribs }) => name === 'button' && attribs.class === button);
    const body = new FormData();
    for (const [name, value] of valuesOf(form)) if (!Object.hasOwn(values, name)) body.append(name, value);
    for (const [name, value] of Object.entries(values)) {
      for (const item of [value ?? []].flat()) body.append(name, item);
    }
    const isMultipart = form.attribs.enctype === 'multipart/form-data';
    return open(action ?? pressed?.attribs.formaction ?? form.attribs.action ?? page.path, {
      method: 'POST',
      body: isMultipart ? body : new URLSearchParams([...body].map(([name, value]) => [name, String(value)])),
    });
  }
  return { open, send };
}

/** What a browser would send of an unchanged form. */
function valuesOf(form: Element): [string, string][] {
  const found: [string, string][] = [];
  walk(form.children, (element) => {
    const { name, attribs } = element;
    if (attribs.name === undefined || attribs.disabled !== undefined) return;
    const value = VALUES[name]?.(element);
    if (value !== undefined) found.push([attribs.name, value]);
  });
  return found;
}

/** What is sent of an element, by its name; undefined for nothing. */
const VALUES: Record<string, (element: Element) => string | undefined> = {
  textarea: (element) => wordsOf(element).replace(/^\n/, ''),
  select({ children }) {
    const options = allOf(children, ({ name }) => name === 'option');
    const chosen = options.find(({ attribs }) => attribs.selected !== undefined) ?? options[0];
    return chosen && (chosen.attribs.value ?? wordsOf(chosen));
  },
  input({ attribs: { type, value, checked } }) {
    if (type === 'checkbox' || type === 'radio') return checked === undefined ? undefined : (value ?? 'on');
    return type === 'file' ? undefined : (value ?? '');
  },
};

/** The part of a page that belongs to one block, without markup; '' where the block is hidden or missing. */
export function blockOf(page: Page, id: string): string {
  const block = find(parseDocument(page.html).children, ({ attribs }) => attribs['data-block'] === id);
  return block === undefined || block.attribs.hidden !== undefined ? '' : wordsOf(block);
}

export function shownStep(page: Page): string | undefined {
  return find(
    parseDocument(page.html).children,
    ({ attribs }) => attribs.class === 'step' && attribs.hidden === undefined,
  )?.attribs['data-step'];
}

function find(nodes: Node[], isIt: (element: Element) => boolean): Element | undefined {
  return allOf(nodes, isIt)[0];
}

function allOf(nodes: Node[], isIt: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  walk(nodes, (element) => {
    if (isIt(element)) found.push(element);
  });
  return found;
}

function walk(nodes: Node[], visit: (element: Element) => void): void {
  for (const node of nodes) {
    if (!('attribs' in node)) continue;
    visit(node);
    walk(node.children, visit);
  }
}

function wordsOf(node: Node | undefined): string {
  if (node === undefined) return '';
  if ('data' in node) return node.type === 'text' ? node.data : '';
  return 'children' in node ? node.children.map(wordsOf).join('') : '';
}
