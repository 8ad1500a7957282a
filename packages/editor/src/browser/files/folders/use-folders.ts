import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { moveTo, readFolders } from '../../api/folders.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../language/language.js';
import type { Folder, Selected } from '../../model/library/folders.js';
import type { Content } from '../../model/schema.js';
import { useNotice } from '../../shell/notices.js';

/** The key of the folders among the queries. */
export const FOLDERS = ['files', 'folders'] as const;

/** The folders of the library. Undefined: they are not known yet, or the user may not see them. */
export function useFolders(content: Content): readonly Folder[] | undefined {
  const { api } = useSession();
  const { data } = useQuery({
    queryKey: FOLDERS,
    queryFn: () => readFolders(api),
    enabled: content.folders.find,
  });
  return data;
}

/** Moves folders and files; null is the top. */
export function useMove(): (selected: Selected, to: number | null) => void {
  const texts = useTexts().folders;
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const { mutate } = useMutation({
    mutationFn: ({ selected, to }: { readonly selected: Selected; readonly to: number | null }) =>
      moveTo(api, selected, to),
    onSuccess: async () => {
      show({ kind: 'done', text: texts.moved });
      await queries.invalidateQueries({ queryKey: ['files'] });
    },
    onError: (error) => show({ kind: 'failed', error }),
  });
  return (selected, to) => mutate({ selected, to });
}
