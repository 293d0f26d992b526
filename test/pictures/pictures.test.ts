import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PDF, PNG } from '../files/upload.ts';
import { aForm, aWorkspace } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';

const home = useHome({ env: { ROLES: 'http' } });

const GIF = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const MEBIBYTE = 1024 * 1024;

const pictures = (workspaceId = home.workspaceId) => `/open/workspaces/${workspaceId}/pictures`;
const list = (workspaceId?: number) => home.call('GET', pictures(workspaceId)).then(({ body }) => body);
/** A picture with unique content for each text. */
const drawing = (text: string) => `<svg xmlns="http://www.w3.org/2000/svg"><text>${text}</text></svg>`;

async function add(
  content: Buffer | string,
  { type = 'image/png', workspaceId = home.workspaceId, token = home.ada.token } = {},
) {
  const answer = await fetch(home.service.url + pictures(workspaceId), {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${token}` },
    body: content as BodyInit,
  });
  return { status: answer.status, body: await answer.json() };
}

async function read(url: string) {
  const answer = await fetch(home.service.url + url, { headers: { accept: 'text/html,*/*' } });
  return { status: answer.status, headers: answer.headers, content: Buffer.from(await answer.arrayBuffer()) };
}

describe('a picture', () => {
  test.each([
    ['a PNG', PNG, 'png', 'image/png'],
    ['a GIF', GIF, 'gif', 'image/gif'],
    ['a JPEG', Buffer.from('ffd8ffe000104a46494600', 'hex'), 'jpg', 'image/jpeg'],
    ['a WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'webp', 'image/webp'],
    ['an AVIF', Buffer.from('\0\0\0\x1cftypavif\0\0\0\0'), 'avif', 'image/avif'],
    ['an SVG', Buffer.from(drawing('plain')), 'svg', 'image/svg+xml'],
    [
      'an SVG with a head',
      Buffer.from(
        `\ufeff<?xml version="1.0"?>\n<!-- > -->\n<!DOCTYPE svg PUBLIC "x" "y">\n${drawing('head')}`,
      ),
      'svg',
      'image/svg+xml',
    ],
  ])('%s is everybody’s to see, for ever, as what it is', async (_, content, ending, type) => {
    // The type named by the sender does not count.
    const { status, body } = await add(content, { type: 'image/webp' });
    expect(status, JSON.stringify(body)).toBe(201);
    const name = `${createHash('sha256').update(content).digest('hex')}.${ending}`;
    expect(body).toEqual({
      name,
      url: `/pictures/${name}`,
      size: content.length,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    // The second answer comes from memory.
    for (const _time of [1, 2]) {
      const shown = await read(body.url);
      expect(shown.status).toBe(200);
      expect(shown.content.equals(content)).toBe(true);
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  test.each([
    ['a page', '<!doctype html><svg></svg>'],
    ['a script before it', '<script>alert(1)</script><svg></svg>'],
    ['an SVG with entities', `<!DOCTYPE svg [<!ENTITY a "aa">]>${drawing('&a;')}`],
    [
      'an SVG with entities that hide its beginning',
      `<!DOCTYPE svg [<!ENTITY a "><svg "><!ENTITY b "bb">]>${drawing('&b;')}`,
    ],
    ['what only begins like one', '<svgs></svgs>'],
    ['a comment without an end', '<!-- <svg></svg>'],
    ['a PDF', PDF],
    ['text', 'A picture'],
  ])('%s is none', async (_, content) => {
    const { status, body } = await add(content, { type: 'image/svg+xml' });
    expect(status).toBe(422);
    expect(body.errors).toEqual({
      picture: ['The picture must be a PNG, JPEG, GIF, WebP, AVIF or SVG.'],
    });
  });

  test('may be as large as 2 MiB', async () => {
    const largest = Buffer.concat([PNG, Buffer.alloc(2 * MEBIBYTE - PNG.length, 'x')]);
    expect((await add(largest)).status).toBe(201);
    const { status, body } = await add(Buffer.concat([largest, Buffer.from('x')]));
    expect(status).toBe(413);
    expect(body.message).toBe('The request body may not be larger than 2 MiB.');
  });

  test('comes as what it is, not as JSON, and not empty', async () => {
    expect((await add('{}', { type: 'application/json' })).status).toBe(415);
    expect((await add(PNG, { type: 'text/html' })).status).toBe(415);
    expectRefused(await home.call('POST', pictures()), 415);
    expect((await add('')).body.errors).toEqual({ picture: ['The body must be a picture.'] });
  });

  test.each(['nothing.png', `${'0'.repeat(64)}.png`, `${'0'.repeat(64)}.exe`, `${'0'.repeat(64)}`, '%00'])(
    'there is none of the name %s',
    async (name) => {
      expect((await read(`/pictures/${name}`)).status).toBe(404);
      expect((await home.call('DELETE', `${pictures()}/${name}`)).status).toBe(404);
    },
  );
});

describe('the pictures of a workspace', () => {
  test('are listed with the newest first, and the same again is the same one', async () => {
    const workspaceId = await aWorkspace(home.service, home.ada);
    expect(await list(workspaceId)).toEqual([]);
    const first = (await add(drawing('first'), { workspaceId })).body;
    const second = (await add(drawing('second'), { workspaceId })).body;
    expect(await list(workspaceId)).toEqual([second, first]);
    const again = (await add(drawing('first'), { workspaceId })).body;
    expect(again.url).toBe(first.url);
    expect(await list(workspaceId)).toEqual([again, second]);
  });

  test('are for members to see, and for those who may change forms to add and to remove', async () => {
    const { url, name } = (await add(drawing('roles'))).body;
    const reader = await home.member('readonly');
    const stranger = await home.stranger();
    expect((await home.call('GET', pictures(), undefined, reader.token)).status).toBe(200);
    expect((await add(PNG, { token: reader.token })).status).toBe(403);
    expectRefused(await home.call('DELETE', `${pictures()}/${name}`, undefined, reader.token), 403);
    expectRefused(await home.call('GET', pictures(), undefined, stranger.token), 403);
    expect((await read(url)).status).toBe(200);
  });

  test('take no more than there is room for', async () => {
    const workspaceId = await aWorkspace(home.service, home.ada);
    await home.service.context.pool.query(
      `insert into pictures (workspace_id, name, content)
       select $1, lpad(to_hex(n), 64, '0') || '.png', '\\x00' from generate_series(1, 999) n`,
      [workspaceId],
    );
    expect((await add(drawing('the last'), { workspaceId })).status).toBe(201);
    const { status, body } = await add(drawing('one too many'), { workspaceId });
    expect(status).toBe(422);
    expect(body.errors.picture).toEqual([
      'There are too many pictures in this workspace. Remove some that no form shows.',
    ]);
    // A picture that is already stored needs no room.
    expect((await add(drawing('the last'), { workspaceId })).status).toBe(201);
  });

  test('go with it', async () => {
    const workspaceId = await aWorkspace(home.service, home.ada);
    const { url } = (await add(drawing('gone with its workspace'), { workspaceId })).body;
    expect((await home.call('DELETE', `/open/workspaces/${workspaceId}`)).status).toBe(200);
    expect((await read(url)).status).toBe(404);
  });
});

describe('in a form', () => {
  test.each(['logo_picture', 'cover_picture'])('%s may be one', async (member) => {
    const { url } = (await add(drawing(member))).body;
    const form = await home.form({ [member]: url });
    expect(form[member]).toBe(url);
    expect((await read(`/forms/${form.slug}`)).content.toString()).toContain(`src="${url}"`);
    for (const wrong of ['/pictures/x.png', '/pictures/../x', `${url}?x`, `//evil.example${url}`]) {
      const answer = await home.call('PUT', `/open/forms/${form.id}`, { [member]: wrong });
      expectInvalid(answer, member);
    }
  });

  test('a preview in networks gets its whole address', async () => {
    const { url } = (await add(drawing('seo'))).body;
    const form = await home.form({ seo_meta: { page_thumbnail: url, page_favicon: url } });
    const page = (await read(`/forms/${form.slug}`)).content.toString();
    expect(page).toContain(`<meta property="og:image" content="${home.service.url}${url}">`);
    expect(page).toContain(`<link rel="icon" href="${home.service.url}${url}">`);
  });

  test.each([
    ['its logo', (url: string) => ({ logo_picture: url })],
    ['an option', (url: string) => ({ properties: [choiceWith(url)] })],
  ])('one that is %s is not removed', async (_, members) => {
    const { url, name } = (await add(drawing(_))).body;
    const form = await home.form({ title: 'Fair', ...members(url) });
    const refused = await home.call('DELETE', `${pictures()}/${name}`);
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({
      message: 'Forms show this picture.',
      error: 'picture_in_use',
      forms: ['Fair'],
    });
    expect((await home.call('DELETE', `/open/forms/${form.id}`)).status).toBe(204);
    expect((await home.call('DELETE', `${pictures()}/${name}`)).status).toBe(200);
    expect((await read(url)).status).toBe(404);
    expect((await list()).map((picture: { name: string }) => picture.name)).not.toContain(name);
  });

  test('nor one that a draft is about to show', async () => {
    const { url, name } = (await add(drawing('draft'))).body;
    const form = await home.form({ title: 'Soon' });
    expect((await home.call('PUT', `/open/forms/${form.id}/draft`, { logo_picture: url })).status).toBe(200);
    expect((await home.call('DELETE', `${pictures()}/${name}`)).body.forms).toEqual(['Soon']);
  });

  test.each([
    [
      'saved',
      (form: { id: number }, url: string) =>
        home.call('PUT', `/open/forms/${form.id}`, { logo_picture: url }),
    ],
    [
      'drafted',
      (form: { id: number }, url: string) =>
        home.call('PUT', `/open/forms/${form.id}/draft`, { logo_picture: url }),
    ],
  ])('nor one that is being %s', async (_, save) => {
    const { url, name } = (await add(drawing(_))).body;
    const form = await home.form({ title: 'Now' });
    const [saved, refused] = await inLine(
      home.service.context.pool,
      (client) => client.query('select from forms where id = $1 for update', [form.id]),
      [() => save(form, url), () => home.call('DELETE', `${pictures()}/${name}`)],
    );
    expect([saved.status, refused.status, refused.body.forms]).toEqual([200, 409, ['Now']]);
    expect((await read(url)).status).toBe(200);
  });

  test('one that is shown is refused at once, whatever is being saved elsewhere', async () => {
    const { url, name } = (await add(drawing('elsewhere'))).body;
    await home.form({ title: 'Shows it', logo_picture: url });
    const other = await home.form();
    let isRefused = false;
    await inLine(
      home.service.context.pool,
      (client) => client.query('select from forms where id = $1 for update', [other.id]),
      [
        async () => {
          isRefused = (await home.call('DELETE', `${pictures()}/${name}`)).status === 409;
        },
      ],
      async () => expect(isRefused).toBe(true),
    );
  });

  test('a form that moves to another workspace takes them along, those of its earlier versions too', async () => {
    const [from, to] = [await aWorkspace(home.service, home.ada), await aWorkspace(home.service, home.ada)];
    const [logo, former, unused] = await Promise.all(
      ['logo', 'former', 'unused'].map(
        async (text) => (await add(drawing(text), { workspaceId: from })).body,
      ),
    );
    const form = await aForm(home.service, home.ada, from, {
      cover_picture: former.url,
      logo_picture: logo.url,
    });
    await home.call('PUT', `/open/forms/${form.id}`, { cover_picture: null });
    expect((await home.call('POST', `/open/forms/${form.id}/move`, { workspace_id: to })).status).toBe(200);
    const moved = (await list(to)).map(({ url }: { url: string }) => url);
    expect(moved.toSorted()).toEqual([logo.url, former.url].toSorted());
    expect(await list(from)).toHaveLength(3);
    await home.call('DELETE', `/open/workspaces/${from}`);
    expect((await read(logo.url)).status).toBe(200);
    expect((await read(unused.url)).status).toBe(404);
  });
});

function choiceWith(image: string) {
  return {
    id: 'c',
    type: 'select',
    name: 'Stand',
    option_display_mode: 'image_only',
    without_dropdown: true,
    select: { options: [{ id: 'a', name: 'A', image }] },
  };
}
