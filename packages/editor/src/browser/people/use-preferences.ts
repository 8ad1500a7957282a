import { useQueryClient } from '@tanstack/react-query';
import { useSession, writePreferences } from '../api/session.js';
import type { DescribedContent } from '../model/help/in-language.js';
import type { Preferences } from '../model/schema.js';
import { useNotice } from '../shell/notices.js';

/** Keeps preferences in the account of the user, by name; null removes one. They are shown at once. */
export function useKeepPreferences(): (changes: Preferences) => void {
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const keep = async (changes: Preferences): Promise<void> => {
    // What is being read does not know them yet.
    await queries.cancelQueries({ queryKey: ['content'] });
    queries.setQueryData<DescribedContent>(['content'], (content) => {
      if (content === undefined) return undefined;
      const { account } = content;
      return { ...content, account: { ...account, preferences: { ...account.preferences, ...changes } } };
    });
    try {
      await writePreferences(api, changes);
    } catch (error) {
      show({ kind: 'failed', error });
      await queries.invalidateQueries({ queryKey: ['content'] });
    }
  };
  return (changes) => void keep(changes);
}
