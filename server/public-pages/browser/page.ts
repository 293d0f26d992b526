import { type CompiledAnswers, compileAnswers } from '../../../fields/compile-answers.ts';
import { readPost } from '../../../fields/html/read-post.ts';
import type { PageTexts } from '../../../fields/languages/language.ts';
import { type Messages, type MessageTemplates, messagesFrom } from '../../../fields/messages.ts';
import type { Answers, ErrorBag } from '../../../fields/property.ts';
import type { Shown } from '../../../fields/shown.ts';
import { type Step, stepsOf } from '../../../fields/steps.ts';
import { fillIn } from '../../../fields/template.ts';
import type { ScriptData } from '../script-data.ts';
import { createEngines, type PageEngines } from './engines.ts';
import type { BegunUpload } from './send-in-parts.ts';

/** What happens on a page, for the parts that are loaded when they are needed. */
export type PageEvent = 'change' | 'step' | 'sent' | 'kept' | 'refused';

/** Files that are kept on the device until the form is sent. */
export interface PageFiles {
  /** @returns the name that stands for it @throws DOMException where there is no room */
  keep(file: File): Promise<string>;
  /** Its upload has begun: should it break off, whoever delivers the file goes on with it. */
  begun(name: string, upload: BegunUpload): Promise<void>;
  /** It has been uploaded: this stands for it now. The service forgets it if the form has to wait for long. */
  arrived(name: string, reference: string): Promise<void>;
  drop(name: string): void;
  /**
   * Uploads those that were chosen without a network: they travel before the form. What is refused is told at its field.
   * @returns whether the form may go too; without a network for them it waits with them
   */
  deliver(): Promise<boolean>;
}

/** The form of this page, while it is filled in. */
export interface Page {
  form: HTMLFormElement;
  data: ScriptData;
  engines: PageEngines;
  /** Settles when the rules are complete, or cannot be had; absent where nothing was missing. */
  ready?: Promise<void> | undefined;
  rules: CompiledAnswers;
  /** The element of a block that shows something, by the id of its field. */
  blocks: ReadonlyMap<string, HTMLElement>;
  steps: Step[];
  /** Index of the step that is shown. */
  step: number;
  shown: Shown;
  /** What is said to be wrong at the moment. */
  problems: ErrorBag;
  /** Fields that somebody changed. */
  touched: Set<string>;
  /** When the page came in sight, by `performance.now()`, where it was not from the beginning: a tab may be opened behind another. */
  seenAt?: number;
  /** Adds what is wrong with the inputs but cannot be read in the answers; there once somebody has begun. */
  addUnread?(problems: ErrorBag): void;
  /** Writes the answers into the texts that mention them; there where there are such texts. */
  showMentions?(): void;
  /**
   * Keeps what cannot be sent now until it can; there where the form can be filled in without a network.
   * @returns whether it is kept
   */
  keepForLater?(entries: [string, string | File][]): Promise<boolean>;
  /** The same for files, from when they are chosen. */
  files?: PageFiles;
  /** Solves the captcha, which counts once; there where the form asks for one and the browser can. Null where it cannot be had now. */
  prove?(): Promise<string | null>;
  /** What is to be done before the form is sent: uploads end, a captcha is solved. */
  waits: (() => unknown)[];
  /** The browser sends the form itself. */
  isPlain: boolean;
  isSending: boolean;
  /** It was sent, or begun anew: nothing of it is kept or saved any more. */
  isOver?: true;
  /** Told of everything that happens; what one has to end before the page goes, it gives back. */
  listeners: ((event: PageEvent) => unknown)[];
}

export function openPage(form: HTMLFormElement, data: ScriptData): Page {
  const engines = createEngines();
  const blocks = [...form.querySelectorAll<HTMLElement>('[data-block]')];
  return {
    form,
    data,
    engines,
    rules: compile(data, engines),
    blocks: new Map(blocks.map((block) => [block.dataset.block ?? '', block])),
    steps: stepsOf(data.properties, data.focused ? 'focused' : 'classic'),
    step: stepOf(find('.step:not([hidden])', form)),
    shown: { states: new Map(), answers: {}, read: {} },
    problems: {},
    touched: new Set(),
    waits: [],
    isPlain: false,
    isSending: false,
    listeners: [],
  };
}

/** Reads the rules again, once everything they need is there. */
export function recompile(page: Page): void {
  page.rules = compile(page.data, page.engines);
}

/** The messages a page was given; for others, which it never shows, there are no words. */
export function messagesOf({ messages, language }: ScriptData): Messages {
  return new Proxy(messagesFrom(messages as MessageTemplates, language), {
    get: (known, key: keyof Messages) => known[key] ?? (() => ''),
  });
}

function compile(data: ScriptData, engines: PageEngines): CompiledAnswers {
  const { properties, variables = [] } = data;
  return compileAnswers({ properties, variables, messages: messagesOf(data) }, engines);
}

export function answersOf({ form, data, engines }: Page): Answers {
  return readPost(data.properties, new FormData(form), { ...engines, isComplete: true });
}

/** @returns once all have ended what they do about it */
export function tell({ listeners }: Page, event: PageEvent): Promise<unknown> {
  return Promise.all(listeners.map((listener) => listener(event)));
}

/** A text of the page with its values. */
export function say(
  { data }: Page,
  key: keyof PageTexts,
  values: Record<string, string | number> = {},
): string {
  return fillIn(data.texts[key] ?? '', values, data.language);
}

/** Where the form is sent to. Not `form.action`: a field may be named so. */
export function actionOf({ form }: Page): URL {
  return new URL(form.getAttribute('action') ?? '', location.href);
}

/** Changes it, also for the buttons that go back and to other languages: what they add stands at the end. */
export function setAction({ form }: Page, { href }: URL): void {
  form.setAttribute('action', href);
  for (const button of document.querySelectorAll('[formaction]')) {
    const own = button.getAttribute('formaction')?.replace(/.*&/, '&');
    button.setAttribute('formaction', href + own);
  }
}

/** The first element of a selector, or null. */
export function find<Found extends HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Found | null {
  return within.querySelector<Found>(selector);
}

/** Number of a step's element. */
export function stepOf(section: HTMLElement | null): number {
  return Number(section?.dataset.step ?? 0);
}

/** A new element with properties and children. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const key in attributes) element.setAttribute(key, attributes[key] ?? '');
  element.append(...children);
  return element;
}

/** Sets or takes away an attribute. */
export function mark(element: Element, name: string, isSet: boolean, value = 'true'): void {
  if (isSet) element.setAttribute(name, value);
  else element.removeAttribute(name);
}
