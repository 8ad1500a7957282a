import bcrypt from 'bcrypt';
import { AppError } from '../errors/app-error.js';
import type { Attribute } from '../content-types/types.js';

type Data = Readonly<Record<string, unknown>>;

const ROUNDS = 10;
/** bcrypt looks at no more; a longer password would be good with any ending. */
const LONGEST = 72;

/**
 * Data with its passwords hashed, in components too.
 * @throws AppError validation for passwords of more than 72 bytes
 */
export async function hashPasswords(
  data: Data,
  attributes: ReadonlyMap<string, Attribute>,
  above: readonly string[] = [],
): Promise<Data> {
  const entries = Object.entries(data).map(async ([name, value]) => {
    const attribute = attributes.get(name);
    const path = [...above, name];
    return [name, attribute === undefined ? value : await hashIn(value, attribute, path)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function hashIn(value: unknown, attribute: Attribute, path: readonly string[]): Promise<unknown> {
  if (attribute.kind === 'scalar' && attribute.type === 'password' && typeof value === 'string') {
    if (Buffer.byteLength(value) > LONGEST) {
      throw new AppError('validation', [{ path, message: `${path.join('.')} must be at most ${LONGEST} bytes` }]);
    }
    return bcrypt.hash(value, ROUNDS);
  }
  if ((attribute.kind !== 'component' && attribute.kind !== 'zone') || typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return Promise.all(value.map((one: unknown, index) => hashIn(one, attribute, [...path, String(index)])));
  }
  const data = value as Data;
  const component =
    attribute.kind === 'component' ? attribute.component : attribute.components.get(String(data['__component']));
  return component === undefined ? data : hashPasswords(data, component.attributes, path);
}
