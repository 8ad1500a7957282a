import type { Client } from '../../scripts/conformance/client.js';
import type { Answer, Phase, Step } from '../../scripts/conformance/scenario.js';

/** In all values that nobody has published. */
export const SECRET = 'what nobody has published';

/** What writers have done. */
export interface Written {
  /** How many steps were sent while published entries had drafts with other values. */
  besideDrafts: number;
  /** How many requests did what they say, by their names. */
  readonly done: Map<string, number>;
  /** What was refused, and why. */
  readonly refused: unknown[];
}

/** A published article, with what its draft changes. */
interface Published {
  readonly documentId: string;
  readonly locale: string;
  readonly title: string;
  readonly views: number | null;
  readonly author: Named | null;
  readonly tags: readonly Named[];
}

interface Named {
  readonly documentId: string;
}

/** The most entries that have a draft at the same time. */
const DRAFTS = 4;

/** Previews show drafts, and an entry that is unpublished becomes what was saved of it: then there are none. */
const showsDrafts = ({ path, body, rawBody, multipart }: Step): boolean =>
  /publicationState|PREVIEW|publishedAt\\*":\s*null/.test(JSON.stringify([path, body, rawBody, multipart]));

/**
 * A client of Strapi v4's API beside which others write to the same entries by Strapi 5's, over REST and GraphQL:
 * drafts of published entries, the values that entries have already, and new drafts that vanish again. Recorded answers
 * stay as they are.
 * @param phase where scenarios write, their entries have numbers that are expected: nobody else creates any
 */
export function besideStrapi5(client: Client, phase: Phase, written: Written): Client {
  let drafts: readonly Published[] = [];
  let turn = 0;
  const send = async (request: Partial<Step> & Pick<Step, 'path'>): Promise<Answer> =>
    client.send({ name: '', auth: 'full', expect: { status: 0, body: undefined }, ...request }, {});
  const find = async <T>(path: string): Promise<readonly T[]> =>
    ((await send({ path: `/v5/api/${path}` })).body as { readonly data: readonly T[] }).data;

  /** Sends a write. Scenarios that write may delete the entry, or take its values. */
  const write = async (name: string, request: Parameters<typeof send>[0]): Promise<unknown> => {
    const { status, body } = await send({ method: 'PUT', ...request });
    const { data, errors } = (typeof body === 'object' ? body : {}) as {
      readonly data?: unknown;
      readonly errors?: unknown;
    };
    if (status < 300 && errors === undefined) written.done.set(name, (written.done.get(name) ?? 0) + 1);
    else if (phase !== 'mutate') written.refused.push([name, request, status, body]);
    return data;
  };
  const rest = async (name: string, method: string, path: string, data?: object): Promise<unknown> =>
    write(name, { method, path: `/v5/api/${path}`, ...(data && { body: { data } }) });
  const graphql = async (name: string, query: string, variables: object): Promise<unknown> =>
    write(name, { method: 'POST', path: '/v5/graphql', body: { query, variables } });

  const save = async ({ documentId, locale }: Published, data: object): Promise<unknown> =>
    turn % 2 === 0
      ? rest('draft', 'PUT', `articles/${documentId}?locale=${locale}&status=draft`, data)
      : graphql(
          'draft over GraphQL',
          `
            mutation ($documentId: ID!, $locale: I18NLocaleCode!, $data: ArticleInput!) {
              updateArticle(documentId: $documentId, locale: $locale, status: DRAFT, data: $data) {
                documentId
              }
            }
          `,
          { documentId, locale, data },
        );
  /** Among them is a value that languages share. */
  const saveSecret = async (entry: Published): Promise<unknown> =>
    save(entry, { title: `${SECRET} ${turn}`, views: 4711 + turn, author: null, tags: [] });
  const findPublished = async (): Promise<readonly Published[]> =>
    find(
      'articles?locale=*&fields=title,views,locale&populate=author,tags&sort=documentId,locale&pagination[pageSize]=100',
    );
  const saveDrafts = async (): Promise<void> => {
    const entries = await findPublished();
    drafts = Array.from(
      { length: Math.min(DRAFTS, entries.length) },
      (_, index) => entries.at((index + turn) % entries.length) as Published,
    );
    for (const entry of drafts) await saveSecret(entry);
  };
  /** A draft with the published values is none. */
  const discardDrafts = async (): Promise<void> => {
    const ids = new Set(drafts.map(({ documentId, locale }) => `${documentId} ${locale}`));
    drafts = [];
    for (const entry of ids.size === 0 ? [] : await findPublished()) {
      const { documentId, locale, title, views, author, tags } = entry;
      if (!ids.has(`${documentId} ${locale}`)) continue;
      await save(entry, { title, views, author: author?.documentId ?? null, tags: tags.map((tag) => tag.documentId) });
    }
  };

  const plurals = ['tags', 'authors', 'products', 'categories', 'sections', 'comments'] as const;
  const besides: readonly (() => Promise<unknown>)[] = [
    async () => Promise.all(drafts.map(saveSecret)),
    async () => {
      const plural = plurals[turn % plurals.length] ?? 'tags';
      const [entry] = await find<Named>(
        `${plural}?fields=id&pagination[pageSize]=1&pagination[page]=${1 + (turn % 3)}`,
      );
      // What a scenario changes at the same time, it keeps.
      return entry && rest('same values', 'PUT', `${plural}/${entry.documentId}`, {});
    },
    async () => find(`articles?status=draft&populate=*&locale=*`),
    ...(phase === 'mutate'
      ? []
      : [
          async () => {
            const [tag] = await find<Named & { readonly name: string }>(
              `tags?pagination[pageSize]=1&pagination[page]=${1 + (turn % 3)}`,
            );
            const query =
              'mutation ($documentId: ID!, $data: TagInput!) { updateTag(documentId: $documentId, data: $data) { name } }';
            return (
              tag &&
              graphql('same values over GraphQL', query, { documentId: tag.documentId, data: { name: tag.name } })
            );
          },
          async () => {
            const held = new Set(drafts.map(({ documentId }) => documentId));
            const entry = (await findPublished()).find(({ documentId }) => !held.has(documentId));
            return (
              entry &&
              rest('publication', 'PUT', `articles/${entry.documentId}?locale=${entry.locale}`, { title: entry.title })
            );
          },
          async () => {
            const made = await rest('new draft', 'POST', 'articles?status=draft', { title: SECRET });
            return rest('deletion', 'DELETE', `articles/${(made as Named).documentId}`);
          },
          async () => {
            const made = await graphql(
              'new draft over GraphQL',
              `mutation { createArticle(status: DRAFT, data: { title: "${SECRET}" }) { documentId } }`,
              {},
            );
            const { documentId } = (made as { readonly createArticle: Named }).createArticle;
            return graphql(
              'deletion over GraphQL',
              'mutation ($documentId: ID!) { deleteArticle(documentId: $documentId) { documentId } }',
              { documentId },
            );
          },
        ]),
  ];
  return {
    send: async (step, captured) => {
      if (phase === 'seed') return client.send(step, captured);
      turn += 1;
      if (showsDrafts(step)) {
        await discardDrafts();
        return client.send(step, captured);
      }
      if (drafts.length === 0) await saveDrafts();
      if (drafts.length > 0) written.besideDrafts += 1;
      const [answer] = await Promise.all([client.send(step, captured), besides[turn % besides.length]?.()]);
      return answer;
    },
  };
}
