import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../fields/texts/escape-html.ts';
import { API_PAGE_STYLE } from './api-page-style.ts';
import type { ApiDocument, ApiResponse, Operation, Parameter, Schema } from './openapi-operations.ts';
import { exampleOf, type SchemaRow, schemaRows, typeText } from './schema-text.ts';

const styleHash = createHash('sha256').update(API_PAGE_STYLE).digest('base64');

/** Allows nothing but the style sheet in the page. */
export const apiPagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Entry {
  method: string;
  path: string;
  operation: Operation;
  /** A request that the service sends. */
  isEvent: boolean;
}

/** The reference of the API as one self-contained page without scripts. */
export function apiPage(document: ApiDocument, baseUrl: string): string {
  const groups = byTag(document);
  const { title, version, description = '' } = document.info;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} API</title>
<style>${API_PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the calls</a>
<header>
<h1>${escapeHtml(title)} API</h1>
<p class="quiet">Version ${escapeHtml(version)} · <a href="/openapi.json">openapi.json</a></p>
<p>${prose(description)}</p>
<p>All addresses are relative to <code>${escapeHtml(baseUrl)}</code>.</p>
</header>
<nav aria-label="Calls">${groups.map(([tag, entries]) => navGroup(tag, entries)).join('\n')}</nav>
<main id="main" tabindex="-1">
${groups.map(([tag, entries]) => section(tag, entries, document, baseUrl)).join('\n')}
</main>
</body>
</html>
`;
}

function byTag({ paths, webhooks = {} }: ApiDocument): [string, Entry[]][] {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    entriesOf(path, methods, { isEvent: false }),
  );
  const events = Object.values(webhooks).flatMap((methods) =>
    entriesOf('webhook_url', methods, { isEvent: true }),
  );
  const groups = Map.groupBy([...calls, ...events], ({ operation }) => operation.tags?.[0] ?? 'Other');
  return [...groups];
}

function entriesOf(
  path: string,
  methods: Record<string, Operation>,
  { isEvent }: { isEvent: boolean },
): Entry[] {
  return Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
    isEvent,
  }));
}

function navGroup(tag: string, entries: Entry[]): string {
  const links = entries.map(
    ({ method, path, operation }) =>
      `<li><a href="#${anchor(operation)}"><b>${method}</b> ${escapeHtml(operation.summary ?? path)}</a></li>`,
  );
  return `<details><summary>${escapeHtml(tag)}</summary><ul>${links.join('')}</ul></details>`;
}

function section(tag: string, entries: Entry[], document: ApiDocument, baseUrl: string): string {
  const articles = entries.map((entry) => article(entry, document, baseUrl));
  return `<section><h2>${escapeHtml(tag)}</h2>\n${articles.join('\n')}\n</section>`;
}

function article(entry: Entry, document: ApiDocument, baseUrl: string): string {
  const { method, path, operation, isEvent } = entry;
  const body = bodySchema(operation);
  return `<article id="${anchor(operation)}">
<h3><a href="#${anchor(operation)}">${escapeHtml(operation.summary ?? `${method} ${path}`)}</a></h3>
<p class="call"><b>${method}</b> <code>${escapeHtml(path).replaceAll('/', '/<wbr>')}</code></p>
${operation.deprecated ? '<p><strong>Deprecated.</strong></p>' : ''}
${isEvent ? '' : `<p class="quiet">${needs(operation)}</p>`}
${operation.description ? `<p>${prose(operation.description)}</p>` : ''}
${parameterTable('In the path', operation.parameters, 'path')}
${parameterTable('In the query', operation.parameters, 'query')}
${parameterTable('In the head', operation.parameters, 'header')}
${table('Body', schemaRows(body))}
${responses(operation, document)}
${isEvent ? '' : `<h4>Try it</h4>\n<pre><code>${escapeHtml(curl(entry, body, baseUrl))}</code></pre>`}
</article>`;
}

function needs({ security = [], ...operation }: Operation): string {
  if (security.length === 0) return 'Needs no credentials.';
  if (!security.some((scheme) => 'token' in scheme)) return 'Needs a signed-in person; tokens do not count.';
  const ability = operation['x-required-ability'];
  const role = operation['x-required-role'];
  return [
    ability ? `Needs the ability <code>${escapeHtml(ability)}</code>` : 'Needs any valid token',
    role ? ` and at least the role <code>${escapeHtml(role)}</code> in the workspace` : '',
    '.',
  ].join('');
}

function parameterTable(title: string, parameters: Parameter[] = [], place: string): string {
  const rows = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required = false, description = '', schema = {} }) => ({
      name,
      type: typeText(schema),
      required,
      description: description || (schema.description ?? ''),
    }));
  return table(title, rows);
}

function table(title: string, rows: SchemaRow[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(
    ({ name, type, required, description }) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required ? ' <span class="must">required</span>' : ''}</th>` +
      `<td>${escapeHtml(type)}</td><td>${prose(description)}</td></tr>`,
  );
  return `<h4>${title}</h4>
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${lines.join('\n')}</tbody></table>`;
}

function responses(operation: Operation, document: ApiDocument): string {
  const items = Object.entries(operation.responses).map(([status, response]) => {
    const { description, content } = '$ref' in response ? shared(response.$ref, document) : response;
    const line = `<b>${escapeHtml(status)}</b> ${prose(description)}`;
    const rows = '$ref' in response ? [] : schemaRows(content?.['application/json']?.schema);
    if (rows.length === 0) return `<li>${line}</li>`;
    return `<li><details><summary>${line}</summary>${table('Members', rows)}</details></li>`;
  });
  return `<h4>Answers</h4><ul class="answers">${items.join('\n')}</ul>`;
}

function shared(reference: string, document: ApiDocument): ApiResponse {
  return document.components?.responses?.[reference.split('/').at(-1) ?? ''] ?? { description: '' };
}

function curl({ method, path, operation }: Entry, body: Schema | undefined, baseUrl: string): string {
  const { parameters = [], security = [] } = operation;
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=${placeholder(name)}`);
  const url = `${baseUrl}${withPlaceholders(path)}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`];
  if (security.some((scheme) => 'token' in scheme)) lines.push(`-H "Authorization: Bearer $TOKEN"`);
  else if (security.length > 0) lines.push(`-H "Cookie: formstead_session=$SESSION"`);
  if (body) {
    lines.push(`-H 'Content-Type: application/json'`);
    lines.push(`-d '${JSON.stringify(exampleOf(body)).replaceAll("'", `'\\''`)}'`);
  }
  if (operation.requestBody?.content?.['multipart/form-data']) lines.push("-F 'file=@FILE'");
  return lines.join(' \\\n  ');
}

/** `/forms/{form}` as `/forms/FORM`: curl itself would read the braces. */
function withPlaceholders(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_braces, name: string) => placeholder(name));
}

function placeholder(name: string): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase();
}

function bodySchema({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content?.['application/json']?.schema;
}

function anchor({ operationId = '' }: Operation): string {
  return escapeHtml(operationId);
}

/** Text with `code` in backquotes. */
function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
