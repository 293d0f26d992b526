import { ExternalLink, Trash2 } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Property } from '../../fields/property.ts';
import { hasTranslation } from '../../fields/texts/translations.ts';
import { isLayoutBlock } from '../../fields/type-names.ts';
import { asFields } from '../calculations/fields.ts';
import { KindIcon } from '../form-builder/blocks/kind-icon.tsx';
import { kindOf } from '../form-builder/blocks/kinds.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { useHotkeys } from '../lib/use-hotkeys.ts';
import type { Changes } from '../settings/use-changes.ts';
import { questionsOf } from '../share/questions.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CsvButtons } from './csv-buttons.tsx';
import { languageName } from './languages.ts';
import { TextRow } from './text-row.tsx';
import type { Place, TextGroup } from './texts.ts';
import { missingIn, translationOf, withoutLanguage, withTranslation } from './translations.ts';

interface LanguageTextsProps {
  language: string;
  groups: readonly TextGroup[];
  changes: Changes;
  isDisabled: boolean;
}

/** All texts of a form, each beside its translation into one language. */
export function LanguageTexts({ language, groups, changes, isDisabled }: LanguageTextsProps) {
  const { stored, values } = changes;
  const { translations } = values;
  const latest = useRef(changes);
  latest.current = changes;
  const write = useCallback(
    (place: Place, text: string) => {
      const { translations: now } = latest.current.values;
      latest.current.change({ key: 'translations' }, withTranslation(now, language, place, text));
    },
    [language],
  );
  const total = groups.reduce((sum, { texts }) => sum + texts.length, 0);
  const missing = missingIn(translations, language, groups);
  /** Keys of texts that were missing when the filter was set: a text stays visible while it is being translated. */
  const [asked, setAsked] = useState<ReadonlySet<string> | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const reached = useRef<HTMLElement | undefined>(undefined);
  const goToNext = () => {
    reached.current = focusNext(list.current, missing, reached.current);
  };
  useHotkeys({ 'mod+enter': goToNext });
  const fields = useMemo(() => {
    const known = groups.flatMap(({ block }) => (block && !isLayoutBlock(block.type) ? [block] : []));
    const ids = new Set(known.map(({ id }) => id));
    // Fields that are always hidden have no visible texts, but may be mentioned.
    const hidden = questionsOf(stored).filter(({ id }) => !ids.has(id));
    return [...known, ...hidden, ...asFields(values.computed_variables)];
  }, [groups, stored, values.computed_variables]);
  const shown = groups
    .map(({ block, texts }) => ({ block, texts: texts.filter(({ key }) => asked?.has(key) ?? true) }))
    .filter(({ texts }) => texts.length > 0);
  const name = languageName(language);
  return (
    <>
      <div className="-mx-2 flex flex-wrap items-center gap-1">
        {stored.visibility !== 'draft' && hasTranslation(stored.translations, language) && (
          <a
            href={`${stored.share_url}?lang=${language}`}
            target="_blank"
            rel="noreferrer"
            className={buttonClasses('quiet', 'sm')}
          >
            <ExternalLink aria-hidden="true" className="size-3.5" />
            Open the form in {name}
          </a>
        )}
        <CsvButtons language={language} groups={groups} changes={changes} isDisabled={isDisabled} />
        {!isDisabled && <RemoveLanguage language={language} changes={changes} />}
      </div>
      <div className="my-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-sunken px-3 py-2">
        <Checkbox
          className="me-auto"
          label="Only what is missing"
          checked={asked !== null}
          onChange={({ target }) => setAsked(target.checked ? missing : null)}
        />
        <p className="text-muted tabular-nums">
          {formatNumber(total - missing.size)} of {formatCount(total, 'text')}
        </p>
        {!isDisabled && (
          <Button
            size="sm"
            title="Ctrl Enter"
            aria-keyshortcuts="Control+Enter Meta+Enter"
            disabledReason={missing.size === 0 ? 'Nothing is missing.' : null}
            onClick={goToNext}
          >
            Next that is missing
          </Button>
        )}
      </div>
      <div ref={list} className="grid grid-cols-1 gap-6">
        {shown.map(({ block, texts }) => (
          <fieldset key={block?.id ?? 'form'} className="min-w-0">
            <legend className="mb-1 flex max-w-full items-center gap-2">
              <GroupName block={block} />
            </legend>
            {texts.map((text) => (
              <TextRow
                key={text.key}
                text={text}
                value={translationOf(translations, language, text.place)}
                language={language}
                ownLanguage={values.language}
                // Only texts shown after the first answers can mention any.
                fields={text.place.block || text.place.member === 'submitted_text' ? fields : undefined}
                isDisabled={isDisabled}
                onChange={write}
              />
            ))}
          </fieldset>
        ))}
        {shown.length === 0 && <p className="text-muted">Nothing is missing.</p>}
      </div>
    </>
  );
}

function GroupName({ block }: { block: Property | null }) {
  if (!block) return <span className="font-medium">The form itself</span>;
  const kind = kindOf(block);
  return (
    <>
      <KindIcon kind={kind?.key} className="text-muted" />
      <span className="font-medium whitespace-nowrap">{kind?.label ?? 'Question'}</span>
      <bdi className="truncate text-muted">{block.name}</bdi>
    </>
  );
}

function RemoveLanguage({ language, changes }: { language: string; changes: Changes }) {
  const [isAsked, setIsAsked] = useState(false);
  const { translations } = changes.values;
  const name = languageName(language);
  const remove = () => {
    setIsAsked(false);
    changes.change({ key: 'translations' }, withoutLanguage(translations, language));
  };
  const hasTexts = Object.keys(translations[language] ?? {}).length > 0;
  return (
    <>
      <Button
        look="quiet"
        size="sm"
        icon={<Trash2 aria-hidden="true" className="size-3.5" />}
        onClick={() => (hasTexts ? setIsAsked(true) : remove())}
      >
        Remove {name}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={`Remove ${name}?`}
        action={`Remove ${name}`}
        onConfirm={remove}
      >
        <p>All texts of the form in {name} are gone once you save.</p>
      </ConfirmDialog>
    </>
  );
}

/**
 * Focuses the next of these texts, and the first one after the last.
 * @param reached the text reached last, if a button has the focus
 */
function focusNext(
  list: HTMLElement | null,
  missing: ReadonlySet<string>,
  reached: HTMLElement | undefined,
): HTMLElement | undefined {
  const all = [...(list?.querySelectorAll<HTMLElement>('[data-text-of]') ?? [])];
  const here = all.findIndex((one) => one.contains(document.activeElement));
  const at = here >= 0 || !reached ? here : all.indexOf(reached);
  const inOrder = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  const next = inOrder.find((one) => missing.has(one.dataset.textOf ?? ''));
  next?.focus();
  next?.scrollIntoView({ block: 'center' });
  return next;
}
