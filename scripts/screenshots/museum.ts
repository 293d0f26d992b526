import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, connect, type Reply } from '../../examples/star-wars-survey/client.ts';
import { answerOthers, BROWSERS, type MadeForm, play } from './guests.ts';
import type { Installation } from './installation.ts';
import {
  ARABIC_SURVEY,
  CONCERT,
  CONCERT_CHANGES,
  NIGHT,
  SCHOOLS,
  SURVEY,
  VOLUNTEERS,
} from './museum-forms.ts';
import { letTimePass, moveLast } from './past.ts';
import { startReceiver } from './receiver.ts';
import { someVisits, type Visit } from './visits.ts';

/** A workspace as it looks after some time of use. */
export interface Museum {
  /** Address of the service. */
  service: URL;
  owner: Client;
  /** Cookie of the owner's session, `name=value`. */
  cookie: string;
  workspaceId: number;
  surveyId: number;
  /** A form in several languages. */
  schoolsId: number;
  /** A form that was changed. */
  concertId: number;
  integrationId: number;
  /** Stops the receiver of the webhooks. */
  close(): void;
}

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'a password for pictures' };
const MEMBERS = [
  { name: 'Grace Hopper', email: 'grace@example.com', role: 'admin' },
  { name: 'Alan Turing', email: 'alan@example.com', role: 'user' },
  { name: 'Mary Jackson', email: 'mary@example.com', role: 'readonly' },
];
const VISITS = 940;
/** The visits that happen after the webhook was set up. */
const LATE_VISITS = 52;
const DAYS = 28;
const HOUR_MS = 3_600_000;

/** Fills an empty installation. At the end the service runs with its worker. */
export async function openMuseum(installation: Installation): Promise<Museum> {
  // Without a worker, so that nothing is counted before the visits are moved into the past.
  const past = await installation.serve('http');
  const { cookie, owner } = await register(past);
  const { workspaceId, colleagues } = await makeWorkspace(owner, past);
  const { grace = owner, alan = owner } = colleagues;
  const make = (maker: Client, form: object) => makeForm(maker, workspaceId, form);
  await make(alan, NIGHT);
  const concert = await make(grace, CONCERT);
  const volunteers = await make(alan, VOLUNTEERS);
  const arabic = await make(grace, ARABIC_SURVEY);
  const schools = await make(grace, SCHOOLS);
  const survey = await make(owner, SURVEY);
  const visits = [...someVisits(VISITS, 2026)];
  await play(past, survey, visits.slice(0, -LATE_VISITS));
  await answerOthers(past, { concert, volunteers, arabic, schools });
  await reviewBookings(grace, owner, schools);
  await inviteSchools(installation, grace, schools);
  for (const change of [...CONCERT_CHANGES, { visibility: 'closed' }])
    await grace.send('PUT', `/open/forms/${concert.id}`, change);
  const closes_at = new Date(Date.now() + 5 * 24 * HOUR_MS).toISOString();
  await grace.send('PUT', `/open/forms/${volunteers.id}`, { closes_at });
  await makeTokens(owner, past);
  await flushed(installation, survey.id, VISITS - LATE_VISITS);
  const now = Date.now();
  await letTimePass(installation, survey.id, { days: DAYS, until: new Date(now - 10 * HOUR_MS) });
  const hours: [MadeForm, number][] = [
    [concert, 700],
    [volunteers, 30],
    [arabic, 52],
    [schools, 4],
  ];
  for (const [form, ago] of hours)
    await letTimePass(installation, form.id, { days: 20, until: new Date(now - ago * HOUR_MS) });

  const service = await installation.serve('http,worker');
  const again = connect(service.href, { cookie });
  const late = visits.slice(-LATE_VISITS);
  const sent = late.filter(({ end }) => end === 'sent').length;
  const receiver = await startReceiver(sent);
  const integrationId = await addIntegrations(again, survey, receiver.url);
  await play(service, survey, late);
  await delivered(installation, survey.id, sent - 1);
  await moveLast(installation, survey.id, lateMoments(late, now));
  // The receiver runs on this machine, but the pictures show a public address.
  await again.send('PUT', `/open/forms/${survey.id}/integrations/${integrationId}`, {
    integration_id: 'webhook',
    data: { webhook_url: 'https://crm.example.org/hooks/visitors' },
  });
  return {
    service,
    owner: again,
    cookie,
    workspaceId,
    surveyId: survey.id,
    schoolsId: schools.id,
    concertId: concert.id,
    integrationId,
    close: receiver.close,
  };
}

/** Decisions and notes of two members about the bookings of schools. */
async function reviewBookings(grace: Client, owner: Client, { id }: MadeForm): Promise<void> {
  const { body } = await owner.send('GET', `/open/forms/${id}/submissions?per_page=7`);
  const [, issues, ...rest] = (body.data as { id: number }[]).map((booking) => booking.id);
  const review = (who: Client, said: object) =>
    who.send('POST', `/open/forms/${id}/submissions/${issues}/review`, said);
  await review(grace, {
    state: 'has_issues',
    note: 'Two classes on the same morning. Can they come at two?',
  });
  await review(owner, { note: 'They call back tomorrow.' });
  const approved = { submissionIds: rest, state: 'approved' };
  await grace.send('PUT', `/open/forms/${id}/submissions/reviews`, approved);
}

/** Sends a form to schools, which have answered it to different degrees. */
async function inviteSchools({ sql }: Installation, grace: Client, { id }: MadeForm): Promise<void> {
  const names = [
    'Bridge Street School',
    'Hill Park Primary',
    'Lakeside Academy',
    'Oakfield School',
    'St Anne’s',
  ];
  const recipients = names.map((name, index) => ({ name, email: `office@school-${index + 1}.example` }));
  await grace.send('POST', `/open/forms/${id}/recipients`, { recipients });
  await grace.send('PUT', `/open/forms/${id}/personal-links`, { required: true });
  await sql(COME_SO_FAR, [id]);
}

