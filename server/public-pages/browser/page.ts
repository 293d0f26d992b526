import { type CompiledAnswers, compileAnswers } from '../../../fields/compile-answers.ts';
import { readPost } from '../../../fields/html/read-post.ts';
import type { PageTexts } from '../../../fields/languages/language.ts';
import type { Shown } from '../../../fields/logic/shown.ts';
import { type Step, stepsOf } from '../../../fields/logic/steps.ts';
import type { Answers, ErrorBag } from '../../../fields/property.ts';
import { type Messages, type MessageTemplates, messagesFrom } from '../../../fields/texts/messages.ts';
import { fillIn } from '../../../fields/texts/template.ts';
import type { ScriptData } from '../page/script-data.ts';
import { createEngines, type PageEngines } from './engines.ts';
import type { BegunUpload } from './send-in-parts.ts';

/** Events of a page, for the parts that are loaded on demand. */
type PageEvent = 'change' | 'step' | 'sent' | 'kept' | 'refused';

/** Files that are kept on the device until the form is sent. */
interface PageFiles {
  /**
   * @returns the name it is kept under
   * @throws DOMException if there is no room
   */
  keep(file: File): Promise<string>;
  /** Notes that the upload has begun: if it breaks off, a later attempt continues it. */
  begun(name: string, upload: BegunUpload): Promise<void>;
  /** Notes the reference of an uploaded file. The service deletes it if the form has to wait for long. */
  arrived(name: string, reference: string): Promise<void>;
  drop(name: string): void;
  /**
   * Uploads files that were chosen without a network; the form is sent after them. A refusal is shown at the field.
   * @returns whether the form may be sent too; false if a file has to wait for the network
   */
  deliver(): Promise<boolean>;
}

/** The form of this page while it is filled in. */
export interface Page {
  form: HTMLFormElement;
  data: ScriptData;
  engines: PageEngines;
  /** Settles when the rules are complete or have failed to load; absent if none were missing. */
  ready?: Promise<void> | undefined;
  rules: CompiledAnswers;
  /** The elements of visible blocks, by field id. */
  blocks: ReadonlyMap<string, HTMLElement>;
  steps: Step[];
  /** Index of the step that is shown. */
  step: number;
  shown: Shown;
  /** The problems shown at the moment. */
  problems: ErrorBag;
  /** Ids of fields that the visitor changed. */
  touched: Set<string>;
  /** When the page came into sight, by `performance.now()`; absent if it was in sight from the beginning. */
  seenAt?: number;
  /** Adds problems with input that cannot be read from the answers; present once the visitor has begun. */
  addUnread?(problems: ErrorBag): void;
  /** Writes answers into the texts that tell of them; present if there are such texts. */
  showMentions?(): void;
  /** Loads the page for another visit; present once the form was sent. */
  loadAnew?(): void;
  /**
   * Keeps what cannot be sent now; present if the form can be filled in without a network.
   * @returns whether it is kept
   */
  keepForLater?(entries: [string, string | File][]): Promise<boolean>;
  /** Likewise for files, from the moment they are chosen. */
  files?: PageFiles;
  /** Leads the page around the frame to another site; present if that page wants it. */
  leadOn?(target: URL): void;
  /** Solves the captcha, valid once; present if the form asks for one and the browser can. Resolves to null if that fails. */
  prove?(): Promise<string | null>;
  /** What has to end before the form is sent: uploads, the captcha. */
  waits: (() => unknown)[];
  /** The browser sends the form without the script. */
  isPlain: boolean;
  isSending: boolean;
  /** This tab has sent the draft that fills in the page; others may have opened a copy of its address. */
  ownsDraft?: boolean;
  /** It was sent or begun anew: nothing is kept or saved any more. */
  isOver?: true;
  /** Called on every event; a returned promise is waited for before the page goes. */
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

/** Compiles the rules again, once all engines are there. */
export function recompile(page: Page): void {
  page.rules = compile(page.data, page.engines);
}

/** The messages that came with the page. The page never shows any other, so those are empty. */
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

/** @returns when all listeners have ended */
export function tell({ listeners }: Page, event: PageEvent): Promise<unknown> {
  return Promise.all(listeners.map((listener) => listener(event)));
}

/** A text of the page with values filled in. */
export function say(
  { data }: Page,
  key: keyof PageTexts,
  values: Record<string, string | number> = {},
): string {
  return fillIn(data.texts[key] ?? '', values, data.language);
}

/**
 * Where the form is sent to, by its id: its slug may have been given to another form since the page was loaded. Not `form.action`,
 * because a field may have that name.
 */
export function actionOf({ form }: Page): URL {
  return new URL(form.getAttribute('action') ?? '', location.href);
}

/** Changes where the form is sent to, also for the buttons to go back and for other languages; their own keys stay at the end. */
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

/** Index of the step that an element shows. */
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

/** Sets an attribute to `true`, or takes it away. */
export function mark(element: Element, name: string, isSet: boolean): void {
  if (isSet) element.setAttribute(name, 'true');
  else element.removeAttribute(name);
}
