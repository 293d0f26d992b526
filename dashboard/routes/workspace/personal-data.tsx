import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UserSearch } from 'lucide-react';
import { submitTexts } from '../../lib/submit-texts.ts';
import { useRefusal, useWorkspace } from '../../lib/workspace.ts';
import { personQuery, searchedQuery } from '../../personal-data/queries.ts';
import { Results } from '../../personal-data/results.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { SearchInput } from '../../ui/input.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Limit of the service. */
const VALUE_MAX_LENGTH = 1_000;

/** Answers a person's request to see or erase what is stored about them. */
export function PersonalData() {
  const refusal = useRefusal('admin');
  const { id } = useWorkspace();
  return (
    <Page
      title="Personal data"
      width="narrow"
      description="What this workspace stores of one person: find it, hand it over, erase it."
    >
      {refusal ? (
        <EmptyState icon={<UserSearch />} title="For admins">
          {refusal}
        </EmptyState>
      ) : (
        <OnePerson key={id} workspaceId={id} />
      )}
    </Page>
  );
}

function OnePerson({ workspaceId }: { workspaceId: number }) {
  const client = useQueryClient();
  const { data: value } = useQuery(searchedQuery(workspaceId));
  const search = (text: string) => {
    client.setQueryData(searchedQuery(workspaceId).queryKey, text);
    void client.resetQueries({ queryKey: personQuery(workspaceId, text).queryKey });
  };
  return (
    <div className="grid grid-cols-1 gap-5">
      <search>
        <form onSubmit={submitTexts<'value'>((texts) => search(texts.value.trim()))}>
          <Field
            name="value"
            label="E-mail address, phone number or another answer"
            hint="Searched in every answer of all forms, in drafts, invitations and lists of recipients. It has to be the whole answer: an e-mail address in any letter case, everything else exactly as it was given."
          >
            <div className="flex gap-2">
              <SearchInput
                className="min-w-0 flex-1"
                required
                // Requires more than blanks.
                pattern=".*\S.*"
                maxLength={VALUE_MAX_LENGTH}
                defaultValue={value}
                // A value about a person must not be offered to the next user of this browser.
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
              <Button type="submit" look="primary">
                Search
              </Button>
            </div>
          </Field>
        </form>
      </search>
      {value === undefined ? (
        <EmptyState icon={<UserSearch />} title="Whose data is it about?">
          Search first. Then you can download what was found, or erase it.
        </EmptyState>
      ) : (
        <Results key={value} workspaceId={workspaceId} value={value} />
      )}
    </div>
  );
}
