import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { DefinedModel } from '../model/builder/models.js';

type Models = readonly DefinedModel[];

const KEY = ['edited models'];

/** The models with the changes that are not written yet; they stay while other pages are open. */
export function useEdited(): readonly [edited: Models | undefined, setEdited: (edited: Models | undefined) => void] {
  const queries = useQueryClient();
  const { data } = useQuery<Models | null>({
    queryKey: KEY,
    queryFn: skipToken,
    gcTime: Infinity,
    // Attributes in another order are a change.
    structuralSharing: false,
  });
  const setEdited = useCallback(
    (edited: Models | undefined) => void queries.setQueryData(KEY, edited ?? null),
    [queries],
  );
  return [data ?? undefined, setEdited];
}
