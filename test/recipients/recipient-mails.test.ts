import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import {
  MAX_PUT_OFF,
  RECIPIENT_MAILS_PER_HOUR,
  sendRecipientMails,
} from '../../server/recipients/send-mails.ts';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';

const smtp = useSmtpServer();
const home = useHome(() => ({
  env: { SMTP_URL: smtp.url, MAIL_FROM: 'Forms: Acme (X) <forms@example.org>', ROLES: 'http' },
}));
beforeEach(() => {
  smtp.mails.length = 0;
  smtp.refusals.clear();
  smtp.meanwhile = null;
});

const TEXT = { subject: 'Hello {name}', text: 'Dear {name},\n\nplease answer: {link}\n\nThe team' };
const pathOf = (form: { id: number }) => `/open/forms/${form.id}/recipients`;

async function aListOf(names: string[], form: Record<string, unknown> = {}) {
  const made = await home.form({ title: 'Members', properties: [aTextField()], ...form });
  const recipients = names.map((name) => ({ name, email: `${name.toLowerCase()}@example.org` }));
  const { body } = await home.call('POST', pathOf(made), { recipients });
  return { form: made, links: body.recipients.map(({ link }: any) => link as string) };
}
const queue = (form: { id: number }, more: object = {}) =>
  home.call('POST', `${pathOf(form)}/mails`, { kind: 'invitation', ...TEXT, ...more });
const list = async (form: { id: number }) => (await home.call('GET', pathOf(form))).body.data;
const send = () => runAllJobs(home.service.context);
/** Sends the due mails, and runs `act` when the server has received the first but not confirmed it. */
async function whileSending(act: () => Promise<unknown>): Promise<void> {
  smtp.meanwhile = () => {
    smtp.meanwhile = null;
    return act();
  };
  await send();
}
/** Runs the job of the next hours, when nobody has to wait any longer. */
async function sendLater(form: { id: number }): Promise<void> {
  const { pool } = home.service.context;
  await pool.query('update recipients set mail_lease_until = null where form_id = $1', [form.id]);
  await pool.query(`select graphile_worker.add_job('send_recipient_mails')`);
  await send();
}
const written = () => smtp.mails.flatMap(({ recipients }) => recipients);
const answerBy = (link: string) => {
  const { pathname, search } = new URL(link);
  return home.service.request('POST', `${pathname}/answer${search}`, { body: { [TEXT_FIELD_ID]: 'x' } });
};

test('everybody gets one with a link of their own, and a way to get no more', async () => {
  const { form, links } = await aListOf(['Ada', 'Bob']);
  const queued = await queue(form);
  expect(queued.body).toMatchObject({ queued: 2 });
  expect((await list(form)).map(({ status }: any) => status)).toEqual(['queued', 'queued']);
  await send();
  expect(written().toSorted()).toEqual(['ada@example.org', 'bob@example.org']);
  const mail = smtp.mails.find(({ recipients }) => recipients[0] === 'ada@example.org')?.text ?? '';
  expect(mail).toContain('From: "Forms: Acme (X)" <forms@example.org>\n');
  expect(mail).toContain('Subject: Hello Ada');
  expect(mail).toContain(`please answer: ${links[0]}`);
  expect(mail).toContain(`<a href="${links[0]}">`);
  const stop = links[0]?.replace('?', '/stop-mails?');
  expect(mail).toContain(`List-Unsubscribe: <${stop}>`);
  expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  expect(mail).toContain('No more mails about this form');
  expect(mail).toContain('Auto-Submitted: auto-generated');
  expect(mail).toMatch(/^Message-ID: <recipient-\d+-[0-9a-f]{8}-1@/m);
  expect(mail).not.toContain(links[1]);
  expect((await list(form)).map(({ status, mails_sent }: any) => [status, mails_sent])).toEqual([
    ['mailed', 1],
    ['mailed', 1],
  ]);
  // Invitations go only to people without one, so nobody is left.
  expect((await queue(form)).body).toMatchObject({ queued: 0 });
});

