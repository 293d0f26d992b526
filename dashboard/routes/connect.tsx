import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type Answer, ApiError, api, type Body } from '../api/client.ts';
import { tokensQuery, userQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { useFragment } from '../lib/use-fragment.ts';
import { Outside } from '../shell/outside.tsx';
import { Button, buttonClasses } from '../ui/button.tsx';
import { Load } from '../ui/load.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Notice } from '../ui/states.tsx';
import { AbilityChoice, readTokenTerms, TokenEnd } from './account/token-terms.tsx';

type Question = Answer<'/oauth/consent'>;
type Consent = Body<'/oauth/consent', 'post'>;
type Offered = Consent['abilities'][number];

const OFFERED: Offered[] = ['workspaces-read', 'forms-read', 'forms-write', 'manage-integrations'];

/** A program's request, unchanged from the fragment of the address, and treated only as text. */
function questionQuery(request: Consent['request']) {
  return queryOptions({
    queryKey: ['consent', request],
    queryFn: ({ signal }) => api.get('/oauth/consent', { query: request, signal }),
    retry: (failures, error) => failures < 2 && !isRefused(error),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Asks the user to let a program access Formstead on their behalf. */
export function Connect() {
  const hash = useFragment();
  const request: Consent['request'] = Object.fromEntries(new URLSearchParams(hash));
  const question = useQuery(questionQuery(request));
  if (isRefused(question.error))
    return (
      <Outside title="This cannot be connected">
        <Notice tone="bad">{question.error.message}</Notice>
        <p className="text-muted">
          Begin again in the program that has sent you here: it may have to be connected anew.
        </p>
        <Link to="/" className={buttonClasses()}>
          To my forms
        </Link>
      </Outside>
    );
  return (
    <Load
      query={question}
      skeleton={
        <Outside title="Connect a program">
          <Skeleton className="h-80" />
        </Outside>
      }
    >
      {(asked) => <Asked request={request} question={asked} />}
    </Load>
  );
}

function Asked({ request, question }: { request: Consent['request']; question: Question }) {
  const { name, place } = question;
  const { data: user } = useQuery(userQuery);
  const [isDone, setDone] = useState(false);
  const allow = useAction((body: Consent) => api.post('/oauth/consent', { body }), {
    refresh: [tokensQuery.queryKey],
    onDone: ({ return_url }) => {
      setDone(true);
      location.assign(return_url);
    },
  });
  if (isDone)
    return (
      <Outside title={`${name} is connected`} description="You can close this page.">
        <p className="text-muted">
          What it may do ends under{' '}
          <Link to="/account/tokens" className="font-medium text-accent hover:underline">
            Account → Access tokens
          </Link>
          , whenever you like.
        </p>
      </Outside>
    );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    allow.run({ request, ...readTokenTerms<Offered>(new FormData(event.currentTarget)) });
  };
  return (
    <Outside
      title={`Connect ${name}?`}
      description={
        <>
          It asks to use Formstead in your name, <bdi>{user?.email}</bdi>. Afterwards you are back at{' '}
          <bdi className="font-medium text-ink">{place}</bdi>. The name is its own word: allow it only if it
          was you who began this.
        </>
      }
    >
      <form className="grid gap-5" onSubmit={submit}>
        <AbilityChoice
          offered={OFFERED}
          chosen={question.abilities}
          isMissing={allow.errors.abilities !== undefined}
        />
        <TokenEnd errors={allow.errors} />
        <p className="text-muted">
          Answers are written by strangers and may try to give an assistant orders: let it ask you before it
          publishes or sends something.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" size="lg" isRunning={allow.isRunning}>
            Allow
          </Button>
          <a href={question.refusal_url} className={buttonClasses('plain', 'lg')}>
            Refuse
          </a>
        </div>
      </form>
    </Outside>
  );
}

/** Whether the service has refused the request itself. */
function isRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 400 || error.status === 422);
}
