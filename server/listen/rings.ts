/** The service sends a heartbeat every 15 seconds: a stream that is silent for longer is lost. */
const SILENCE_MS = 45_000;
/** Events after which the submissions have to be read again; others only count them. */
const IS_NEWS = /^event: (?:submission|reset)$/m;

/**
 * Reads a stream of server-sent events. What they say is not used, as they may come twice or be lost with the connection.
 * @param broken ends the connection
 * @param leaving ends the stream with its reason
 */
export async function* readRings(
  stream: ReadableStream<Uint8Array>,
  broken: AbortController,
  leaving: AbortSignal,
): AsyncGenerator<void> {
  const decoder = new TextDecoder();
  let text = '';
  const silence = setTimeout(() => broken.abort(), SILENCE_MS);
  try {
    for await (const chunk of stream) {
      silence.refresh();
      text += decoder.decode(chunk, { stream: true });
      const end = text.lastIndexOf('\n\n');
      if (end < 0) continue;
      const hasNews = IS_NEWS.test(text.slice(0, end));
      text = text.slice(end + 2);
      if (hasNews) yield;
    }
  } catch {
    leaving.throwIfAborted();
  } finally {
    clearTimeout(silence);
    broken.abort();
  }
}
