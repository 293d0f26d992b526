import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { JsonObject } from '../../fields/property.ts';
import { ApiError, api, type Body, type Errors } from '../api/client.ts';
import { type Form, formQuery, keysOfForm } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { merged } from '../translations/merge.ts';
import { nameOf, type Setting, type SettingKey, settingValue, type Values, withValue } from './setting.ts';

type Patch = Partial<Body<'/open/forms/{form}', 'put'>>;

/** The stored settings of a form and their unsaved changes. */
export interface Changes {
  /** With the unsaved changes. */
  values: Values;
  /** Without the unsaved changes. */
  stored: Form;
  changed: ReadonlySet<SettingKey>;
  /** Only the changes, as they are sent. */
  patch: Patch;
  /** Errors of the last save; a setting's are cleared when it is changed. */
  errors: Errors;
  isSaving: boolean;
  change(setting: Pick<Setting, 'key' | 'member'>, value: unknown): void;
  /** Changes several keys that belong together. */
  changeAll(patch: Patch): void;
  save(): void;
  discard(): void;
}

/** Endings are a list, whose parts belong together: the later of two lists would silently replace the earlier. */
const OVERTAKEN =
  'Somebody else changed the endings meanwhile. Copy what you have written, discard your changes, and add it to the present endings.';

/** Collects a form's changes until they are saved together. Only differences are sent. */
export function useChanges(form: Form): Changes {
  const client = useQueryClient();
  const [typed, setPatch] = useState<Patch>({});
  const [mended, setMended] = useState<readonly string[]>([]);
  const values = { ...form, ...typed } as Values;
  /** The translations when editing began here. */
  const translations = useRef(form.translations);
  /** Likewise the endings. */
  const endings = useRef(form.endings);
  const saving = useAction(
    async (body: Patch) => {
      const path = { form: form.id };
      if (!body.translations && !body.endings) return api.put('/open/forms/{form}', { path, body });
      const present = await api.get('/open/forms/{form}', { path });
      if (body.endings && !same(present.endings, endings.current)) {
        client.setQueryData(formQuery(form.id).queryKey, present);
        throw new ApiError(409, OVERTAKEN, { errors: { endings: [OVERTAKEN] } });
      }
      if (!body.translations) return api.put('/open/forms/{form}', { path, body });
      // Somebody else may have translated the form into another language meanwhile.
      const all = [translations.current, body.translations, present.translations] as JsonObject[];
      const [base = {}, mine = {}, now = {}] = all;
      return api.put('/open/forms/{form}', {
        path,
        body: { ...body, translations: merged(base, mine, now) },
      });
    },
    {
      refresh: keysOfForm(form),
      toast: 'Saved.',
      onDone: async (_, sent) => {
        await client.ensureQueryData(formQuery(form.id));
        translations.current = sent.translations ?? translations.current;
        endings.current = client.getQueryData(formQuery(form.id).queryKey)?.endings ?? endings.current;
        // Changes made while saving stay.
        setPatch((now) => without(now, (key) => same(now[key], key in sent ? sent[key] : form[key])));
      },
    },
  );
  const { isRunning: isSaving } = saving;
  const patch = without(
    typed,
    (key) =>
      // An empty password would remove the stored one, so a password begun but left empty is not sent.
      (key === 'password' && typed.password === '') || (!isSaving && same(typed[key], form[key])),
  );
  if (!patch.translations) translations.current = form.translations;
  if (!patch.endings) endings.current = form.endings;
  const changeAll = useCallback(
    (next: Patch) => {
      setMended((names) => [...names, ...Object.keys(next)]);
      setPatch((now) => {
        const all = { ...now, ...next };
        // What is put back while it is being saved is a change of what will be stored.
        return isSaving ? all : without(all, (key) => same(all[key], form[key]));
      });
    },
    [form, isSaving],
  );
  return {
    values,
    stored: form,
    patch,
    changed: new Set(Object.keys(patch) as SettingKey[]),
    errors: without(saving.errors, (name) => mended.includes(name.split('.')[0] ?? '')),
    isSaving,
    change: (setting, value) => changeAll({ [setting.key]: withValue(values, setting, value) }),
    changeAll,
    save() {
      setMended([]);
      saving.run(patch);
    },
    discard() {
      setPatch({});
      saving.reset();
    },
  };
}

/** Whether this setting differs from the stored one, not counting other members of the same object. */
export function isChanged({ values, stored }: Changes, setting: Pick<Setting, 'key' | 'member'>): boolean {
  return !same(settingValue(values, setting), settingValue(stored, setting));
}

/** Problems of a setting or of its members, with its name as on the screen. */
export function problemsOf(errors: Errors, setting: Pick<Setting, 'key' | 'member' | 'label'>): string[] {
  const name = nameOf(setting);
  const words = (name.split('.').at(-1) ?? name).replaceAll('_', ' ');
  const subject = new RegExp(`^The (?:selected )?${words}(?: field)? `, 'i');
  return Object.keys(errors)
    .filter((key) => key === name || key.startsWith(`${name}.`))
    .flatMap((key) => errors[key] ?? [])
    .map((text) => text.replace(subject, `“${setting.label}” `));
}

function without<Record extends object>(
  record: Record,
  isGone: (key: keyof Record & string) => boolean,
): Record {
  const kept = Object.entries(record).filter(([key]) => !isGone(key as keyof Record & string));
  return Object.fromEntries(kept) as Record;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
