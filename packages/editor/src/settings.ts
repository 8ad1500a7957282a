import { StartError, type ContentType, type Registry, type Tolerate, isRecord } from 'content-service/plugin';

/** By the uid of a content type, the address at which a site shows an entry, with names of attributes in braces. */
export type Previews = Readonly<Record<string, string>>;

/** What the pages of the editor look like. */
export interface Identity {
  readonly name?: string;
  /** The address of an image. */
  readonly logo?: string;
  /** E.g. `#0b6b4f`. */
  readonly color?: string;
}

/**
 * What each setting of the identity may be, and how a message says it. Images of other servers are only loaded
 * encrypted.
 */
const identityRules = {
  name: { pattern: /^\S.{0,39}$/, allowed: 'at most 40 characters' },
  logo: { pattern: /^(?:https:\/\/|\/)\S+$/, allowed: 'an address that begins with https:// or /' },
  color: { pattern: /^#[\da-f]{6}$/i, allowed: 'e.g. "#0b6b4f"' },
} as const;

/**
 * The settings of the plugins file: `{ name: 'Bakery', previews: { 'api::article.article':
 * 'https://www.example.org/{locale}/{slug}' } }`.
 * @param tolerate receives a line for each unknown setting, which is refused without it
 * @throws StartError with the cause
 */
export function parseSettings(settings: Readonly<Record<string, unknown>>, tolerate?: Tolerate) {
  const { previews = {}, name, logo, color, ...others } = settings;
  for (const unknown of Object.keys(others)) {
    const error = wrong(unknown, 'unknown', ['previews', ...Object.keys(identityRules)].join(', '));
    if (tolerate === undefined) throw error;
    tolerate(error.message);
  }
  return { previews: parsePreviews(previews), identity: parseIdentity({ name, logo, color }) };
}

function parsePreviews(previews: unknown): Previews {
  if (!isRecord(previews)) throw wrong('previews', 'not an object', 'addresses by the uid of a content type');
  return Object.fromEntries(
    Object.entries(previews).map(([uid, address]) => {
      if (typeof address === 'string' && /^https?:\/\/./.test(address)) return [uid, address];
      throw wrong(`previews["${uid}"]`, 'not an address', 'e.g. "https://www.example.org/{locale}/articles/{slug}"');
    }),
  );
}

/** The origins of the pages at these addresses; an address with an attribute in its origin has none. */
export function originsOf(previews: Previews): readonly string[] {
  const origins = Object.values(previews).flatMap((address) => /^https?:\/\/[^/?#{}]+(?=[/?#]|$)/.exec(address) ?? []);
  return [...new Set(origins.filter((origin) => URL.canParse(origin)).map((origin) => new URL(origin).origin))];
}

function parseIdentity(given: Readonly<Record<keyof Identity, unknown>>): Identity {
  const entries = Object.entries(identityRules).flatMap(([setting, { pattern, allowed }]) => {
    const value = given[setting as keyof Identity];
    if (value === undefined) return [];
    if (typeof value === 'string' && pattern.test(value)) return [[setting, value] as const];
    throw wrong(setting, JSON.stringify(value), allowed);
  });
  return Object.fromEntries(entries);
}

/** @throws StartError for an unknown content type or attribute, and for values that are never shown */
export function checkPreviews(previews: Previews, { contentTypes }: Registry): void {
  for (const [uid, address] of Object.entries(previews)) {
    const type = contentTypes.get(uid);
    if (type === undefined) throw wrong(`previews["${uid}"]`, 'unknown', 'uids of content types');
    for (const [, name = ''] of address.matchAll(/\{([^}]*)\}/g)) {
      if (name !== 'id' && !isShownScalar(type, name))
        throw wrong(
          `previews["${uid}"]`,
          `{${name}} in "${address}"`,
          '{id} and plain attributes that are not private',
        );
    }
  }
}

function isShownScalar({ attributes }: ContentType, name: string): boolean {
  const attribute = attributes.get(name);
  return attribute?.kind === 'scalar' && !attribute.private && attribute.type !== 'password';
}

const wrong = (name: string, actual: string, allowed: string): StartError =>
  new StartError(`admin.config.${name} is ${actual}; allowed: ${allowed}`);
