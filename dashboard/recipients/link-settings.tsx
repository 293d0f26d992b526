import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { Switch } from '../ui/checkbox.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Card } from '../ui/page.tsx';
import { linkSettingsQuery, recipientsKey, type LinkSettings as Settings } from './queries.ts';

interface Choice {
  required?: boolean;
  anonymous?: boolean;
}

/** The form's settings for personal links; changes apply at once. */
export function LinkSettings({ form, settings }: { form: string; settings: Settings }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  /** What is being saved, shown until it is. */
  const [chosen, setChosen] = useState<Choice>({});
  const save = useAction(
    (body: Choice) => api.put('/open/forms/{form}/personal-links', { path: { form }, body }),
    { refresh: [recipientsKey(form)], onDone: () => setAsking(false) },
  );
  const shown = save.isRunning ? { ...settings, ...chosen } : settings;
  const choose = (choice: Choice) => {
    setChosen(choice);
    save.run(choice);
  };
  // Loads the counts again, to include people who began meanwhile, because anonymising cannot be undone.
  const makeAnonymous = useAction(() => client.fetchQuery({ ...linkSettingsQuery(form), staleTime: 0 }), {
    onDone: ({ counts: { answered, started, opened } }) =>
      answered + started + opened > 0 ? setAsking(true) : choose({ anonymous: true }),
  });
  const isBusy = save.isRunning || makeAnonymous.isRunning;
  return (
    <Card
      title="Personal links"
      description="Everybody on the list has a link of their own, which counts once."
    >
      <div className="grid grid-cols-1 gap-4">
        <Switch
          label="Only by personal link"
          hint="Nobody else can answer, neither on the page nor by the API."
          checked={shown.required}
          // Not `disabled`, which would take the focus away.
          aria-disabled={isBusy}
          onChange={({ target }) => !isBusy && choose({ required: target.checked })}
        />
        <Switch
          label="Anonymous"
          hint="You see who has answered, and on which day. Which answers are whose is kept nowhere, so nobody can go on by their link later, or change what they sent."
          checked={shown.anonymous}
          aria-disabled={isBusy}
          onChange={({ target }) => {
            if (isBusy) return;
            if (target.checked) makeAnonymous.run();
            else choose({ anonymous: false });
          }}
        />
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Make the form anonymous?"
        action="Make anonymous"
        isRunning={save.isRunning}
        onConfirm={() => choose({ anonymous: true })}
      >
        <p>Which of the answers so far are whose is forgotten, and nobody can bring it back.</p>
      </ConfirmDialog>
    </Card>
  );
}