async function register(service: URL): Promise<{ cookie: string; owner: Client }> {
  const visitor = connect(service.href);
  const registered = await visitor.send('POST', '/register', ADA, { 'user-agent': BROWSERS.desktop });
  const { email, password } = ADA;
  await visitor.send('POST', '/login', { email, password }, { 'user-agent': BROWSERS.phone });
  const cookie = sessionOf(registered);
  return { cookie, owner: connect(service.href, { cookie }) };
}

/** `name=value` of the session cookie set by this reply. */
function sessionOf({ headers }: Reply): string {
  const line = headers.getSetCookie().find((one) => one.startsWith('formstead_session='));
  return line?.split(';')[0] ?? '';
}

/** @returns the members by first name in lower case */
async function makeWorkspace(
  owner: Client,
  service: URL,
): Promise<{ workspaceId: number; colleagues: Record<string, Client> }> {
  const [first] = (await owner.send('GET', '/open/workspaces')).body as unknown as { id: number }[];
  const workspaceId = first?.id ?? 0;
  await owner.send('PUT', `/open/workspaces/${workspaceId}`, { name: 'Riverside Museum' });
  const invite = async (email: string, role: string) => {
    const { body } = await owner.send('POST', `/open/workspaces/${workspaceId}/users/add`, { email, role });
    return new URL(String(body.invite_link)).searchParams.get('invite_token');
  };
  const colleagues: Record<string, Client> = {};
  for (const { name, email, role } of MEMBERS) {
    const invite_token = await invite(email, role);
    const person = { ...ADA, name, email, invite_token };
    const registered = await connect(service.href).send('POST', '/register', person);
    const cookie = sessionOf(registered);
    colleagues[email.slice(0, email.indexOf('@'))] = connect(service.href, { cookie });
  }
  await invite('katherine@example.com', 'user');
  return { workspaceId, colleagues };
}

async function makeForm(owner: Client, workspaceId: number, form: object): Promise<MadeForm> {
  const { body } = await owner.send('POST', '/open/forms', { ...form, workspace_id: workspaceId });
  return { id: Number(body.id), slug: String(body.slug) };
}

async function makeTokens(owner: Client, service: URL): Promise<void> {
  const { body } = await owner.send('POST', '/settings/tokens', {
    name: 'Monthly report',
    abilities: ['workspaces-read', 'forms-read'],
  });
  await connect(service.href, { authorization: `Bearer ${body.token}` }).send('GET', '/open/workspaces');
  await owner.send('POST', '/settings/tokens', { name: 'Website', abilities: ['forms-read', 'forms-write'] });
}

async function addIntegrations(owner: Client, { id }: MadeForm, url: string): Promise<number> {
  const path = `/open/forms/${id}/integrations`;
  await owner.send('POST', path, {
    integration_id: 'n8n',
    status: 'inactive',
    data: { webhook_url: 'https://n8n.example.org/webhook/visitors' },
  });
  await owner.send('POST', path, {
    integration_id: 'webhook',
    data: { webhook_url: url, webhook_secret: 'a secret for the pictures' },
  });
  const rows = (await owner.send('GET', path)).body as unknown as { id: number; integration_id: string }[];
  return rows.find(({ integration_id }) => integration_id === 'webhook')?.id ?? 0;
}

/** Moments of the late visits, over the last nine hours. */
function lateMoments(visits: Visit[], now: number): Date[] {
  const { length } = visits.filter(({ end }) => end !== 'left');
  return Array.from({ length }, (_, at) => {
    const hours = 0.1 + ((length - at) / length) ** 2 * 9;
    return new Date(now - hours * HOUR_MS);
  });
}

/** Waits until the counted views are written. */
async function flushed({ sql }: Installation, formId: number, views: number): Promise<void> {
  for (;;) {
    const [row] = await sql('select views_count from form_views where form_id = $1', [formId]);
    if (Number(row?.views_count) >= views) return;
    await sleep(200);
  }
}

/** Waits until so many deliveries have arrived, and the one that always fails was tried again. */
async function delivered({ sql }: Installation, formId: number, count: number): Promise<void> {
  for (;;) {
    const [row] = await sql(COUNT_DELIVERED, [formId]);
    if (Number(row?.delivered) >= count && Number(row?.tried_again) > 0) break;
    await sleep(200);
  }
  await sql(PUT_OFF, [formId]);
  // The mark of failing depends by chance on which delivery was last, so it is cleared.
  await sql('update integrations set failing_since = null where form_id = $1', [formId]);
}

const COME_SO_FAR = `
  update recipients set mails_sent = 1, mailed_at = now() - interval '3 days',
    opened_at = case when place in (1, 2, 4) then now() - place * interval '7 hours' end,
    answered_at = case when place in (1, 4) then now() - place * interval '6 hours' end,
    mail_problem = case when place = 5 then 'The mail server said: 550 5.1.1 unknown user' end
  from (select id as of, row_number() over (order by id) as place from recipients where form_id = $1) places
  where id = of`;
const COUNT_DELIVERED = `
  select count(*) filter (where state = 'delivered') as delivered,
    count(*) filter (where state = 'pending' and attempts > 1) as tried_again
  from deliveries where form_id = $1`;
const PUT_OFF = `
  update deliveries set next_attempt_at = now() + interval '8 minutes' where form_id = $1 and state = 'pending'`;
