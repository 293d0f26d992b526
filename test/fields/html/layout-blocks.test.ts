import { DomUtils } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { property } from '../forms.ts';
import { draw, elements } from './page.ts';

const FILM = 'https://www.youtube.com/watch?v=x';

test('a text is sanitised', () => {
  const markup = draw(property('nf-text', { content: '<h2>Hi</h2><script>1</script><p onclick="x">P</p>' }));
  expect(markup).toContain('<div class="rich"><h2>Hi</h2><p>P</p></div>');
});

test('a divider divides, a page break shows nothing', () => {
  expect(elements(draw(property('nf-divider')), 'hr')).toHaveLength(1);
  expect(draw(property('nf-page-break'))).toBe('');
});

describe('pictures', () => {
  test.each([
    'https://example.com/a.png',
    { url: 'https://example.com/a.png' },
    { src: 'https://example.com/a.png' },
  ])('from %j', (block) => {
    const [image] = elements(draw(property('nf-image', { image_block: block, alt: 'A lake' })), 'img');
    expect(image?.attribs).toMatchObject({ src: 'https://example.com/a.png', alt: 'A lake' });
  });

  test('may be a link, which says where it opens', () => {
    const block = { url: '/a.png', link: 'https://example.com/', alt: 'A lake' };
    const [link] = elements(draw(property('nf-image', { image_block: block })), 'a');
    expect(link?.attribs).toMatchObject({
      href: 'https://example.com/',
      rel: 'noopener noreferrer nofollow',
    });
    expect(DomUtils.textContent(link!)).toContain('opens in a new tab');
  });

  test.each([null, '', 'javascript:alert(1)', { url: 'data:text/html,x' }, 7])('nothing from %j', (block) => {
    expect(draw(property('nf-image', { image_block: block }))).toBe('');
  });
});

describe('films and sounds', () => {
  test('files play here, and nothing is loaded before', () => {
    const [video] = elements(draw(property('nf-video', { video_block: 'https://e.co/a.MP4?x=1' })), 'video');
    expect(video?.attribs).toMatchObject({ src: 'https://e.co/a.MP4?x=1', preload: 'none' });
    const [audio] = elements(draw(property('nf-audio', { audio_block: { url: '/a.mp3' } })), 'audio');
    expect(audio?.attribs).toMatchObject({ src: '/a.mp3', preload: 'none' });
  });

  test('players of others are links until somebody asks for them', () => {
    const markup = draw(property('nf-video', { video_block: { url: FILM } }));
    expect(elements(markup, 'iframe')).toEqual([]);
    expect(elements(markup, 'a')[0]?.attribs).toMatchObject({ href: FILM, 'data-embed': 'video' });
    expect(markup).toContain('www.youtube.com then learns your IP address.');
  });
});

test('code of the author runs in a frame that reaches nothing, or not at all', () => {
  expect(draw(property('nf-code', { content: '<b>x</b>' }))).toBe('');
  const markup = draw(property('nf-code', { content: '<script>1</script>' }), { codeUrl: '/forms/f/code/x' });
  expect(elements(markup, 'iframe')[0]?.attribs).toMatchObject({
    src: '/forms/f/code/x',
    sandbox: 'allow-scripts',
  });
  expect(elements(markup, 'script')).toEqual([]);
});