test('a reminder goes to who was invited, and has neither answered nor wants no mails', async () => {
  const { form, links } = await aListOf(['Ada', 'Bob', 'Cleo']);
  await queue(form);
  await send();
  await home.call('POST', pathOf(form), { recipients: [{ name: 'Dan', email: 'dan@example.org' }] });
  expect((await answerBy(links[0] ?? '')).status).toBe(200);
  await fetch((links[1] ?? '').replace('?', '/stop-mails?'), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  smtp.mails.length = 0;
  expect((await queue(form, { kind: 'reminder' })).body).toMatchObject({ queued: 1 });
  await send();
  expect(written()).toEqual(['cleo@example.org']);
  const settings = await home.call('GET', `/open/forms/${form.id}/personal-links`);
  expect(settings.body).toMatchObject({ invitation: TEXT, reminder: TEXT, mail_is_set_up: true });
});

test('a text that names no link is followed by it; markup in texts and names is text', async () => {
  const { form, links } = await aListOf(['Ada']);
  await home.call('POST', pathOf(form), {
    recipients: [{ name: '<b>{link}</b>', email: 'ada@example.org' }],
  });
  await queue(form, { text: 'Dear {name}, <i>hello</i>' });
  await send();
  const [mail] = smtp.mails;
  expect(mail?.text).toContain('Dear &lt;b&gt;{link}&lt;/b&gt;, &lt;i&gt;hello&lt;/i&gt;');
  expect(mail?.text).toContain(`Dear <b>{link}</b>, <i>hello</i>\n\n${links[0]}`);
});

test('replies go where the owner wants them, else to the sender', async () => {
  const { form } = await aListOf(['Ada']);
  expectInvalid(await queue(form, { reply_to: 'ada@example.org, bob@example.org' }), 'reply_to');
  await queue(form, { reply_to: ' team@example.org ' });
  await send();
  const settings = await home.call('GET', `/open/forms/${form.id}/personal-links`);
  expect(settings.body.invitation).toEqual({ ...TEXT, reply_to: 'team@example.org' });
  await queue(form, { kind: 'reminder', reply_to: '' });
  await send();
  const replies = smtp.mails.map(({ text }) => /^Reply-To: (.*)$/m.exec(text)?.[1]);
  expect(replies).toEqual(['team@example.org', undefined]);
});

test('a program may end the lines of a text as mails do', async () => {
  const { form, links } = await aListOf(['Ada']);
  await queue(form, { text: 'Dear {name},\r\n\r\n{link}\r\nBye' });
  await send();
  const [mail] = smtp.mails;
  expect(mail?.text).toContain('dir="auto">Dear Ada,</p><p ');
  expect(mail?.text).toContain(`${links[0]}</a><br>Bye</p>`);
});

test('what was answered meanwhile is not asked for, and what is cancelled does not go out', async () => {
  const { form, links } = await aListOf(['Ada', 'Bob']);
  await queue(form);
  await answerBy(links[0] ?? '');
  expect((await list(form)).map(({ status }: any) => status)).toEqual(['answered', 'queued']);
  const cancelled = await home.call('DELETE', `${pathOf(form)}/mails`);
  expect(cancelled.body.cancelled).toBe(1);
  await send();
  expect(written()).toEqual([]);
});

test('an address that is refused for good is told; another refusal is tried again later', async () => {
  const { form } = await aListOf(['Ada', 'Bob']);
  smtp.refusals.set('ada@example.org', '550 no such person');
  smtp.refusals.set('bob@example.org', '451 come back later');
  await queue(form);
  await send();
  const [ada, bob] = await list(form);
  expect(ada).toMatchObject({ status: 'failed', mails_sent: 0 });
  expect(ada.mail_problem).toContain('550 no such person');
  expect(bob).toMatchObject({ status: 'queued', mail_problem: null });
  smtp.refusals.clear();
  smtp.meanwhile = null;
  const { pool } = home.service.context;
  await pool.query('update recipients set mail_lease_until = now() where form_id = $1', [form.id]);
  await home.service.context.pool.query(`select graphile_worker.add_job('send_recipient_mails')`);
  await send();
  expect(written()).toEqual(['bob@example.org']);
});

test('whom the mail server puts off holds up nobody else', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `P${index}`);
  const { form } = await aListOf(names);
  for (const name of names.slice(0, 8))
    smtp.refusals.set(`${name.toLowerCase()}@example.org`, '451 greylisted');
  await queue(form);
  await send();
  expect(written().toSorted()).toEqual([
    'p10@example.org',
    'p11@example.org',
    'p8@example.org',
    'p9@example.org',
  ]);
});

