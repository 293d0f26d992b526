import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { memberName } from '../lib/member-names.ts';
import { blockChanges } from './differences.ts';
import { definitionOf, versionQuery, type WholeVersion } from './queries.ts';

/** More are counted. */
const MAX_NAMED = 8;

interface ChangesProps {
  formId: string;
  /** Names of the members that changed. */
  changed: string[];
  after: WholeVersion;
  /** Number of the version before. */
  before: number;
}

/** What the version changed of the one before. */
export function Changes({ formId, changed, after, before }: ChangesProps) {
  const { data: former } = useQuery(versionQuery(formId, before));
  const blocks = former && blockChanges(definitionOf(former).properties, definitionOf(after).properties);
  const others = changed.filter((member) => member !== 'properties').map(memberName);
  const lines: [string, string[]][] = [
    ['Added', blocks?.added ?? []],
    ['Removed', blocks?.removed ?? []],
    ['Changed', blocks?.changed ?? []],
    ['Moved', blocks?.isReordered ? ['some questions'] : []],
    ['Also', others],
  ];
  return (
    <dl className="grid gap-x-3 gap-y-1 sm:grid-cols-[max-content_minmax(0,1fr)]">
      {lines
        .filter(([, names]) => names.length > 0)
        .map(([label, names]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">
              <Names names={names} />
            </dd>
          </div>
        ))}
    </dl>
  );
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
