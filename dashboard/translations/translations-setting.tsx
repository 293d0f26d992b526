import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { hasTranslation } from '../../fields/texts/translations.ts';
import type { Form } from '../api/queries.ts';
import { definitionOf, draftQuery, type FormDraft } from '../form-builder/saving/draft.ts';
import { formatNumber } from '../lib/format.ts';
import type { OwnSettingProps } from '../settings/own-setting-props.ts';
import { Problems } from '../settings/problems.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { Load } from '../ui/load.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Notice } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { LanguageTexts } from './language-texts.tsx';
import { FORM_LANGUAGES, languageName } from './languages.ts';
import { textsOf } from './texts.ts';
import { missingIn } from './translations.ts';

/** Chooses a form's other languages, and edits their texts. */
export function TranslationsSetting(props: OwnSettingProps) {
  const draft = useQuery(draftQuery(props.changes.stored.id));
  return (
    <Load query={draft} skeleton={<Skeleton className="h-64" />}>
      {(found) => <Translations {...props} draft={found} />}
    </Load>
  );
}

function Translations({
  changes,
  problems,
  isDisabled,
  draft,
}: OwnSettingProps & { draft: FormDraft | null }) {
  const { stored, values } = changes;
  const { translations, language: own } = values;
  const { language: wanted } = useSearch({ from: '/app/workspaces/$workspaceId/forms/$formId/settings' });
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/settings' });
  const groups = useTexts(changes, draft);
  const total = groups.reduce((sum, { texts }) => sum + texts.length, 0);
  const languages = FORM_LANGUAGES.filter((code) => code !== own && hasTranslation(translations, code));
  const show = (language: string) =>
    void navigate({ search: { part: 'languages', language }, replace: true, resetScroll: false });
  const add = (code: string) => {
    changes.change({ key: 'translations' }, { ...translations, [code]: {} });
    show(code);
  };
  return (
    <div className="grid grid-cols-1 gap-5">
      {!isDisabled && (
        <AddLanguage
          codes={FORM_LANGUAGES.filter((code) => code !== own && !languages.includes(code))}
          onAdd={add}
        />
      )}
      {isDisabled && languages.length === 0 && <p className="text-muted">There are none.</p>}
      {draft?.definition.properties !== undefined && languages.length > 0 && (
        <Notice>
          These are the texts of the builder, with those that are not published yet: visitors see their
          translations once they are.
        </Notice>
      )}
      <Problems texts={problems} />
      {languages.length > 0 && (
        <Tabs
          label="Other languages"
          value={languages.find((code) => code === wanted) ?? languages[0] ?? ''}
          onChange={show}
          tabs={languages.map((code) => ({
            key: code,
            name: (
              <>
                {languageName(code)}
                <span className="ms-2 text-[0.8125rem] font-normal text-muted tabular-nums">
                  {formatNumber(total - missingIn(translations, code, groups).size)} of {formatNumber(total)}
                </span>
              </>
            ),
            content: (
              <LanguageTexts language={code} groups={groups} changes={changes} isDisabled={isDisabled} />
            ),
          }))}
        />
      )}
      {stored.visibility === 'draft' && languages.length > 0 && (
        <p className="text-muted">Once the form is published, it can be opened in each language from here.</p>
      )}
    </div>
  );
}

/** Keeps the same object until the form's own texts change, so that translating one text renders only its row. */
function useTexts({ stored, patch }: OwnSettingProps['changes'], draft: FormDraft | null) {
  const { translations: _, ...others } = patch;
  const unsaved = JSON.stringify(others);
  return useMemo(() => {
    const form: Form = { ...stored, ...JSON.parse(unsaved) };
    return textsOf({ ...form, ...definitionOf(form, draft) });
  }, [stored, unsaved, draft]);
}

function AddLanguage({ codes, onAdd }: { codes: readonly string[]; onAdd(code: string): void }) {
  const [chosen, setChosen] = useState('');
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Field name="new language" label="Another language">
        <Select
          className="w-full sm:w-72"
          value={codes.includes(chosen) ? chosen : ''}
          onChange={({ target }) => setChosen(target.value)}
        >
          <option value="">Choose one</option>
          {codes.map((code) => (
            <option key={code} value={code}>
              {languageName(code)}
            </option>
          ))}
        </Select>
      </Field>
      <Button
        disabledReason={codes.includes(chosen) ? null : 'Choose a language first.'}
        onClick={() => onAdd(chosen)}
      >
        Add language
      </Button>
    </div>
  );
}
