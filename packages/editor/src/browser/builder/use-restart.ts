import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { StoredModels } from '../api/definitions.js';
import { useTexts } from '../language/language.js';
import { useNotice } from '../shell/notices.js';

/** Milliseconds after which the service is not expected to restart by itself. */
const PATIENCE_MS = 20_000;

/**
 * Waits for the service that uses the files that were written: in development it restarts by itself.
 * @param onEnd called when it has; the same function each time
 */
export function useRestart(onEnd: () => void) {
  const texts = useTexts().builder;
  const queries = useQueryClient();
  const show = useNotice();
  const [former, setFormer] = useState<number>();
  useEffect(() => {
    if (former === undefined) return undefined;
    const end = (text: string): void => {
      // Reading everything again must not end it again.
      stop();
      setFormer(undefined);
      onEnd();
      show({ kind: 'done', text });
      void queries.invalidateQueries();
    };
    const timer = setTimeout(() => end(texts.restartIt), PATIENCE_MS);
    const unsubscribe = queries.getQueryCache().subscribe(({ query }) => {
      const data = query.state.data as StoredModels | undefined;
      if (query.queryKey[0] === 'models' && data !== undefined && data.started !== former) end(texts.inUse);
    });
    const stop = (): void => {
      clearTimeout(timer);
      unsubscribe();
    };
    return stop;
  }, [former, onEnd, queries, show, texts]);
  return { isPending: former !== undefined, await: setFormer };
}
