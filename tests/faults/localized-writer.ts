import type { Writer } from './writer.js';

const LOCALES = ['en', 'fr', 'de'];

/** A client that changes the localizations of an entry, which share their price. */
export function createLocalizedWriter(name: string, random: () => number): Writer {
  /** The localizations that are acknowledged, by locale. */
  let ids = new Map<string, number>();
  let price = 0;
  let attempted: { readonly price: number } | undefined;
  const add = (locale: string): readonly [path: string, data: object] => {
    const data = { title: `${name} ${locale}`, name, locale, price: price + 1 };
    const id = ids.get('en');
    return id === undefined ? ['/api/pages', data] : [`/api/pages/${id}/localizations`, data];
  };
  return {
    write: async (send, goOn) => {
      let acknowledged = 0;
      while (goOn()) {
        const missing = LOCALES.find((locale) => !ids.has(locale));
        const isNew = missing !== undefined && (ids.size === 0 || random() < 0.3);
        const id = [...ids.values()][Math.floor(random() * ids.size)];
        const [path, data] = isNew ? add(missing) : [`/api/pages/${id}`, { price: price + 1 }];
        attempted = { price: price + 1 };
        const answer = await send(isNew ? 'POST' : 'PUT', path, data).catch(() => undefined);
        if (answer === undefined || answer.status >= 500) return acknowledged;
        if (answer.status === 200) {
          price += 1;
          if (isNew) ids.set(missing, (answer.body.data ?? answer.body).id);
          acknowledged += 1;
        } else if (answer.status !== 409) {
          throw new Error(`${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
        }
        attempted = undefined;
      }
      return acknowledged;
    },
    check: async (send) => {
      const { status, body } = await send('GET', `/api/pages?filters[name]=${name}&locale=all&populate=localizations`);
      if (status !== 200) throw new Error(`Reading was answered with ${status}`);
      const found: readonly Page[] = body.data;
      const prices = new Set(found.map(({ attributes }) => attributes.price));
      const known = [...ids].filter(([, id]) => found.every((page) => page.id !== id)).map(([locale]) => locale);
      const unlinked = found.filter(({ attributes }) => attributes.localizations.data.length !== found.length - 1);
      const [only] = prices;
      const isPrice = only === undefined || only === price || only === attempted?.price;
      if (prices.size > 1 || known.length > 0 || unlinked.length > 0 || !isPrice) {
        throw new Error(`${name} expects ${price} in ${[...ids].join(' ')}, and finds ${JSON.stringify(found)}`);
      }
      ids = new Map(found.map(({ id, attributes }) => [attributes.locale, id]));
      price = only ?? price;
      attempted = undefined;
    },
  };
}

interface Page {
  readonly id: number;
  readonly attributes: {
    readonly locale: string;
    readonly price: number;
    readonly localizations: { readonly data: readonly unknown[] };
  };
}

/** The content type of these entries. */
export const page = {
  kind: 'collectionType',
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  options: { draftAndPublish: false },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    name: { type: 'string' },
    title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
    price: { type: 'integer' },
  },
};
export const pageLocales = { i18n: { config: { defaultLocale: 'en', locales: LOCALES } } };
