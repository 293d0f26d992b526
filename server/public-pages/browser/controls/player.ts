import { make } from '../page.ts';

const YOUTUBE =
  /^https?:\/\/(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com\/(?:watch\?(?:.*&)?v=|embed\/|shorts\/)|youtu\.be\/)([\w-]{11})/;
const VIMEO = /^https?:\/\/(?:www\.|player\.)?vimeo\.com\/(?:video\/)?(\d{1,15})/;

/** Replaces a link to a video by its player when the visitor asks for it; nothing is loaded from the video's site before. */
export function enhancePlayer(element: HTMLElement): void {
  const link = element as HTMLAnchorElement;
  const src = playerOf(link.href);
  if (src === null) return;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    const frame = make('iframe', {
      class: 'wide',
      src,
      title: link.firstChild?.textContent ?? '',
      allow: 'autoplay; fullscreen; encrypted-media; picture-in-picture',
      referrerpolicy: 'strict-origin-when-cross-origin',
    });
    Object.assign(frame.style, { aspectRatio: '16 / 9', inlineSize: '100%', border: '0' });
    link.parentElement?.replaceWith(frame);
    frame.focus();
  });
}

function playerOf(address: string): string | null {
  const video = YOUTUBE.exec(address)?.[1];
  if (video) return `https://www.youtube-nocookie.com/embed/${video}?autoplay=1`;
  const number = VIMEO.exec(address)?.[1];
  return number ? `https://player.vimeo.com/video/${number}?autoplay=1&dnt=1` : null;
}
