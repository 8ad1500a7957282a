import { availableParallelism } from 'node:os';
import type Bcrypt from 'bcrypt';
import { lazyRequire } from '../../config/lazy-require.js';
import { AppError } from '../../errors/app-error.js';
import type { Attribute } from '../../content-types/model/types.js';
import { createSemaphore } from './semaphore.js';

type Data = Readonly<Record<string, unknown>>;

/** Hashes passwords, and compares them with their hashes. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Is it the password that the hash was made of? Takes the same time when there is no hash.
   * @throws AppError overloaded when too many wait already
   */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}

const bcrypt = lazyRequire<typeof Bcrypt>('bcrypt');

const ROUNDS = 10;
/** bcrypt looks at no more; a longer password would be good with any ending. */
const LONGEST = 72;
/** Of the four threads that Node has for such work one is left for files and names of hosts. */
const AT_ONCE = Math.max(1, Math.min(3, availableParallelism() - 1));
/** Comparisons that wait; more would take longer than anybody waits. */
const MOST_WAITING = 200;
/** The hash of a password that nobody has. */
const DUMMY_HASH = '$2b$10$6508fzx/xuov0rvO2d85GOi65GHxfTbVghCT4Nap8Lm9a9loUyQb6';

/** Passwords with bcrypt, a few at a time: each takes a thread for some 60 ms. */
export function createPasswords(): Passwords {
  const turns = createSemaphore(AT_ONCE);
  return {
    hash: (password) => turns.run(async () => bcrypt().hash(password, ROUNDS)),
    matches: async (password, hash) => {
      if (turns.waiting >= MOST_WAITING) throw new AppError('overloaded', 'Too many passwords are being checked');
      const matches = await turns.run(async () => bcrypt().compare(password, hash ?? DUMMY_HASH));
      return matches && hash !== undefined && Buffer.byteLength(password) <= LONGEST;
    },
  };
}

/**
 * Data with its passwords hashed, in components too.
 * @throws AppError validation for passwords of more than 72 bytes
 */
export async function hashPasswords(
  data: Data,
  attributes: ReadonlyMap<string, Attribute>,
  passwords: Passwords,
  above: readonly string[] = [],
): Promise<Data> {
  const entries = Object.entries(data).map(async ([name, value]) => {
    const attribute = attributes.get(name);
    const path = [...above, name];
    return [name, attribute === undefined ? value : await hashIn(value, attribute, passwords, path)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function hashIn(
  value: unknown,
  attribute: Attribute,
  passwords: Passwords,
  path: readonly string[],
): Promise<unknown> {
  if (attribute.kind === 'scalar' && attribute.type === 'password' && typeof value === 'string') {
    if (Buffer.byteLength(value) > LONGEST) {
      throw new AppError('validation', [{ path, message: `${path.join('.')} must be at most ${LONGEST} bytes` }]);
    }
    return passwords.hash(value);
  }
  if ((attribute.kind !== 'component' && attribute.kind !== 'zone') || typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return Promise.all(value.map((one: unknown, index) => hashIn(one, attribute, passwords, [...path, String(index)])));
  }
  const data = value as Data;
  const component =
    attribute.kind === 'component' ? attribute.component : attribute.components.get(String(data['__component']));
  return component === undefined ? data : hashPasswords(data, component.attributes, passwords, path);
}
