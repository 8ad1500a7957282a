import { useEffect, useReducer } from 'react';
import { relativeTime } from '../model/relative-time.js';
import { useTexts } from './language.js';
import { regionOf, timeOf } from './time-of.js';

/** Milliseconds after which what is shown may have changed. */
const MINUTE_MS = 60_000;

/** How long ago a time was, with the time itself where the pointer rests. */
export function RelativeTime({ value }: { readonly value: unknown }) {
  const texts = useTexts();
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  const time = new Date(String(value));
  if (Number.isNaN(time.getTime())) return undefined;
  return (
    <time dateTime={time.toISOString()} title={timeOf(texts, value)}>
      {relativeTime(regionOf(texts), time, new Date())}
    </time>
  );
}
