/*
 * What writes do to entries with working copies, as a function of states: the reference for `copies-and-links.test.ts`.
 * It knows no commands, locks or documents.
 */

/** The relations of a post, by name: how it stores them, and whether another post loses a target that this one gets. */
export const relations = {
  card: { many: false, isExclusive: true, isMorph: false },
  seal: { many: false, isExclusive: false, isMorph: false },
  author: { many: false, isExclusive: false, isMorph: false },
  next: { many: false, isExclusive: true, isMorph: false },
  tags: { many: true, isExclusive: false, isMorph: false },
  notes: { many: true, isExclusive: false, isMorph: false },
  about: { many: false, isExclusive: false, isMorph: true },
  topics: { many: true, isExclusive: false, isMorph: true },
} as const;

export type RelationName = keyof typeof relations;
export const relationNames = Object.keys(relations) as readonly RelationName[];

/** Scalars as they are, the ids of relations as a list. */
export type Value = string | number | readonly number[];
export type Values = Readonly<Record<string, Value>>;

export interface Post {
  /** The ids of all its localizations. */
  readonly group: readonly number[];
  readonly isLive: boolean;
  readonly values: Values;
  /** What its working copy changes. */
  readonly copy: Values | undefined;
}

export interface World {
  readonly posts: ReadonlyMap<number, Post>;
  readonly tags: ReadonlySet<number>;
}

/** What a post and all its localizations have alike. */
const SHARED = 'rank';

export type Write =
  | { readonly kind: 'save' | 'publish'; readonly id: number; readonly data: Values }
  /** Without a status: `isLive` publishes or unpublishes. */
  | { readonly kind: 'put'; readonly id: number; readonly data: Values; readonly isLive?: boolean }
  | { readonly kind: 'discard' | 'delete' | 'delete tag'; readonly id: number }
  | LinkingWrite;

/** From the other side of a relation, which a tag has, or of `next` a post. */
interface LinkingWrite {
  readonly kind: 'connect' | 'disconnect' | 'set';
  readonly relation: Exclude<RelationName, 'seal' | 'notes' | 'topics'>;
  readonly target: number;
  readonly posts: readonly number[];
}

/** The world after a write; undefined: it is refused, because something that it names is not there. */
export function after(world: World, write: Write): World | undefined {
  switch (write.kind) {
    case 'save':
      return saved(world, write.id, write.data);
    case 'publish':
      return published(world, write.id, write.data);
    case 'put':
      return put(world, write.id, write.data, write.isLive);
    case 'discard':
      return world.posts.get(write.id)?.copy === undefined ? undefined : withPost(world, write.id, { copy: undefined });
    case 'delete':
      return world.posts.has(write.id) ? withoutPost(world, write.id) : undefined;
    case 'delete tag':
      return world.tags.has(write.id) ? withoutTag(world, write.id) : undefined;
    case 'connect':
    case 'disconnect':
    case 'set':
      return linked(world, write);
    default:
      return write satisfies never;
  }
}

/**
 * The worlds that two writes at once lead to: those after one and then the other, in each order that agrees with their
 * outcomes, which are `done`, `refused`, or `conflict`, which changes nothing.
 */
export const afterBoth = (
  world: World,
  writes: readonly [Write, Write],
  outcomes: readonly string[],
): readonly World[] =>
  ([0, 1] as const).flatMap((first) => {
    let state = world;
    for (const index of [first, 1 - first] as const) {
      const [write, outcome] = [writes[index as 0 | 1], outcomes[index]];
      if (outcome === 'conflict') continue;
      const next = after(state, write);
      if ((next === undefined ? 'refused' : 'done') !== outcome) return [];
      state = next ?? state;
    }
    return [state];
  });

const same = (a: Value | undefined, b: Value | undefined): boolean =>
  JSON.stringify(Array.isArray(a) && a.length === 0 ? undefined : a) ===
  JSON.stringify(Array.isArray(b) && b.length === 0 ? undefined : b);

const without = (values: Values, name: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));

const listOf = (value: Value | undefined): readonly number[] => (Array.isArray(value) ? (value as number[]) : []);

const withPost = (world: World, id: number, change: Partial<Post>): World => {
  const post = world.posts.get(id);
  return post === undefined ? world : { ...world, posts: new Map(world.posts).set(id, { ...post, ...change }) };
};

const mapPosts = (world: World, map: (post: Post, id: number) => Post): World => ({
  ...world,
  posts: new Map([...world.posts].map(([id, post]) => [id, map(post, id)])),
});

const isThere = ({ posts, tags }: World, name: RelationName, id: number): boolean =>
  name === 'next' ? posts.has(id) : tags.has(id);

/** The data without links of morph relations to what is not there; undefined: another relation has one. */
function acceptable(world: World, data: Values): Values | undefined {
  const accepted = Object.entries(data).map(([name, value]) => {
    if (!relationNames.includes(name as never)) return [name, value] as const;
    const found = listOf(value).filter((id) => isThere(world, name as RelationName, id));
    const isAccepted = relations[name as RelationName].isMorph || found.length === listOf(value).length;
    return isAccepted ? ([name, found] as const) : undefined;
  });
  return accepted.includes(undefined) ? undefined : Object.fromEntries(accepted as [string, Value][]);
}

/** The changes of a copy that are any. */
const changesOf = (values: Values, copy: Values): Values | undefined => {
  const changed = Object.entries(copy).filter(([name, value]) => !same(value, values[name]));
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
};

