import type { ShadowRule } from 'content-service/content-api';
import type { GraphqlParts, Registry } from 'content-service/plugin';

const FILE = 'plugin::upload.file';
const LOCALE = 'plugin::i18n.locale';

/** Which parts of content types the schema has not, beside those that it lacks in Strapi v4. */
export const rulesOf = (
  { contentTypes, components }: Registry,
  parts: readonly Pick<GraphqlParts, 'rules'>[],
): readonly ShadowRule[] => [
  ...parts.flatMap(({ rules = [] }) => rules).filter((rule) => !('field' in rule && rule.field === 'focalPoint')),
  { uid: FILE, without: 'mutations' },
  { uid: 'plugin::upload.folder', without: 'type' },
  ...(['output', 'input'] as const).map((without) => ({ uid: LOCALE, field: 'isDefault', without })),
  // Strapi v4's filters name them, and refuse them.
  ...[...contentTypes.values(), ...components.values()].flatMap(({ uid, attributes }) =>
    [...attributes.values()]
      .filter((attribute) => attribute.private)
      .map(({ name }): ShadowRule => ({ uid, field: name, without: 'filters' })),
  ),
];
