import { beforeEach, expect, test } from 'vitest';
import { aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { changedMeanwhile } from '../setup/meanwhile.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';

const smtp = useSmtpServer();
const home = useHome(() => ({
  env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org', ROLES: 'http' },
}));
beforeEach(() => {
  smtp.mails.length = 0;
  smtp.meanwhile = null;
});

const pathOf = (form: { id: number }) => `/open/forms/${form.id}/recipients`;
const list = async (form: { id: number }) => (await home.call('GET', pathOf(form))).body.data;
const correct = (form: { id: number }, ...recipients: { id: number; email: string }[]) =>
  home.call('POST', `${pathOf(form)}/correct`, { recipients });
const invite = (form: { id: number }) =>
  home.call('POST', `${pathOf(form)}/mails`, {
    kind: 'invitation',
    subject: 'Hello',
    text: 'Please: {link}',
  });
const send = () => runAllJobs(home.service.context);
const answerBy = (link: string, more: object = {}) => {
  const { pathname, search } = new URL(link);
  return home.service.request('POST', `${pathname}/answer${search}`, {
    body: { [TEXT_FIELD_ID]: 'x', ...more },
  });
};

async function aList(...emails: string[]) {
  const form = await home.form({ properties: [aTextField()], enable_partial_submissions: true });
  await home.call('PUT', `/open/forms/${form.id}/personal-links`, { required: true });
  const recipients = emails.map((email) => ({ name: email.split('@')[0], email }));
  await home.call('POST', pathOf(form), { recipients });
  return { form, recipients: await list(form) };
}

test('after a typo the invitation goes to the right address with another link, and the former one leads nowhere', async () => {
  const {
    form,
    recipients: [ada],
  } = await aList('ada@exampel.org');
  await invite(form);
  await send();
  // Whoever has the mistyped address began to answer, and wants no more mails.
  const begun = await answerBy(ada.link, { is_partial: true });
  expect(begun.status, begun.text).toBe(200);
  await home.service.request('POST', `${new URL(ada.link).pathname}/stop-mails${new URL(ada.link).search}`);
  smtp.mails.length = 0;
  const corrected = await correct(form, { id: ada.id, email: 'ada@example.org' });
  expect(corrected.body).toMatchObject({ corrected: 1, new_links: 1, queued: 1 });
  expect(await list(form)).toMatchObject([
    {
      id: ada.id,
      email: 'ada@example.org',
      status: 'queued',
      mails_sent: 0,
      opened_at: null,
      declined_at: null,
    },
  ]);
  await send();
  expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([['ada@example.org']]);
  const [{ link, status }] = await list(form);
  expect(status).toBe('mailed');
  expect(smtp.mails[0]?.text).toContain(link);
  expect((await answerBy(ada.link)).body.error).toBe('personal_link_needed');
  expect((await answerBy(link)).status).toBe(200);
  // What was begun by the former link stays, as nobody's.
  const records = await home.records(form);
  expect(records.map((record) => record.status).toSorted()).toEqual(['completed', 'partial']);
});

test('a link that was mailed to nobody stays', async () => {
  const {
    form,
    recipients: [ada],
  } = await aList('ada@exampel.org');
  const corrected = await correct(form, { id: ada.id, email: 'ada@example.org' });
  expect(corrected.body).toMatchObject({ corrected: 1, new_links: 0, queued: 0 });
  expect(await list(form)).toMatchObject([{ email: 'ada@example.org', link: ada.link, status: 'new' }]);
  expect((await correct(form, { id: ada.id, email: 'Ada@example.org' })).body).toMatchObject({
    corrected: 1,
  });
  expect(await list(form)).toMatchObject([{ email: 'Ada@example.org', link: ada.link }]);
  expect((await correct(form, { id: ada.id + 1, email: 'b@example.org' })).body).toMatchObject({
    corrected: 0,
  });
});

test('no address of somebody else, none that is none, and none of who has answered is taken', async () => {
  const {
    form,
    recipients: [ada, bob, eve],
  } = await aList('ada@example.org', 'bob@example.org', 'eve@example.org');
  await answerBy(eve.link);
  const refused = await correct(
    form,
    { id: ada.id, email: 'BOB@example.org' },
    { id: bob.id, email: 'nothing' },
    { id: eve.id, email: 'eva@example.org' },
  );
  expectInvalid(refused, 'recipients.0.email', 'recipients.1.email', 'recipients.2.email');
  expect((await list(form)).map(({ email }: any) => email)).toEqual([
    'ada@example.org',
    'bob@example.org',
    'eve@example.org',
  ]);
});

test('a mail that is on its way to the former address does not count for the new one', async () => {
  const {
    form,
    recipients: [ada],
  } = await aList('ada@exampel.org');
  await invite(form);
  smtp.meanwhile = async () => {
    smtp.meanwhile = null;
    await correct(form, { id: ada.id, email: 'ada@example.org' });
  };
  await send();
  await send();
  expect(smtp.mails.flatMap(({ recipients }) => recipients)).toEqual(['ada@exampel.org', 'ada@example.org']);
  expect(await list(form)).toMatchObject([{ status: 'mailed', mails_sent: 1 }]);
});

test('an answer by the former link that comes at the same moment does not count', async () => {
  const {
    form,
    recipients: [ada],
  } = await aList('ada@exampel.org');
  await invite(form);
  await send();
  const { pool } = home.service.context;
  const answer = await changedMeanwhile(
    pool,
    form.id,
    () => answerBy(ada.link),
    (client) =>
      client.query(`update recipients set email = 'ada@example.org', code = repeat('a', 24) where id = $1`, [
        ada.id,
      ]),
  );
  expect(answer.body.error).toBe('personal_link_needed');
});
