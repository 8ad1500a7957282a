import { useQuery } from '@tanstack/react-query';
import type { ContentType } from '../model/schema.js';
import type { Entry } from './entries.js';
import { useSession } from './session.js';

/** The names of the users who created and last changed an entry; null: it was no user, or one who was deleted. */
interface Writers {
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
}

/** Who wrote this version of an entry; undefined: it is not known yet, or not to users who may not change the entry. */
export function useWriters({ uid, plain, actions }: ContentType, entry: Entry | undefined): Writers | undefined {
  const { api } = useSession();
  return useQuery({
    queryKey: ['writers', uid, entry?.id, entry?.attributes['updatedAt']],
    enabled: entry !== undefined && !plain && actions.includes('update'),
    queryFn: async () => ((await api.get(`admin/writers/${uid}/${entry?.id}`)).body as { readonly data: Writers }).data,
  }).data;
}
