import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { Errors } from '../api/client.ts';
import { type Form, formQuery, keysOfForm } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { type Base, baseAfter, isSame, MERGING, type Patch, saveChanges } from './save-changes.ts';
import { nameOf, type Setting, type SettingKey, settingValue, type Values, withValue } from './setting.ts';

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

/** Collects a form's changes until they are saved together. Only differences are sent. */
export function useChanges(form: Form): Changes {
  const client = useQueryClient();
  const [typed, setPatch] = useState<Patch>({});
  const [mended, setMended] = useState<readonly string[]>([]);
  const values = { ...form, ...typed } as Values;
  /** What was there when the changes began. */
  const base = useRef<Base>({});
  const saving = useAction(
    (body: Patch) =>
      saveChanges(form.id, body, base.current, (present) =>
        client.setQueryData(formQuery(form.id).queryKey, present),
      ),
    {
      refresh: keysOfForm(form),
      toast: 'Saved.',
      onDone: async (_, sent) => {
        await client.ensureQueryData(formQuery(form.id));
        const stored = client.getQueryData(formQuery(form.id).queryKey);
        base.current = { ...base.current, ...(stored && baseAfter(sent, stored)) };
        // Changes made while saving stay.
        setPatch((now) => without(now, (key) => isSame(now[key], key in sent ? sent[key] : form[key])));
      },
    },
  );
  const { isRunning: isSaving } = saving;
  const patch = without(
    typed,
    (key) =>
      // An empty password would remove the stored one, so a password begun but left empty is not sent.
      (key === 'password' && typed.password === '') || (!isSaving && isSame(typed[key], form[key])),
  );
  for (const key of MERGING) if (!(key in patch)) base.current[key] = form[key] as never;
  const changeAll = useCallback(
    (next: Patch) => {
      setMended((names) => [...names, ...Object.keys(next)]);
      setPatch((now) => {
        const all = { ...now, ...next };
        // What is put back while it is being saved is a change of what will be stored.
        return isSaving ? all : without(all, (key) => isSame(all[key], form[key]));
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
  return !isSame(settingValue(values, setting), settingValue(stored, setting));
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