test('two mails at a time are sent, as some servers take no more than three', async () => {
  const { form } = await aListOf(['Ada', 'Bob', 'Cleo', 'Dan', 'Eve']);
  let [now, most] = [0, 0];
  smtp.meanwhile = async () => {
    now += 1;
    most = Math.max(most, now);
    await setTimeout(100);
    now -= 1;
  };
  await queue(form);
  await send();
  smtp.meanwhile = null;
  expect([written().length, most]).toEqual([5, 2]);
});

test('a server that puts off everybody is left alone until the next run', async () => {
  const names = Array.from({ length: MAX_PUT_OFF + 8 }, (_, index) => `P${index}`);
  const { form } = await aListOf(names);
  for (const name of names) smtp.refusals.set(`${name.toLowerCase()}@example.org`, '450 too fast');
  await queue(form);
  await send();
  const { rows } = await home.service.context.pool.query(
    'select count(*)::int as count from recipients where form_id = $1 and mail_tries > 0',
    [form.id],
  );
  expect(rows).toEqual([{ count: MAX_PUT_OFF }]);
});

test('a mail that nobody takes is given up after some tries', async () => {
  const { form } = await aListOf(['Ada']);
  smtp.refusals.set('ada@example.org', '451 come back later');
  await queue(form);
  for (let tries = 0; tries < 5; tries++) await sendLater(form);
  expect((await list(form))[0]).toMatchObject({ status: 'failed' });
});

test('a mail server that is away for hours uses up no try of anybody', async () => {
  const { form } = await aListOf(['Ada', 'Bob']);
  await queue(form);
  smtp.meanwhile = () => Promise.reject(new Error('gone'));
  for (let tries = 0; tries < 8; tries++) await sendLater(form);
  expect((await list(form)).map(({ status }: any) => status)).toEqual(['queued', 'queued']);
  smtp.meanwhile = null;
  await sendLater(form);
  expect((await list(form)).map(({ status }: any) => status)).toEqual(['mailed', 'mailed']);
});

test('a form sends so many in an hour; the others wait for the next', async () => {
  const { form } = await aListOf(['Ada', 'Bob']);
  await home.service.context.pool.query(
    `insert into mail_counts (form_id, counted, since, count)
     values ($1, 'recipients', date_trunc('hour', now(), 'UTC'), $2)`,
    [form.id, RECIPIENT_MAILS_PER_HOUR - 1],
  );
  await queue(form);
  await send();
  expect(written()).toHaveLength(1);
  expect((await list(form)).map(({ status }: any) => status).toSorted()).toEqual(['mailed', 'queued']);
});

test('a mail that is being sent while mails are put in line once more is sent once', async () => {
  const { form } = await aListOf(['Ada']);
  await queue(form);
  await whileSending(async () => {
    expect((await queue(form)).body).toMatchObject({ queued: 1 });
    // As another process.
    await runAllJobs({ ...home.service.context });
  });
  await send();
  expect(written()).toHaveLength(1);
  expect((await list(form))[0]).toMatchObject({ status: 'mailed', mails_sent: 1 });
});

