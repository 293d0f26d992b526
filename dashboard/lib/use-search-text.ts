import { useEffect, useState } from 'react';
import { useDebounced } from './use-debounced.ts';

/**
 * The text of a search box whose search is in the address. What is typed goes there after a moment; when the address is
 * cleared, so is the box.
 */
export function useSearchText(
  search: string | undefined,
  onSearch: (search: string | undefined) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(search ?? '');
  const typed = useDebounced(text.trim());
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed changes the address
  useEffect(() => {
    if (typed !== (search ?? '')) onSearch(typed || undefined);
  }, [typed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: and the address what is typed, when it is cleared
  useEffect(() => {
    if (!search && typed !== '') setText('');
  }, [search]);
  return [text, setText];
}
