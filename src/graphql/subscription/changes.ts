import type { FeedChange, Feed, Feeds } from '../../documents/changes/feeds.js';
import type { Caller } from '../../documents/caller.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { plainEntry } from '../../query/entry-presenter.js';

/** The context of a subscription, which outlives the rights that its caller had at the beginning. */
export interface SubscriptionContext extends GraphqlContext {
  /** The present caller. @throws AppError unauthorized */
  readonly authenticate: () => Promise<Caller>;
  /** Ends the subscription. */
  readonly ended: AbortSignal;
}

const typeDefs = `
type Subscription {
  """Changes of entries that the caller may see. By content type, e.g. { articles: ["title"] }: filters, fields and populate as in REST."""
  changes(
    since: String
    types: [String!]
    filters: JSON
    fields: JSON
    populate: JSON
    publicationState: PublicationState = LIVE
    locale: String
  ): Change!
}

type Change {
  """To go on from it, as since"""
  position: String!
  """entry.create, entry.update or entry.delete"""
  event: String!
  uid: String!
  id: ID!
  createdAt: DateTime!
  """As it is now, if fields or populate has a value for its type"""
  entry: JSON
}
`;

/** Milliseconds after which the rights of a subscription without changes are checked again. */
const CHECK_MS = 15_000;

interface Arguments {
  readonly since?: string | null;
  readonly publicationState?: string | null;
  readonly [more: string]: unknown;
}

/** Definitions and resolvers of `subscription { changes }`. */
export const createSubscriptions = (feeds: Feeds) => ({
  typeDefs,
  resolvers: {
    Subscription: {
      changes: {
        subscribe: (_: unknown, args: Arguments, context: GraphqlContext) =>
          changesOf(feeds, args, context as SubscriptionContext),
        resolve: (change: unknown) => change,
      },
    },
  },
});

/** @throws AppError badRequest, forbidden, gone, overloaded, tooManyRequests, and those of queries */
async function changesOf(
  feeds: Feeds,
  { since, publicationState, ...input }: Arguments,
  { authenticate, address, ended: signal }: SubscriptionContext,
): Promise<AsyncGenerator<FeedChange>> {
  const values = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
  const feed = await feeds.open({
    input: { ...values, ...(publicationState === 'preview' && { publicationState }) },
    since: since ?? undefined,
    authenticate,
    address,
    presenterOf: () => plainEntry,
    signal,
  });
  return changesIn(feed);
}

async function* changesIn(feed: Feed): AsyncGenerator<FeedChange> {
  try {
    for (let page = await feed.next(CHECK_MS); page !== undefined; page = await feed.next(CHECK_MS))
      yield* page.changes;
  } finally {
    feed.close();
  }
}