test('a mail that is cancelled and put in line once more while it is being sent is sent once, by several processes too', async () => {
  const { form } = await aListOf(['Ada']);
  await queue(form);
  const { context } = home.service;
  await whileSending(async () => {
    await home.call('DELETE', `${pathOf(form)}/mails`);
    expect((await queue(form)).body).toMatchObject({ queued: 1 });
    // As another process, which does not know of the mail under way.
    await sendRecipientMails({ ...context }, new AbortController().signal);
  });
  expect(written()).toEqual(['ada@example.org']);
  expect((await list(form))[0]).toMatchObject({ status: 'mailed', mails_sent: 1 });
});

test('a reminder that is put in line while the invitation is being sent follows it', async () => {
  const { form } = await aListOf(['Ada']);
  const [{ id }] = await list(form);
  await queue(form);
  await whileSending(() => queue(form, { kind: 'reminder', subject: 'Reminder', ids: [id] }));
  await send();
  expect(smtp.mails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1])).toEqual(['Hello Ada', 'Reminder']);
  expect((await list(form))[0]).toMatchObject({ status: 'mailed', mails_sent: 2 });
});

test('mails that wait are sent at once also when they are put in line once more', async () => {
  const { form } = await aListOf(['Ada', 'Bob']);
  await queue(form);
  expect((await queue(form)).body).toMatchObject({ queued: 2 });
  await send();
  expect(written().toSorted()).toEqual(['ada@example.org', 'bob@example.org']);
});

test('a reminder that is put in line while the invitation is given up follows it', async () => {
  const { form } = await aListOf(['Ada']);
  const [{ id }] = await list(form);
  await queue(form);
  // This is the last try, and the mail server puts the mail off.
  await home.service.context.pool.query('update recipients set mail_tries = 4 where id = $1', [id]);
  await whileSending(async () => {
    await queue(form, { kind: 'reminder', subject: 'Reminder', ids: [id] });
    return '451 come back later';
  });
  await send();
  expect(smtp.mails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1])).toEqual(['Hello Ada', 'Reminder']);
  expect((await list(form))[0]).toMatchObject({ status: 'mailed', mails_sent: 1, mail_problem: null });
});

test('a form that takes no answers sends nothing, and says so', async () => {
  const { form } = await aListOf(['Ada'], { visibility: 'draft' });
  expectInvalid(await queue(form), 'kind');
  const open = await aListOf(['Ada']);
  await queue(open.form);
  await home.call('PUT', `/open/forms/${open.form.id}`, { visibility: 'closed' });
  await send();
  expect(written()).toEqual([]);
  expect((await list(open.form))[0]).toMatchObject({ status: 'failed' });
  expectInvalid(await queue(open.form, { subject: '', text: '' }), 'subject', 'text');
  const full = await aListOf(['Ada', 'Bob'], { max_submissions_count: 1 });
  await queue(full.form);
  expect((await answerBy(full.links[0] ?? '')).status).toBe(200);
  await send();
  expect(written()).toEqual([]);
  expectInvalid(await queue(full.form), 'kind');
});

test('what waits when the form goes to the trash goes out when it comes back', async () => {
  const { form } = await aListOf(['Ada']);
  await queue(form);
  await home.call('POST', `/open/forms/${form.id}/trash`);
  await send();
  expect(written()).toEqual([]);
  expect((await queue(form)).status).toBe(422);
  await home.call('DELETE', `/open/forms/${form.id}/trash`);
  await sendRecipientMails(home.service.context, new AbortController().signal);
  expect(written()).toEqual(['ada@example.org']);
});

test('invitations to a form that opens later go out when it does', async () => {
  const { form } = await aListOf(['Ada']);
  await home.call('PUT', `/open/forms/${form.id}`, { opens_at: '2099-01-01' });
  expect((await queue(form)).status).toBe(200);
  await send();
  expect(written()).toEqual([]);
  await home.call('PUT', `/open/forms/${form.id}`, { opens_at: '2020-01-01' });
  await sendRecipientMails(home.service.context, new AbortController().signal);
  expect(written()).toEqual(['ada@example.org']);
});
