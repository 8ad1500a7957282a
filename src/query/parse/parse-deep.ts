import { isLocalizations } from '../../content-types/model/localized.js';
import type { Attribute, Attributes, Component, ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import { isPopulated, type Audience } from '../visibility.js';
import { textOf, type QueryInput } from './input.js';

/** The limits of `populate`. */
export interface DeepLimits {
  /** The most populated attributes in one query, at all levels together. */
  readonly populateLimit: number;
  /** The levels of `populate=deep` without a number; undefined: `deep` is an ordinary name. */
  readonly deepLevels?: number | undefined;
}

const pattern = /^deep(?:,(\d{1,9}))?$/;

/**
 * Expands `deep` and `deep,<levels>` like strapi-plugin-populate-deep: it populates everything in `n` levels, including the level of the entry
 * itself. It does not go below media, localizations and morph relations. A path contains an attribute only once and does not return through its
 * other side, so cycles end.
 * @throws AppError tooCostly as soon as there are more attributes than the limit; invalidParameter for levels that are not a number
 */
export function expandDeep(
  input: unknown,
  { attributes }: ContentType | Component,
  audience: Audience,
  { populateLimit, deepLevels }: DeepLimits,
): unknown {
  const text: unknown = Array.isArray(input) ? textOf(input) : input;
  if (deepLevels === undefined || attributes.has('deep') || typeof text !== 'string') return input;
  if (text !== 'deep' && !text.startsWith('deep,')) return input;
  const [matched, levels] = pattern.exec(text) ?? [];
  if (matched === undefined) throw new AppError('invalidParameter', 'populate');
  let remaining = populateLimit;

  const expand = (of: Attributes, level: number, path: ReadonlySet<Attribute>): QueryInput => {
    if (level <= 1) return {};
    const requests = [...of.values()].flatMap((attribute): (readonly [string, unknown])[] => {
      if (attribute.kind === 'scalar' || path.has(attribute) || !isPopulated(attribute, audience)) return [];
      if (remaining === 0) throw new AppError('tooCostly', 'populated attributes', populateLimit);
      remaining -= 1;
      return [[attribute.name, requestOf(attribute, level - 1, path)]];
    });
    return requests.length === 0 ? {} : { populate: Object.fromEntries(requests) };
  };

  const requestOf = (attribute: Attribute, level: number, path: ReadonlySet<Attribute>): QueryInput => {
    const onPath = new Set([...path, attribute]);
    switch (attribute.kind) {
      case 'relation': {
        const { media, target, inverse } = attribute;
        // Localizations lead to entries of their own type.
        if (media || isLocalizations(attribute, target)) return {};
        const otherSide = inverse === undefined ? undefined : target.attributes.get(inverse);
        return expand(target.attributes, level, otherSide ? onPath.add(otherSide) : onPath);
      }
      case 'morphed': {
        const otherSide = attribute.target.attributes.get(attribute.morphBy);
        return expand(attribute.target.attributes, level, otherSide ? onPath.add(otherSide) : onPath);
      }
      case 'component':
        return expand(attribute.component.attributes, level, onPath);
      case 'zone': {
        const on = [...attribute.components].map(
          ([uid, component]) => [uid, expand(component.attributes, level, onPath)] as const,
        );
        return { on: Object.fromEntries(on) };
      }
      case 'scalar':
      case 'morph':
        return {};
      default:
        return attribute satisfies never;
    }
  };

  return expand(attributes, levels === undefined ? deepLevels : Number(levels), new Set())['populate'];
}
