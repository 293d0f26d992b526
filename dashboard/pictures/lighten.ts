import { ApiError } from '../api/client.ts';

/** Largest picture the service accepts, in bytes. */
const MAX_SIZE = 2 * 1024 * 1024;
/** Pictures up to so many bytes need no reduction. */
const LIGHT = 300 * 1024;
/** Pixels of the longer side; enough for a cover on a high-density screen. */
const MAX_SIDE = 2_000;
const QUALITY = 0.85;
/** Redrawn, a drawing or an animation would lose what makes it one. */
const KEPT_AS_THEY_ARE = ['image/svg+xml', 'image/gif'];

/** For `accept` of file inputs. */
export const PICTURE_TYPES = 'image/png,image/jpeg,image/gif,image/webp,image/avif,image/svg+xml';

/**
 * Prepares a chosen picture for upload. Large ones are redrawn with fewer pixels; photos always, because they may contain the
 * place where they were taken.
 * @throws ApiError as if the service had refused it
 */
export async function lighten(file: File): Promise<Blob> {
  const isAsItIs = KEPT_AS_THEY_ARE.includes(file.type);
  if (isAsItIs && file.size > MAX_SIZE)
    throw unusable('The picture is larger than 2 MB. Make it smaller, or choose another.');
  if (isAsItIs || (file.type !== 'image/jpeg' && file.size <= LIGHT)) return file;
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) throw unusable('A browser cannot show this picture.');
  try {
    for (let side = MAX_SIDE; side >= MAX_SIDE / 8; side /= 2) {
      const drawn = await draw(picture, side, file.type);
      if (drawn.size <= MAX_SIZE) return drawn;
    }
  } finally {
    picture.close();
  }
  throw unusable('The picture is too large. Make it smaller, or choose another.');
}

/** @param side most pixels of the longer side */
async function draw(picture: ImageBitmap, side: number, type: string): Promise<Blob> {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width, picture.height].map((pixels) =>
    Math.max(1, Math.round(pixels * scale)),
  );
  const canvas = new OffscreenCanvas(width as number, height as number);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const drawn = await canvas.convertToBlob({ type: 'image/webp', quality: QUALITY });
  // Browsers that cannot write WebP write PNG instead, which is large for photos.
  return drawn.type === 'image/webp' || type !== 'image/jpeg'
    ? drawn
    : canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}

function unusable(message: string): ApiError {
  return new ApiError(422, message, { errors: { picture: [message] } });
}
