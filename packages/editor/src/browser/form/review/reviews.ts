import type { ContentType } from '../../model/schema.js';
import type { Api } from '../../api/api.js';

/** What was said in a review. */
interface ReviewNote {
  readonly by: string | null;
  readonly at: string;
  /** Who says this sends the entry back. */
  readonly back: boolean;
  readonly text: string | null;
}

/** A request to publish an entry. */
export interface Review {
  readonly tag: string;
  readonly state: 'ready' | 'back';
  readonly at: string;
  readonly by: string | null;
  /** What would be published is not what was asked for any more. */
  readonly changed: boolean;
  /** The latest one is the last. */
  readonly notes: readonly ReviewNote[];
}

/** The path of the request; the entry of a single type is named by its id there, too. */
export const reviewPath = ({ path }: Pick<ContentType, 'path'>, id: number): string => `${path}/${id}/review`;

const dataOf = (body: unknown): Review | null => (body as { readonly data: Review | null }).data;

/** Null: nobody asks to publish the entry. */
export const readReview = async (api: Api, path: string): Promise<Review | null> => dataOf((await api.get(path)).body);

export const askToPublish = async (api: Api, path: string, note: string): Promise<void> => {
  await api.send('POST', path, { body: note === '' ? {} : { note } });
};

export const withdraw = async (api: Api, path: string): Promise<void> => {
  await api.send('DELETE', path);
};

/** @throws RequestError 412 if the request has ended */
export const sendBack = async (api: Api, path: string, tag: string, note: string): Promise<void> => {
  await api.send('POST', `${path}/return`, { body: { tag, note } });
};

/** @throws RequestError 412 if the request has ended, or the entry has changed since */
export const publishAsked = async (api: Api, path: string, tag: string): Promise<void> => {
  await api.send('POST', `${path}/publish`, { body: { tag } });
};
