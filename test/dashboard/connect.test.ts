import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';
import { expectFine, signedInPage } from './screens.ts';

const home = useHome();
const browser = useBrowser();
/** A state that changes if anything treats it as more than plain text. */
const STATE = '1e5 a+b&c=%2B#é';
const program = useWebhookReceiver();

/** A client of the official library without a token. */
function anAssistant() {
  const kept: { client?: any; tokens?: any; verifier?: string; asksAt?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: program.url,
    clientMetadata: { client_name: 'Helpful <b>assistant</b>', redirect_uris: [program.url] },
    state: () => STATE,
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      kept.asksAt = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
  };
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${home.service.context.baseUrl()}/mcp`), {
      authProvider: provider,
    });
  const client = () => new Client({ name: 'test', version: '1' });
  return {
    kept,
    /** @returns the address to which the person is sent */
    async begin(): Promise<string> {
      await expect(client().connect(transport())).rejects.toThrow(UnauthorizedError);
      return String(kept.asksAt);
    },
    /** Gets its token and lists the tools. */
    async finish(answer: URLSearchParams) {
      const last = transport();
      await last.finishAuth(answer);
      const connected = client();
      await connected.connect(transport());
      const { tools } = await connected.listTools();
      await connected.close();
      return tools.map(({ name }) => name);
    },
  };
}

/** The parameters with which the browser returned to the program. */
async function answerOf(before: number): Promise<URLSearchParams> {
  const requests = await program.received(before + 1);
  return new URL(requests[before]?.path ?? '', program.url).searchParams;
}

test('an assistant is connected by its address alone, by somebody who has to sign in first', async () => {
  const assistant = anAssistant();
  const person = await home.newMember('user');
  const page = await browser.page();
  await page.goto(await assistant.begin());
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByRole('heading', { name: 'Connect Helpful <b>assistant</b>?' }).waitFor();
  await page.getByText(person.email).waitFor();
  await page.getByText(new URL(program.url).host).waitFor();
  await expectFine(page, 'a program asks');
  const isChecked = (name: RegExp) => page.getByRole('checkbox', { name }).isChecked();
  expect([await isChecked(/Read forms/), await isChecked(/Make, change/)]).toEqual([true, false]);
  await page.getByRole('checkbox', { name: /Read workspaces/ }).uncheck();
  const before = program.requests.length;
  await page.getByRole('button', { name: 'Allow' }).click();

  const answer = await answerOf(before);
  expect(answer.get('state')).toBe(STATE);
  const tools = await assistant.finish(answer);
  expect(tools).toContain('list_submissions');
  expect(tools).not.toContain('list_workspaces');
  expect(tools).not.toContain('create_form');

  await page.goto(`${home.service.url}/account/tokens`);
  await page.getByText('Helpful <b>assistant</b>').first().waitFor();
});

test('whoever refuses goes back to the program, which gets nothing', async () => {
  const assistant = anAssistant();
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(await assistant.begin());
  const before = program.requests.length;
  await page.getByRole('link', { name: 'Refuse' }).click();
  const answer = await answerOf(before);
  expect([answer.get('error'), answer.get('state'), answer.get('code')]).toEqual([
    'access_denied',
    STATE,
    null,
  ]);
});

test('nothing can be allowed that allows nothing', async () => {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(await anAssistant().begin());
  for (const name of [/Read forms/, /Read workspaces/]) await page.getByRole('checkbox', { name }).uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Choose at least one.').waitFor();
  await expectFine(page, 'nothing chosen');
});

test('who is sent by nobody we know goes no further', async () => {
  const page = await signedInPage(browser, home.service.url, home.ada);
  for (const path of ['/connect', '/oauth/authorize?client_id=nonsense&response_type=code']) {
    await page.goto(home.service.url + path);
    await page.getByRole('heading', { name: 'This cannot be connected' }).waitFor();
    await page.getByText('This program is not registered here.').waitFor();
  }
  await expectFine(page, 'a program nobody knows');
});
