import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { coordinatesOf } from '../../../fields/as-text/locations.ts';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { holdsFiles } from '../../../fields/type-names.ts';
import { answeredRows } from '../../../fields/types/matrix.ts';
import { ratingMax } from '../../../fields/types/rating.ts';
import { RICH, safeNodes } from '../../form-builder/texts/safe-html.ts';
import { Badge } from '../../ui/badge.tsx';
import { Stars } from '../table/cell.tsx';
import { shownType } from './answer-shape.ts';
import { answerText } from './answer-text.ts';
import { EntriesTable } from './entries-table.tsx';
import { Files } from './files.tsx';

interface WholeAnswerProps {
  property: Property;
  answer: JsonValue | undefined;
  files?: { file_url: string; file_name: string }[] | undefined;
  showsPictures?: boolean | undefined;
}

/** An answer in full, shown as suits its type. */
export function WholeAnswer({ property, answer, files, showsPictures }: WholeAnswerProps): ReactNode {
  if (!isAnswer(answer)) return <span className="text-muted">No answer</span>;
  const type = shownType(property, answer);
  if (holdsFiles(type) && files) return <Files files={files} showsPictures={showsPictures} />;
  switch (type) {
    case 'rating':
      if (typeof answer === 'number') return <Rating value={answer} max={ratingMax(property)} />;
      break;
    case 'multi_select':
      if (Array.isArray(answer)) return <Chosen names={answer.map(String)} />;
      break;
    case 'ranking':
      if (Array.isArray(answer)) return <Ranking names={answer.map(String)} />;
      break;
    case 'matrix':
      return <MatrixRows rows={answeredRows(answer, property)} />;
    case 'repeat':
      return (
        <EntriesTable
          property={property}
          answer={answer}
          renderAnswer={(question, value) => <WholeAnswer property={question} answer={value} />}
        />
      );
    case 'rich_text':
      return <RichText html={String(answer)} />;
  }
  return <Written type={type} text={answerText(property, answer)} />;
}

export function isAnswer(value: JsonValue | undefined): value is JsonValue {
  const isEmpty = value === undefined || value === null || value === '';
  return !isEmpty && !(Array.isArray(value) && value.length === 0);
}

function Rating({ value, max }: { value: number; max: number }) {
  return (
    <span className="flex items-center gap-2">
      <Stars value={value} max={max} />
      <span className="text-muted tabular-nums">
        {value} of {max}
      </span>
    </span>
  );
}

function Chosen({ names }: { names: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {names.map((name) => (
        <Badge key={name} className="h-auto min-h-5 whitespace-normal!">
          <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
        </Badge>
      ))}
    </span>
  );
}

function Ranking({ names }: { names: readonly string[] }) {
  return (
    <ol className="list-decimal ps-5">
      {names.map((name) => (
        <li key={name} className="wrap-anywhere">
          <bdi>{name}</bdi>
        </li>
      ))}
    </ol>
  );
}

function MatrixRows({ rows }: { rows: ReturnType<typeof answeredRows> }) {
  return (
    <table className="w-full text-start">
      <tbody>
        {rows.map(([row, column]) => (
          <tr key={row} className="border-b border-line last:border-b-0">
            <th scope="row" className="py-1.5 pe-4 text-start font-normal wrap-anywhere text-muted">
              <bdi>{row}</bdi>
            </th>
            <td className="py-1.5 wrap-anywhere">
              <bdi>{column}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A text as it was written, with a link if it stands for one. */
function Written({ type, text }: { type: string; text: string }) {
  const link = linkOf(type, text);
  if (link !== null) return <Out href={link}>{text}</Out>;
  const coordinates = type === 'location' ? coordinatesOf(text) : null;
  if (coordinates !== null)
    return (
      <span className="flex flex-wrap gap-x-3">
        <bdi dir="ltr">{text}</bdi>
        <Out href={mapLink(...coordinates)}>Open the map</Out>
      </span>
    );
  return (
    <p dir="auto" className="break-words whitespace-pre-wrap">
      {text}
    </p>
  );
}

function linkOf(type: string, text: string): string | null {
  switch (type) {
    case 'email':
      return text.includes('@') ? `mailto:${text}` : null;
    case 'phone_number':
      return /\d/.test(text) ? `tel:${text}` : null;
    case 'url':
      // Only web addresses become links, because the text may have any scheme.
      if (/^www\./i.test(text)) return `https://${text}`;
      return /^https?:\/\//i.test(text) ? text : null;
    default:
      return null;
  }
}

/** Rebuilt from harmless elements; React does not touch the content. */
function RichText({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const nodes = safeNodes(html);
    for (const link of nodes.querySelectorAll('a')) {
      link.target = '_blank';
      link.rel = 'noreferrer noopener';
    }
    box.current?.replaceChildren(nodes);
  }, [html]);
  return <div ref={box} dir="auto" className={`${RICH} wrap-anywhere [&>*+*]:mt-2`} />;
}

/** The map service learns of a place only when the link is followed. */
function mapLink(latitude: string, longitude: string): string {
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
}

function Out({ href, children }: { href: string; children: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer noopener"
      className="break-all text-accent underline-offset-2 hover:underline"
    >
      <bdi>{children}</bdi>
    </a>
  );
}
