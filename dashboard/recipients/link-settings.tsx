import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { Switch } from '../ui/checkbox.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Card } from '../ui/page.tsx';
import { linkSettingsQuery, recipientsKey, type LinkSettings as Settings } from './queries.ts';

/** The form's settings for personal links; changes apply at once. */
export function LinkSettings({ form, settings }: { form: string; settings: Settings }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const save = useAction(
    (body: { required?: boolean; anonymous?: boolean }) =>
      api.put('/open/forms/{form}/personal-links', { path: { form }, body }),
    { refresh: [recipientsKey(form)], onDone: () => setAsking(false) },
  );
  // Loads the counts again, to include people who began meanwhile, because anonymising cannot be undone.
  const makeAnonymous = useAction(() => client.fetchQuery({ ...linkSettingsQuery(form), staleTime: 0 }), {
    onDone: ({ counts: { answered, started, opened } }) =>
      answered + started + opened > 0 ? setAsking(true) : save.run({ anonymous: true }),
  });
  return (
    <Card
      title="Personal links"
      description="Everybody on the list has a link of their own, which counts once."
    >
      <div className="grid grid-cols-1 gap-4">
        <Switch
          label="Only by personal link"
          hint="Nobody else can answer, neither on the page nor by the API."
          checked={settings.required}
          disabled={save.isRunning || makeAnonymous.isRunning}
          onChange={({ target }) => save.run({ required: target.checked })}
        />
        <Switch
          label="Anonymous"
          hint="You see who has answered, and on which day. Which answers are whose is kept nowhere, so nobody can go on by their link later, or change what they sent."
          checked={settings.anonymous}
          disabled={save.isRunning}
          onChange={({ target }) => (target.checked ? makeAnonymous.run() : save.run({ anonymous: false }))}
        />
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Make the form anonymous?"
        action="Make anonymous"
        isRunning={save.isRunning}
        onConfirm={() => save.run({ anonymous: true })}
      >
        <p>Which of the answers so far are whose is forgotten, and nobody can bring it back.</p>
      </ConfirmDialog>
    </Card>
  );
}
