import { useEffect, useRef, useState } from 'react';
import { presentPlace } from './place.ts';
import { useDebounced } from './use-debounced.ts';

/**
 * The text of a search box whose search is in the address. What is typed goes there after a moment; when the address changes
 * otherwise, as by Back, the box follows it. Whoever goes on before that moment is over stays there.
 */
export function useSearchText(
  search: string | undefined,
  onSearch: (search: string | undefined) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(search ?? '');
  const typed = useDebounced(text.trim());
  /** What the address has because of the box. */
  const sent = useRef(text);
  const typedAt = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed changes the address
  useEffect(() => {
    if (typed === (search ?? '')) return;
    if (presentPlace() !== typedAt.current) return setText(search ?? '');
    sent.current = typed;
    onSearch(typed || undefined);
  }, [typed]);
  useEffect(() => {
    if ((search ?? '') === sent.current) return;
    sent.current = search ?? '';
    setText(search ?? '');
  }, [search]);
  const type = (next: string) => {
    typedAt.current = presentPlace();
    setText(next);
  };
  return [text, type];
}
