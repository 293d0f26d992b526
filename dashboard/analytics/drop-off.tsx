import type { ReactNode } from 'react';
import type { Form } from '../api/queries.ts';
import { formatNumber } from '../lib/format.ts';
import { formatSeconds } from '../responses/answers/answer-text.ts';
import { Card } from '../ui/page.tsx';
import { Cell, HeadCell, Row, Table } from '../ui/table.tsx';
import { UserText } from '../ui/user-text.tsx';
import { formatShare } from './figures.tsx';
import type { Statistics } from './queries.ts';

/** Left out on phones for lack of room; the pages above say the same. */
const SHOWN = 'max-sm:hidden';

interface DropOffProps {
  form: Form;
  statistics: Statistics;
  /** Shown below the shorter of the two tables. */
  children: ReactNode;
}

/** How far visits came: by page and, beside it, by question. */
export function DropOff({ form, statistics, children }: DropOffProps) {
  const { steps, fields } = statistics;
  const unit = form.presentation_style === 'focused' ? 'Step' : 'Page';
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      <div className="grid min-w-0 grid-cols-1 content-start gap-5">
        <Card
          title={`Where visits end, by ${unit.toLowerCase()}`}
          description="Of those that were shown it, how many left without sending."
          className="min-w-0"
        >
          <Table label={`Visits by ${unit.toLowerCase()}`} className="max-h-96 overflow-y-auto">
            <thead>
              <tr>
                <HeadCell>{unit}</HeadCell>
                <HeadCell className="text-end">Reached</HeadCell>
                <HeadCell className="text-end">Left</HeadCell>
                <HeadCell className="text-end">%</HeadCell>
              </tr>
            </thead>
            <tbody>
              {steps.map(({ index, reached, left }) => (
                <Row key={index}>
                  <NameCell>
                    {unit} {index + 1}
                    <UserText
                      text={fields
                        .filter(({ step }) => step === index)
                        .map(({ name }) => name)
                        .join(', ')}
                      className="text-xs text-muted"
                    />
                  </NameCell>
                  <Cell className="text-end tabular-nums">{formatNumber(reached)}</Cell>
                  <Part part={left} whole={reached} />
                </Row>
              ))}
            </tbody>
          </Table>
        </Card>
        {children}
      </div>
      <Card
        title="Answered, by question"
        description="Of those that were shown it, how many gave an answer; and how long it takes those who send the form."
        className="flex min-w-0 flex-col"
      >
        {/* As high as the card beside it, however many questions there are. */}
        <Table
          label="Answers by question"
          className="max-h-96 overflow-y-auto lg:h-0 lg:max-h-none lg:min-h-72 lg:grow"
        >
          <thead>
            <tr>
              <HeadCell>Question</HeadCell>
              <HeadCell className={`text-end ${SHOWN}`}>Shown</HeadCell>
              <HeadCell className="text-end">Answered</HeadCell>
              <HeadCell className="text-end">%</HeadCell>
              <HeadCell className="text-end">Takes</HeadCell>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ id, name, reached, answered, typical_time: time }) => (
              <Row key={id}>
                <NameCell>
                  <span className="line-clamp-2 wrap-anywhere" title={name}>
                    <bdi>{name}</bdi>
                  </span>
                </NameCell>
                <Cell className={`text-end tabular-nums ${SHOWN}`}>{formatNumber(reached)}</Cell>
                <Part part={answered} whole={reached} />
                <Cell className="text-end whitespace-nowrap tabular-nums">
                  {time === null ? '–' : formatSeconds(time)}
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      </Card>
    </div>
  );
}

function NameCell({ children }: { children: ReactNode }) {
  return (
    <th scope="row" className="h-12 w-full max-w-0 py-2 ps-4 pe-2 text-start font-normal sm:pe-4">
      {children}
    </th>
  );
}

/** Two cells, each under its own head. */
function Part({ part, whole }: { part: number; whole: number }) {
  return (
    <>
      <Cell className="text-end tabular-nums">{formatNumber(part)}</Cell>
      <Cell className="text-end whitespace-nowrap text-muted tabular-nums">{formatShare(part, whole)}</Cell>
    </>
  );
}
