import type { PageTexts } from '../../../../fields/languages/language.ts';
import { sanitiseHtml } from '../engines/sanitise.ts';
import { make, type Page, say } from '../page.ts';
import { announceChange, followDisabled, isComposing, labelOf } from './style.ts';

interface Tool {
  /** The lines of its icon, in a square of 24. */
  icon: string;
  text: keyof PageTexts;
  command: string;
  value?: string;
  /** Pressed with Ctrl. Firefox has other uses for these keys: they show bookmarks, the source … */
  key?: string;
}

const LINES = 'M10 6h10M10 12h10M10 18h10';
const CHAIN = 'M10 8H8a4 4 0 0 0 0 8h2M14 8h2a4 4 0 0 1 0 8h-2M9 12h6';
const SVG = 'http://www.w3.org/2000/svg';
const TOOLS: readonly Tool[] = [
  {
    icon: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
    text: 'bold',
    command: 'bold',
    key: 'b',
  },
  { icon: 'M10 5h8M6 19h8M14.5 5l-5 14', text: 'italic', command: 'italic', key: 'i' },
  { icon: 'M7 4v7a5 5 0 0 0 10 0V4M5 20h14', text: 'underline', command: 'underline', key: 'u' },
  { icon: 'M6 5v14M18 5v14M6 12h12', text: 'heading', command: 'formatBlock', value: 'h2' },
  { icon: `${LINES}M4 6h.1M4 12h.1M4 18h.1`, text: 'bulletList', command: 'insertUnorderedList' },
  {
    icon: `${LINES}M3 5l2-1v5M3 15.5c0-2 3-2 3 0 0 1.5-3 2-3 3.5h3`,
    text: 'numberedList',
    command: 'insertOrderedList',
  },
];
const BLOCKS = 'div,section,article,blockquote,h3,h4,h5,h6,pre,tr,dt,dd';
const WEB = /^(?:https?:|mailto:|tel:)/i;

/** Puts an editor over the textarea with the HTML source, which keeps the answer. */
export function enhanceEditor(element: HTMLElement, page: Page): void {
  const area = element as HTMLTextAreaElement;
  const editor = make('div', {
    class: 'editor',
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': labelOf(area),
    tabindex: '0',
  });
  for (const name of ['aria-required', 'aria-invalid', 'aria-describedby']) {
    const value = area.getAttribute(name);
    if (value !== null) editor.setAttribute(name, value);
  }
  if (area.placeholder !== '') editor.setAttribute('aria-placeholder', area.placeholder);
  // Its style shows the placeholder.
  const markBlank = () => editor.classList.toggle('blank', isBlank(editor));
  const show = () => {
    editor.innerHTML = sanitiseHtml(area.value);
    markBlank();
  };
  const write = () => {
    const html = sanitiseHtml(editor.innerHTML).replaceAll('<p></p>', '');
    // A text without any tag was typed into the textarea itself.
    const markup = html.includes('<') ? html : `<p>${html}</p>`;
    area.value = editor.textContent?.trim() === '' ? '' : markup;
    markBlank();
    announceChange(area);
  };
  const run = (command: string, value?: string) => {
    editor.focus();
    document.execCommand(command, false, value);
    write();
    markTools();
  };
  const tools = TOOLS.map(({ icon, text, command, value }) => {
    const button = toolButton(page, icon, text);
    button.addEventListener('click', () => {
      const isHeading = value !== undefined && blockName() === value;
      run(command, isHeading ? 'p' : value);
    });
    return { button, command, value };
  });
  const markTools = () => {
    for (const { button, command, value } of tools) {
      const isOn = value === undefined ? document.queryCommandState(command) : blockName() === value;
      button.setAttribute('aria-pressed', `${isOn}`);
    }
    link.mark();
  };
  const link = linkTool(page, editor, run);
  const toolbar = make('div', { class: 'toolbar', role: 'group', 'aria-label': say(page, 'formatting') });
  toolbar.append(...tools.map(({ button }) => button), ...link.parts);
  followDisabled(area, ...toolbar.querySelectorAll('button'));

  editor.addEventListener('input', (event) => {
    event.stopPropagation();
    write();
  });
  editor.addEventListener('paste', (event) => {
    event.preventDefault();
    const html = event.clipboardData?.getData('text/html') ?? '';
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (html !== '') run('insertHTML', sanitiseHtml(withParagraphs(html)));
    // Browsers take seconds to insert some hundred lines of text one by one.
    else if (text.includes('\n')) run('insertHTML', linesAsParagraphs(text));
    else run('insertText', text);
  });
  // Dragged content would be inserted unsanitised.
  editor.addEventListener('drop', (event) => event.preventDefault());
  editor.addEventListener('focus', () => document.execCommand('defaultParagraphSeparator', false, 'p'));
  editor.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || area.disabled) return;
    const tool = TOOLS.find(({ key }) => key === event.key.toLowerCase());
    if (!tool) return;
    event.preventDefault();
    run(tool.command);
  });
  editor.addEventListener('keyup', markTools);
  editor.addEventListener('mouseup', markTools);
  area.addEventListener('restore', show);
  area.form?.querySelector(`label[for="${area.id}"]`)?.addEventListener('click', () => editor.focus());
  const lock = () => {
    editor.contentEditable = `${!area.disabled}`;
    editor.ariaDisabled = `${area.disabled}`;
  };
  new MutationObserver(lock).observe(area, { attributeFilter: ['disabled'] });
  lock();

  editor.id = area.id;
  area.id = `${area.id}-native`;
  const place = make('div', { class: 'writing' }, toolbar, editor);
  // Keeps the height, so that nothing below moves.
  place.style.minBlockSize = `${area.offsetHeight}px`;
  area.hidden = true;
  show();
  area.before(place);
}

