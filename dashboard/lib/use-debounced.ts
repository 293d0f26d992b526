import { useEffect, useState } from 'react';

const DELAY_MS = 250;

/** The value after it has stayed unchanged for a moment. */
export function useDebounced<Value>(value: Value, delay = DELAY_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