function saved(world: World, id: number, sent: Values): World | undefined {
  const [post, data] = [world.posts.get(id), acceptable(world, sent)];
  if (post === undefined || data === undefined) return undefined;
  if (post.isLive) return withPost(world, id, { copy: changesOf(post.values, { ...post.copy, ...data }) });
  const isShown = post.group.some((other) => other !== id && world.posts.get(other)?.isLive === true);
  const waits = SHARED in data && (isShown || post.copy !== undefined);
  if (!waits) return written(world, id, data);
  const now = written(world, id, without(data, SHARED));
  const copy = changesOf(post.values, { ...post.copy, [SHARED]: data[SHARED] as Value });
  return withPost(now, id, { copy });
}

function published(world: World, id: number, sent: Values): World | undefined {
  const [post, data] = [world.posts.get(id), acceptable(world, sent)];
  if (post === undefined || data === undefined) return undefined;
  const cleared = withPost(world, id, { copy: undefined, isLive: true });
  return written(cleared, id, { ...post.copy, ...data });
}

function put(world: World, id: number, sent: Values, isLive?: boolean): World | undefined {
  const [post, data] = [world.posts.get(id), acceptable(world, sent)];
  if (post === undefined || data === undefined) return undefined;
  if (isLive !== false) return written(withPost(world, id, { isLive: isLive ?? post.isLive }), id, data);
  // What it shares with others waits.
  const copy = post.copy ?? {};
  const waiting = SHARED in copy && post.group.length > 1 ? { [SHARED]: copy[SHARED] } : undefined;
  const merged = waiting === undefined ? copy : without(copy, SHARED);
  return written(withPost(world, id, { isLive: false, copy: waiting }), id, { ...merged, ...data });
}

/** Writes values of a post as it is, with what follows for others. */
function written(world: World, id: number, data: Values): World {
  const post = world.posts.get(id);
  if (post === undefined) return world;
  const taken = new Set<string>(
    relationNames.filter((name) => relations[name].isExclusive && listOf(data[name]).length > 0),
  );
  const isShared = SHARED in data;
  return mapPosts(world, (other, otherId) => {
    if (otherId === id) return { ...other, values: { ...other.values, ...data } };
    const isLost = (name: string): boolean => taken.has(name) && same(other.values[name], data[name]);
    const left = Object.fromEntries(Object.entries(other.values).filter(([name]) => !isLost(name)));
    const isSharing = isShared && post.group.includes(otherId);
    return { ...other, values: isSharing ? { ...left, [SHARED]: data[SHARED] as Value } : left };
  });
}

/** Gives posts a link to a target, or takes it from them, as the target's side says. */
function linked(world: World, { kind, relation, target, posts }: LinkingWrite): World | undefined {
  if (!isThere(world, relation, target)) return undefined;
  const { many, isExclusive } = relations[relation];
  // The other side of a relation to one has one as well.
  const wanted = isExclusive ? posts.slice(-1) : posts;
  if (kind !== 'disconnect' && wanted.some((id) => !world.posts.has(id))) return undefined;
  const replaces = kind === 'set' || (isExclusive && kind === 'connect' && wanted.length > 0);
  return mapPosts(world, (post, id) => {
    const has = listOf(post.values[relation]).includes(target);
    const gets = kind !== 'disconnect' && wanted.includes(id);
    const loses = kind === 'disconnect' ? wanted.includes(id) : replaces && !wanted.includes(id);
    if (gets ? has : !(has && loses)) return post;
    const change = (value: Value | undefined): Value => {
      if (!gets) return listOf(value).filter((one) => one !== target);
      return many ? [...listOf(value).filter((one) => one !== target), target] : [target];
    };
    const values = { ...post.values, [relation]: change(post.values[relation]) };
    // Of a list, a copy gets what others change.
    const follows = many && post.copy !== undefined && relation in post.copy;
    const copy = follows ? { ...post.copy, [relation]: change(post.copy[relation]) } : post.copy;
    return { ...post, values, copy };
  });
}

const withoutTarget = (values: Values, names: readonly RelationName[], id: number): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      names.includes(name as never) ? listOf(value).filter((one) => one !== id) : value,
    ]),
  );

function withoutPost(world: World, id: number): World {
  const posts = new Map([...world.posts].filter(([other]) => other !== id));
  return mapPosts({ ...world, posts }, (post) => ({
    ...post,
    group: post.group.filter((other) => other !== id),
    values: withoutTarget(post.values, ['next'], id),
    copy: post.copy && withoutTarget(post.copy, ['next'], id),
  }));
}

function withoutTag(world: World, id: number): World {
  const names = relationNames.filter((name) => name !== 'next');
  const tags = new Set([...world.tags].filter((other) => other !== id));
  return mapPosts({ ...world, tags }, (post) => ({
    ...post,
    values: withoutTarget(post.values, names, id),
    copy: post.copy && withoutTarget(post.copy, names, id),
  }));
}

/** A world as one text: what is empty is not there. */
export const textOf = ({ posts, tags }: World): string =>
  [
    ...[...posts]
      .toSorted(([a], [b]) => a - b)
      .map(([id, { isLive, values, copy, group }]) => {
        const shown = Object.entries(values)
          .filter(([, value]) => !same(value, []))
          .toSorted();
        const changes = copy && Object.entries(copy).toSorted();
        return `${id} ${isLive ? 'live' : 'draft'} of ${[...group].toSorted((a, b) => a - b).join()}: ${JSON.stringify(shown)}${changes ? `, copy ${JSON.stringify(changes)}` : ''}`;
      }),
    `tags ${[...tags].toSorted((a, b) => a - b).join()}`,
  ].join('\n');
