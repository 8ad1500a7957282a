import { useQuery } from '@tanstack/react-query';
import type { Entry } from '../../api/entries.js';
import { readReview, reviewPath, type Review } from './reviews.js';
import { useSession } from '../../api/session.js';
import type { ContentType } from '../../model/schema.js';

/** Milliseconds between two looks: others ask, publish and send back meanwhile. */
const INTERVAL_MS = 20_000;

/** Who asks to publish an entry; undefined or null: nobody does. */
export function useReview(type: ContentType, entry: Entry | undefined): Review | null | undefined {
  const { api } = useSession();
  const id = type.review === true ? entry?.id : undefined;
  return useQuery({
    queryKey: ['review', type.path, id, entry?.attributes['updatedAt']],
    enabled: id !== undefined,
    queryFn: () => readReview(api, reviewPath(type, id ?? 0)),
    staleTime: 0,
    refetchInterval: INTERVAL_MS,
    refetchOnWindowFocus: 'always',
  }).data;
}
