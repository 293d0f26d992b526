import { html } from '../../fields/html/html.ts';
import type { AttentionItem } from '../attention/schemas.ts';
import { mailPage } from '../mail/mail-page.ts';
import type { Mail } from '../mail/mailer.ts';
import { oneLine } from '../mail/mentioned-answers.ts';
import type { WorkspaceStatistics } from '../statistics/present-workspace.ts';
import type { DueSummary } from './queries.ts';

/** Forms and matters that are named; the overview has all. */
const MAX_LINES = 20;
/** Characters (code points) of a title in a line. */
const MAX_TITLE = 100;
const MAX_SUBJECT = 255;

interface Section {
  title: string;
  lines: string[];
}

/**
 * A mail with the figures of a day or a week, those of the forms, and what needs attention. Titles stand in it as one line each, and never
 * as markup.
 * @param overview the address of the screen that shows all of it
 * @returns null when there is nothing to tell
 */
export function writeSummary(
  { every, email, userId, workspaceId, workspaceName, to }: DueSummary,
  statistics: WorkspaceStatistics,
  attention: AttentionItem[],
  overview: string,
): Mail | null {
  const { totals, from } = statistics;
  if (totals.completed + totals.partial + totals.views === 0 && attention.length === 0) return null;
  const name = oneLine(workspaceName, MAX_TITLE);
  const when = every === 'day' ? `on ${dayText(to)}` : `from ${dayText(from)} to ${dayText(to)}`;
  const title = `${name}: ${counted(totals.completed, 'response')} ${when}`;
  const sections = [
    figuresOf(statistics, every),
    formsOf(statistics),
    { title: 'Needs attention', lines: limited(attention.map(attentionLine)) },
  ].filter(({ lines }) => lines.length > 0);
  const last = 'You asked for this mail on that screen, and can turn it off there.';
  return {
    to: email,
    subject: oneLine(title, MAX_SUBJECT),
    text: [
      title,
      ...sections.map((section) => [section.title, ...section.lines.map((line) => `- ${line}`)].join('\n')),
      `Everything: ${overview}\n${last}`,
    ].join('\n\n'),
    html: mailPage(
      { title, language: 'en' },
      html`<h1 style="margin:0 0 16px;font-size:20px">${title}</h1>
${sections.map(
  (section) => html`<h2 style="margin:24px 0 8px;font-size:16px">${section.title}</h2>
<ul style="margin:0;padding-left:20px">${section.lines.map((line) => html`<li>${line}</li>`)}</ul>`,
)}
<p style="margin:24px 0 0"><a href="${overview}">Open the overview</a></p>
<p style="margin:8px 0 0;font-size:13px;opacity:.75">${last}</p>`,
    ).markup,
    id: `summary-${workspaceId}-${userId}-${every}-${to}`,
    isAutomatic: 'generated',
  };
}

function figuresOf({ totals }: WorkspaceStatistics, every: DueSummary['every']): Section {
  const { before } = totals;
  const when = every === 'day' ? 'the day before' : 'the week before';
  const line = (name: string, now: number, then: number) =>
    `${name}: ${number(now)} (${number(then)} ${when})`;
  return {
    title: 'All forms',
    lines: [
      line('Completed', totals.completed, before.completed),
      line('Partial', totals.partial, before.partial),
      line('Views', totals.views, before.views),
      line('Starts', totals.starts, before.starts),
    ],
  };
}

function formsOf({ forms }: WorkspaceStatistics): Section {
  const lines = forms
    .filter(({ completed, before }) => completed + before.completed > 0)
    .map(({ title, completed, before }) => {
      const change = completed - before.completed;
      return `${titled(title)}: ${number(completed)} (${change > 0 ? '+' : ''}${number(change)})`;
    });
  return { title: 'Completed by form', lines: limited(lines) };
}

function attentionLine(item: AttentionItem): string {
  return `${titled(item.form.title)}: ${described(item)}`;
}

function described({
  kind,
  count = 0,
  reason = '',
  since = '',
  closes_at: closesAt = '',
}: AttentionItem): string {
  switch (kind) {
    case 'integration_stopped':
      return `an integration has stopped. ${reason}`.trim();
    case 'deliveries_failed':
      return `an integration has given up ${counted(count, 'delivery', 'deliveries')}.`;
    case 'integration_failing':
      return `an integration has been failing since ${dayText(since)}.`;
    case 'paid_not_taken':
      return `${counted(count, 'paid response')} could not be taken in.`;
    case 'payments_disconnected':
      return 'asks for money, but no account is connected to take it.';
    case 'form_full':
      return 'full, takes no more responses.';
    case 'form_closing':
      return `closes on ${dayText(closesAt)}.`;
    case 'set_aside':
      return `${counted(count, 'response')} set aside as suspected spam.`;
    case 'to_review':
      return `${counted(count, 'response')} to review.`;
  }
}

function limited(lines: string[]): string[] {
  const rest = lines.length - MAX_LINES;
  return rest > 0 ? [...lines.slice(0, MAX_LINES), `and ${number(rest)} more`] : lines;
}

function titled(title: string): string {
  return oneLine(title, MAX_TITLE) || 'Untitled form';
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

function number(count: number): string {
  return count.toLocaleString('en').replace('-', '−');
}

/** A day, or that of a moment, in UTC. */
function dayText(day: string): string {
  return new Date(day).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' });
}
