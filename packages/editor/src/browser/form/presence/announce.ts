import type { ContentType } from '../../model/schema.js';
import type { Api } from '../../api/api.js';

/** Somebody else who has the entry open, or the user in another tab. */
export interface Present {
  /** Null: the user who asks may not know it. */
  readonly name: string | null;
  readonly own: boolean;
  /** Has changes that are not saved. */
  readonly unsaved: boolean;
}

export interface Presence {
  readonly others: readonly Present[];
  /** Somebody has saved the entry since the state that the form has. */
  readonly saved?: { readonly at: string; readonly by: string | null };
}

/** A form that is open in a tab, and what it has of the entry. */
export interface OpenForm {
  readonly session: string;
  readonly unsaved: boolean;
  /** The time of the state that it shows. */
  readonly seen: string | undefined;
}

/** Says that the form of an entry is open, and asks who else has the entry open. */
export const announce = async (
  api: Api,
  { uid }: ContentType,
  id: number,
  { session, unsaved, seen }: OpenForm,
): Promise<Presence> => {
  const body = { session, unsaved, ...(seen !== undefined && { seen }) };
  const answer = await api.send('PUT', `admin/presence/${uid}/${id}`, { body });
  return (answer.body as { readonly data: Presence }).data;
};

/** Says that the form was closed, also while the page is left. */
export const leave = async (api: Api, session: string): Promise<void> => {
  // Without it the session ends by itself.
  await api.send('DELETE', `admin/presence/${session}`, { outlivesPage: true }).catch(() => undefined);
};
