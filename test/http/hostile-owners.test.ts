import { afterAll, expect, test } from 'vitest';
import { aVisitor } from '../public-pages/visitor.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { processorMs } from '../setup/processor-time.ts';
import { type SmtpServer, startSmtpServer } from '../setup/smtp-server.ts';

/** Forms made so that filling them in costs as much as can be: whoever may make forms is no operator. */
let smtp: SmtpServer;
const home = useHome(async () => {
  smtp = await startSmtpServer();
  return { env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org' } };
});
afterAll(() => smtp.close());

const STORY = aField('01', 'rich_text', 'Story');
const EMAIL = aField('02', 'email', 'E-mail');
/** Takes a tenth of a second to be read as plain text. */
const LONG_STORY = '<b>&amp;x</b> '.repeat(990) + '&lt;'.repeat(20_000);
const MENTIONS = `<span mention mention-field-id="${STORY.id}">x</span>`.repeat(100);

test('a long answer that a mail mentions again and again is read once', async () => {
  const form = await home.form({ properties: [STORY, EMAIL] });
  const data = { recipient_field: EMAIL.id, subject: 'Hello', text: MENTIONS };
  const path = `/open/forms/${form.id}/integrations`;
  const made = await home.call('POST', path, { integration_id: 'email_confirmation', data });
  expect(made.status, made.text).toBe(200);
  const spent = await processorMs(async () => {
    const answer = await home.submit(form, { [STORY.id]: LONG_STORY, [EMAIL.id]: 'ada@example.org' });
    expect(answer.status, answer.text).toBe(200);
  });
  expect(spent).toBeLessThan(1_500);
});

test('so is one that the page which thanks mentions, and only its beginning is shown', async () => {
  const form = await home.form({ properties: [STORY], submitted_text: MENTIONS });
  const visitor = aVisitor(home.service);
  const page = await visitor.open(`/forms/${form.slug}`);
  const spent = await processorMs(async () => {
    const thanks = await visitor.send(page, { [STORY.id]: LONG_STORY });
    expect(thanks.path).toContain('/thank-you?');
    expect(thanks.html.length).toBeLessThan(2_000_000);
  });
  expect(spent).toBeLessThan(2_000);
});