/** Whether it shows nothing, not even a second line. Browsers put a `br` into a line without text. */
function isBlank(editor: HTMLElement): boolean {
  const lines = editor.querySelectorAll('br').length;
  return editor.textContent === '' && lines < 2 && !editor.querySelector('li,h1,h2');
}

/**
 * Turns blocks that a rich text may not have into paragraphs, because without them their texts would run together. Leaves out
 * elements that only carry styles: Chromium takes seconds to insert some hundred, and Google Docs puts all it copies into a
 * `b` that is not bold.
 */
function withParagraphs(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const styled of body.querySelectorAll('span,font,b[style*="font-weight:normal"]'))
    styled.replaceWith(...styled.childNodes);
  for (const pre of body.querySelectorAll('pre'))
    pre.innerHTML = pre.innerHTML.trim().replaceAll('\n', '<br>');
  for (const cell of body.querySelectorAll('td,th')) cell.replaceWith(...cell.childNodes, ' ');
  for (const block of body.querySelectorAll(`:is(${BLOCKS}):not(:has(${BLOCKS},p,ul,ol,h1,h2))`))
    block.replaceWith(make('p', {}, ...block.childNodes));
  return body.innerHTML;
}

function linesAsParagraphs(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => make('p', {}, line === '' ? make('br') : line).outerHTML)
    .join('');
}

/** Its button makes a link of the chosen text, or, inside a link, text of the link. */
function linkTool(page: Page, editor: HTMLElement, run: (command: string, value?: string) => void) {
  const button = toolButton(page, CHAIN, 'link');
  const present = () => {
    const { anchorNode = null } = getSelection() ?? {};
    return editor.contains(anchorNode) ? (anchorNode?.parentElement?.closest('a') ?? null) : null;
  };
  const mark = () => {
    const isInside = present() !== null;
    name(button, say(page, isInside ? 'removeLink' : 'link'));
    button.classList.toggle('on', isInside);
  };
  const input = make('input', {
    type: 'url',
    'aria-label': say(page, 'linkAddress'),
    placeholder: 'https://',
    hidden: '',
  });
  let range: Range | null = null;
  button.addEventListener('click', () => {
    const selection = getSelection();
    const inside = present();
    if (inside) {
      // All of it: Chromium takes no link away around a mere caret.
      selection?.selectAllChildren(inside);
      run('unlink');
      return selection?.collapseToEnd();
    }
    range = selection && editor.contains(selection.anchorNode) ? selection.getRangeAt(0) : null;
    input.hidden = false;
    input.focus();
  });
  const close = (isTaken: boolean) => {
    const address = input.value.trim();
    input.hidden = true;
    input.value = '';
    editor.focus();
    if (range) {
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    }
    if (!isTaken || address === '') return;
    const href = WEB.test(address) ? address : `https://${address}`;
    if (range && !range.collapsed) run('createLink', href);
    else run('insertHTML', make('a', { href }, address).outerHTML);
  };
  input.addEventListener('keydown', (event) => {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || isComposing(event)) return;
    event.preventDefault();
    event.stopPropagation();
    close(event.key === 'Enter');
  });
  for (const name of ['input', 'change']) input.addEventListener(name, (event) => event.stopPropagation());
  return { parts: [button, input], mark };
}

function toolButton(page: Page, lines: string, text: keyof PageTexts): HTMLButtonElement {
  const icon = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.ariaHidden = 'true';
  path.setAttribute('d', lines);
  icon.append(path);
  const button = make('button', { type: 'button' }, icon);
  name(button, say(page, text));
  // Keeps the selection in the text.
  button.addEventListener('pointerdown', (event) => event.preventDefault());
  return button;
}

function name(button: HTMLButtonElement, text: string): void {
  button.title = text;
  button.ariaLabel = text;
}

function blockName(): string {
  return document.queryCommandValue('formatBlock').toLowerCase();
}
