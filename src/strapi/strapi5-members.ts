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

const v4Form = 'its answers have the form of Strapi 4: nested, with numbers as ids';

/** What code of Strapi 5 uses beyond that of Strapi v4, each with whether the service has it. */
export const strapi5Members: readonly Strapi5Member[] = [
  { name: 'strapi.documents', isSupported: false },
  { name: 'strapi.contentAPI', isSupported: false },
  { name: 'strapi.get', isSupported: false },
  { name: 'strapi.add', isSupported: false },
  { name: 'strapi.ai', isSupported: false },
  { name: 'strapi.sessionManager', isSupported: false },
  { name: 'factories.createCoreController', isInV4: true, isSupported: false, consequence: v4Form },
  {
    name: 'factories.createCoreService',
    isInV4: true,
    isSupported: false,
    consequence: 'its methods take and return entries of Strapi 4',
  },
  { name: 'factories.createCoreRouter', isInV4: true, isSupported: false, consequence: v4Form },
  { name: 'this.transformResponse', isInV4: true, isSupported: false, consequence: v4Form },
  ...[
    'async',
    'strings',
    'objects',
    'arrays',
    'primitives',
    'dates',
    'queryParams',
    'createContentApiRoutesFactory',
    'AbstractRouteValidator',
  ].map((member) => ({ name: `@strapi/utils.${member}`, isSupported: false })),
  ...['createAPISanitizers', 'createAPIValidators'].flatMap((member) => [
    { name: `@strapi/utils.sanitize.${member}`, isSupported: false },
    { name: `@strapi/utils.validate.${member}`, isSupported: false },
  ]),
];
