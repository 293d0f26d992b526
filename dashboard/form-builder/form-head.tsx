import { useBuilder } from './builder-context.ts';
import type { Definition } from './definition.ts';

/** Characters; limit of the API. */
const MAX_TITLE = 255;
const MAX_DESCRIPTION = 2_000;
const MAX_BUTTON = 50;

/** The texts around the questions. */
export function FormHead({ definition }: { definition: Definition }) {
  const { edit, refusal } = useBuilder();
  const isOff = refusal !== null;
  const box =
    'field-sizing-content block w-full resize-none rounded-md bg-transparent px-1.5 py-1 break-words hover:bg-hover/60 focus-visible:bg-surface';
  return (
    <div className="mb-4 grid grid-cols-1 gap-1">
      <textarea
        aria-label="Title of the form"
        aria-invalid={definition.title.trim() === '' || undefined}
        dir="auto"
        rows={1}
        maxLength={MAX_TITLE}
        readOnly={isOff}
        placeholder="Title"
        className={`${box} text-lg font-semibold`}
        value={definition.title}
        onChange={(event) =>
          edit({ do: 'change-form', members: { title: event.target.value.replace(/\n/g, ' ') } })
        }
      />
      <textarea
        aria-label="Description of the form"
        dir="auto"
        rows={1}
        maxLength={MAX_DESCRIPTION}
        readOnly={isOff}
        placeholder="Description (optional)"
        className={`${box} max-h-48 text-muted`}
        value={definition.description ?? ''}
        onChange={(event) =>
          edit({ do: 'change-form', members: { description: event.target.value || null } })
        }
      />
      <label className="flex items-center gap-2 px-1.5 text-[0.8125rem] text-muted @max-3xs/screen:flex-wrap">
        Submit button
        <input
          dir="auto"
          maxLength={MAX_BUTTON}
          readOnly={isOff}
          placeholder="Submit"
          className="min-w-0 flex-1 rounded-md bg-transparent px-1.5 py-1 text-ink @max-3xs/screen:basis-full hover:bg-hover/60 focus-visible:bg-surface"
          value={definition.submit_button_text ?? ''}
          onChange={(event) =>
            edit({ do: 'change-form', members: { submit_button_text: event.target.value || null } })
          }
        />
      </label>
    </div>
  );
}
