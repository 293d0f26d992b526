import { ATTRIBUTION_PREFIX } from '../../fields/attribution-keys.ts';
import { RESERVED_IDS } from '../../fields/check-properties.ts';
import { canShuffle } from '../../fields/choices/shuffle.ts';
import type { Ending } from '../../fields/logic/endings.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { escapeHtml } from '../../fields/texts/escape-html.ts';
import { plainText } from '../../fields/texts/plain-text.ts';
import type { Calculation } from '../calculations/fields.ts';
import { newId } from '../form-builder/new-id.ts';
import type { Test } from './boolean-tests.ts';
import type { Choices } from './choices.ts';
import { groupOf } from './conditions.ts';
import { fitForm } from './fit-form.ts';
import type { ImportedForm, ImportNote } from './imported.ts';
import { objectOf } from './json.ts';
import { asHtml, asName, inOneLanguage, mapWords, type Pipe, type Words, wordsOr } from './words.ts';

/** Ids that can be kept, because they are safe in addresses, formulas and HTML. */
const KEPT_ID = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/;
/** What ids of columns and calculations begin with. */
const RESERVED_PREFIXES = [ATTRIBUTION_PREFIX, 'cv_'];

/** A question as conditions refer to it. */
export interface Asked {
  block: Pick<Property, 'id' | 'type' | 'name'>;
  /** Names of its choices here, by their names elsewhere. */
  choices: ReadonlyMap<string, string>;
}

type Options = Record<string, JsonValue>;

/** The texts of a block. */
interface Texts {
  name: Words;
  help?: Words | undefined;
  placeholder?: Words | undefined;
  content?: Words | undefined;
  /** Texts of options, rows and columns. */
  labels?: readonly Words[] | undefined;
}

export type Maker = ReturnType<typeof makeForm>;

/**
 * Builds a form block by block, and collects notes.
 * @param pipe matches mentions of earlier answers in texts
 */
