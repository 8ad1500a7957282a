/** A member that code of Strapi 5 uses, and Strapi v4 does not have or has in another form. */
export interface Strapi5Member {
  /** As code writes it: `strapi.documents`. */
  readonly name: string;
  readonly isSupported: boolean;
  /** Strapi v4 has a member of this name, which does something else. */
  readonly isInV4?: true;
  /** What happens where it is not supported, unless its use throws an error with its name. */
  readonly consequence?: string;
}

/** What code of Strapi 5 uses beyond that of Strapi v4, each with whether the service has it. */
export const strapi5Members: readonly Strapi5Member[] = [
  ...['documents', 'contentAPI', 'get', 'add'].map((name) => ({ name: `strapi.${name}`, isSupported: true })),
  ...['ai', 'sessionManager'].map((name) => ({ name: `strapi.${name}`, isSupported: false })),
  ...['addQueryParams', 'addInputParams', 'permissions', 'getRoutesMap', 'applyExtraParamsToRoutes'].map((name) => ({
    name: `strapi.contentAPI.${name}`,
    isSupported: false,
  })),
  ...['createCoreController', 'createCoreService', 'createCoreRouter'].map((name): Strapi5Member => ({
    name: `factories.${name}`,
    isInV4: true,
    isSupported: true,
  })),
  { name: 'this.transformResponse', isInV4: true, isSupported: true },
  ...['async', 'strings', 'objects', 'arrays', 'dates'].map((name) => ({
    name: `@strapi/utils.${name}`,
    isSupported: true,
  })),
  ...[
    'queryParams',
    'createContentApiRoutesFactory',
    'AbstractRouteValidator',
    'sanitize.createAPISanitizers',
    'validate.createAPIValidators',
  ].map((name) => ({ name: `@strapi/utils.${name}`, isSupported: false })),
];
