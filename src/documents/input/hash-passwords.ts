import { AppError } from '../../errors/app-error.js';
import { MAX_PASSWORD_BYTES, type Passwords } from '../write/passwords.js';
import { pathOfComponent, type AttributeInput, type EntryInput } from './entry-input.js';

type Path = readonly string[];

const isPassword = (
  input: AttributeInput,
): input is AttributeInput & { readonly kind: 'scalar'; readonly value: string } =>
  input.kind === 'scalar' && input.attribute.type === 'password' && typeof input.value === 'string';

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
  if (isPassword(input)) {
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