export function makeForm(pipe: Pipe) {
  const properties: Property[] = [];
  const calculations: Calculation[] = [];
  const endings: Ending[] = [];
  const notes: ImportNote[] = [];
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  const asked = new Map<string, Asked>();
  const translations = new Map<string, Record<string, JsonValue>>();
  const blockTexts = new Map<string, Record<string, Record<string, JsonValue>>>();

  function note(source: string, text: string): void {
    const about = asName(source.replace(pipe, '…'));
    if (!notes.some((one) => one.about === about && one.text === text)) notes.push({ about, text });
  }

  /** The id of a block: the former one if possible. */
  function idOf(source: string): string {
    const known = ids.get(source);
    if (known !== undefined) return known;
    return register(source, mayKeep(source) && !taken.has(source) ? source : newId());
  }

  function calculationId(source: string): string {
    const known = ids.get(source);
    if (known !== undefined) return known;
    return register(source, KEPT_ID.test(`cv_${source}`) ? `cv_${source}` : `cv_${newId()}`);
  }

  function register(source: string, id: string): string {
    ids.set(source, id);
    taken.add(id);
    return id;
  }

  /** HTML with mentions of earlier answers. */
  function rich(words: Words): Words {
    return mapWords(words, (text) => asHtml(text).replace(pipe, (_all, name: string) => mention(name)));
  }

  function mention(source: string): string {
    return `<span mention="true" mention-field-id="${escapeHtml(idOf(source.trim()))}" mention-fallback="…">…</span>`;
  }

  /** A name, which cannot contain mentions. */
  function plain(words: Words): Words {
    return mapWords(words, (text) => asName(text.replace(pipe, '…')));
  }

  function say(blockId: string, key: string, words: Words | undefined): void {
    for (const [code, text] of Object.entries(words?.others ?? {})) {
      if (text.trim() === '') continue;
      const blocks = blockTexts.get(code) ?? {};
      blockTexts.set(code, blocks);
      blocks[blockId] = { ...blocks[blockId], [key]: text };
    }
  }

  function sayLabels(blockId: string, labels: readonly Words[]): void {
    const codes = new Set(labels.flatMap(({ others }) => Object.keys(others)));
    for (const code of codes) {
      const blocks = blockTexts.get(code) ?? {};
      blockTexts.set(code, blocks);
      const said = labels.flatMap(({ text, others }) => (others[code] ? [[text, others[code]]] : []));
      blocks[blockId] = { ...blocks[blockId], labels: Object.fromEntries(said) };
    }
  }

  function add(id: string, type: string, texts: Texts, options: Options = {}): Property {
    const name = plain(texts.name);
    const help = texts.help && rich(texts.help);
    const placeholder = texts.placeholder && plain(texts.placeholder);
    const isInput = !type.startsWith('nf-');
    const block: Property = {
      id,
      type,
      name: name.text || (isInput ? 'Question' : 'Text'),
      ...(isInput && { hidden: false, required: false }),
      ...(help?.text && { help: help.text }),
      ...(placeholder?.text && { placeholder: placeholder.text }),
      ...(texts.content && { content: texts.content.text }),
      ...options,
    };
    properties.push(block);
    if (isInput && texts.name.text.search(pipe) >= 0)
      note(
        block.name,
        'Its name repeats an earlier answer, which only texts and help can: “…” stands there.',
      );
    if (isInput) say(id, 'name', name);
    say(id, 'help', help);
    say(id, 'placeholder', placeholder);
    say(id, 'content', texts.content);
    sayLabels(id, texts.labels ?? []);
    return block;
  }

  function forget({ id }: Property): void {
    for (const [source, { block }] of asked) if (block.id === id) asked.delete(source);
  }

  return {
    properties,
    calculations,
    note,
    idOf,
    calculationId,
    rich,
    say,

    /** Adds a question that conditions may refer to by its former name. */
    ask(source: string, type: string, texts: Texts, options: Options = {}, choices?: Choices): Property {
      // Conditions cannot refer to a question without a name.
      const isTaken = source === '' || asked.has(source);
      const block = add(isTaken ? newId() : idOf(source), type, texts, options);
      if (!isTaken) asked.set(source, { block, choices: choices?.bySource ?? new Map() });
      return block;
    },

    /** Adds a text block; nothing if the text is empty. */
    tell(words: Words, toHtml: (text: string) => string = asHtml, name = words): Property | null {
      if (words.text.trim() === '') return null;
      const content = rich(mapWords(words, toHtml));
      return add(newId(), 'nf-text', { name, content });
    },

    breakPage(name: Words, options: Options = {}): Property {
      return add(newId(), 'nf-page-break', { name: wordsOr(name, 'Page') }, options);
    },

    breakLine(): Property {
      return add(newId(), 'nf-divider', { name: inOneLanguage('Divider') });
    },

    show(type: 'nf-image' | 'nf-video', address: string, name: string): Property {
      const key = type === 'nf-image' ? 'image_block' : 'video_block';
      const options = { [key]: address, ...(type === 'nf-image' && name !== '' && { alt: name }) };
      return add(newId(), type, { name: inOneLanguage(name || 'Picture') }, options);
    },

    calculate(source: string, name: string, formula: string): void {
      const id = asked.has(source) ? `cv_${newId()}` : calculationId(source);
      calculations.push({ id, name, formula });
      asked.set(source, { block: { id, type: 'computed', name }, choices: new Map() });
    },

    /** Shuffles a question's choices for each visit; notes if that is not possible. */
    shuffle(block: Property, isShuffled: boolean, order: 'all' | 'except_last' = 'all'): Property {
      if (isShuffled && canShuffle(block.type)) block.shuffle_options = order;
      else if (isShuffled) note(block.name, 'Its choices were shuffled. Here they stand in their order.');
      return block;
    },

    find: (source: string): Asked | undefined => asked.get(source),

    /** Removes the blocks from this index on, and returns them. */
    takeFrom: (from: number): Property[] => properties.splice(from),

    /** Conditions can no longer refer to a block. */
    forget,

    /** Moves the translations of questions to the block that repeats them; conditions can no longer refer to these questions. */
    moveTexts(questions: readonly Property[], { id }: Property): void {
      for (const question of questions) forget(question);
      for (const blocks of blockTexts.values()) {
        const said = questions.flatMap((question) => {
          const texts = blocks[question.id];
          delete blocks[question.id];
          return texts ? [[question.id, withPlainHelp(texts)] as const] : [];
        });
        if (said.length > 0) blocks[id] = { ...blocks[id], questions: Object.fromEntries(said) };
      }
    },

    /** Sets a text of the form itself in its other languages. */
    translate(key: string, words: Words): void {
      for (const [code, text] of Object.entries(words.others))
        translations.set(code, { ...translations.get(code), [key]: text });
    },

    /** Adds an ending for those whose answers make the test true. */
    endWhen(
      when: Test,
      name: string,
      { text, address }: { text: Words; address?: string | undefined },
    ): void {
      const id = newId();
      const html = rich(text);
      endings.push({
        id,
        name: plain(inOneLanguage(name)).text || `Ending ${endings.length + 1}`,
        conditions: groupOf(when),
        submitted_text: html.text || null,
        redirect_url: address ?? null,
      });
      for (const [code, said] of Object.entries(html.others)) {
        const texts = translations.get(code);
        const others = objectOf(texts?.endings) as { [id: string]: JsonValue };
        translations.set(code, { ...texts, endings: { ...others, [id]: { submitted_text: said } } });
      }
    },

    finish(title: string, members: { [key: string]: unknown } = {}): ImportedForm {
      const said = [...new Set([...translations.keys(), ...blockTexts.keys()])].map((code) => [
        code,
        { ...translations.get(code), properties: blockTexts.get(code) ?? {} },
      ]);
      const form = {
        ...members,
        title,
        properties,
        ...(calculations.length > 0 && { computed_variables: calculations }),
        ...(endings.length > 0 && { endings }),
        ...(said.length > 0 && { translations: Object.fromEntries(said) }),
      };
      return fitForm(form, notes);
    },
  };
}

/** Whether the id of a block elsewhere can be its id here. */
function mayKeep(id: string): boolean {
  return (
    KEPT_ID.test(id) && !RESERVED_IDS.has(id) && !RESERVED_PREFIXES.some((prefix) => id.startsWith(prefix))
  );
}

/** The help of repeated questions is plain text, not HTML. */
function withPlainHelp({ help, ...texts }: Record<string, JsonValue>): Record<string, JsonValue> {
  return typeof help === 'string' ? { ...texts, help: plainText(help) } : texts;
}
