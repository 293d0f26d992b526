import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { withPresentRetention } from '../../fields/block-options/answer-retention.ts';
import { memberName } from '../lib/member-names.ts';
import { type Differences, differences } from './differences.ts';
import { definitionOf, versionQuery } from './queries.ts';

/** Further names are only counted. */
const MAX_NAMED = 8;

interface ChangesProps {
  title: string;
  formId: string;
  /** Number of the version that the other one replaces. */
  before: number;
  after: number;
  /** Whether `after` is brought back, which leaves the retention of fields as it is in `before`. */
  isBroughtBack?: boolean;
}

/** The differences between two versions of a form; nothing until both are loaded. */
export function Changes({ title, ...compared }: ChangesProps) {
  const lines = useLines(compared);
  if (!lines) return null;
  return (
    <section aria-label={title} className="grid content-start gap-1">
      <h4 className="font-medium">{title}</h4>
      {lines.length === 0 && <p className="text-muted">Nothing.</p>}
      <dl className="grid gap-x-3 gap-y-1 sm:grid-cols-[max-content_minmax(0,1fr)]">
        {lines.map(([label, names]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">
              <Names names={names} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Whether bringing a version back would leave the form as it is; false until that is known. */
export function useIsLikeNow(formId: string, now: number, version: number): boolean {
  return useLines({ formId, before: now, after: version, isBroughtBack: true })?.length === 0;
}

function useLines({ formId, before, after, isBroughtBack = false }: Omit<ChangesProps, 'title'>) {
  const { data: former } = useQuery(versionQuery(formId, before));
  const { data: next } = useQuery(versionQuery(formId, after));
  if (!former || !next) return null;
  const properties = withPresentRetention(definitionOf(next).properties, definitionOf(former).properties);
  const changed = isBroughtBack ? { ...next.definition, properties } : next.definition;
  return linesOf(differences(former.definition, changed));
}

function linesOf({ added, removed, changed, isReordered, others }: Differences): [string, string[]][] {
  const lines: [string, string[]][] = [
    ['Added', added],
    ['Removed', removed],
    ['Changed', changed],
    ['Moved', isReordered ? ['some questions'] : []],
    ['Texts and look', others.map(memberName)],
  ];
  return lines.filter(([, names]) => names.length > 0);
}

function Names({ names }: { names: string[] }) {
  const rest = names.length - MAX_NAMED;
  return (
    <>
      {names.slice(0, MAX_NAMED).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name
        <Fragment key={index}>
          {index > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}
