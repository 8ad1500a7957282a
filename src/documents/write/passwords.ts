import { availableParallelism } from 'node:os';
import type Bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { lazyRequire } from '../../config/lazy-require.js';
import { AppError } from '../../errors/app-error.js';
import { pathOfComponent, type AttributeInput, type EntryInput } from '../input/entry-input.js';

const bcrypt = lazyRequire<typeof Bcrypt>('bcrypt');

/** bcrypt ignores all further bytes: a longer password would match with any ending. */
const MAX_PASSWORD_BYTES = 72;
/** Leaves one of Node's four worker threads for files and DNS. */
const CONCURRENCY = Math.max(1, Math.min(3, availableParallelism() - 1));
/** Queued comparisons; more would take longer than clients wait. */
const MAX_WAITING = 200;
/** The hash of an unknown password. */
const dummyHash = (rounds: number): string =>
  `$2b$${String(rounds).padStart(2, '0')}$6508fzx/xuov0rvO2d85GOi65GHxfTbVghCT4Nap8Lm9a9loUyQb6`;

/**
 * Passwords with bcrypt, a few at a time.
 * @param rounds the cost of a hash, from 4: each more doubles the time, 10 take a thread for about 60 ms
 */
export function createPasswords(rounds: number) {
  const limit = pLimit(CONCURRENCY);
  return {
    hash: (password: string): Promise<string> => limit(() => bcrypt().hash(password, rounds)),
    /**
     * Whether the password matches the hash; takes the same time without a hash.
     * @throws AppError overloaded if too many comparisons are queued
     */
    matches: async (password: string, hash: string | undefined): Promise<boolean> => {
      if (limit.pendingCount >= MAX_WAITING) throw new AppError('overloaded', 'Too many passwords are being checked');
      const matches = await limit(() => bcrypt().compare(password, hash ?? dummyHash(rounds)));
      return matches && hash !== undefined && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

type Path = readonly string[];

/**
 * The entry with its passwords hashed, in components too.
 * @throws AppError validation for passwords of more than 72 bytes
 */
export async function hashPasswords(entry: EntryInput, passwords: Passwords, path: Path = []): Promise<EntryInput> {
  const hashed = [...entry].map(
    async ([name, input]) => [name, await hashAttribute(input, passwords, [...path, name])] as const,
  );
  return new Map(await Promise.all(hashed));
}

async function hashAttribute(input: AttributeInput, passwords: Passwords, path: Path): Promise<AttributeInput> {
  if (input.kind === 'scalar' && input.attribute.type === 'password' && typeof input.value === 'string') {
    if (Buffer.byteLength(input.value) > MAX_PASSWORD_BYTES) {
      const message = `${path.join('.')} must be at most ${MAX_PASSWORD_BYTES} bytes`;
      throw new AppError('validation', [{ path, message }]);
    }
    return { ...input, value: await passwords.hash(input.value) };
  }
  if (input.kind !== 'components') return input;
  const components = input.components.map(async (component) => {
    const inner = pathOfComponent(path, input.attribute, component);
    return { ...component, values: await hashPasswords(component.values, passwords, inner) };
  });
  return { ...input, components: await Promise.all(components) };
}
