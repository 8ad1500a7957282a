import lodash from 'lodash';
import type { Component, ContentType } from './types.js';

/** A name as part of a type's name: `users-permissions` becomes `UsersPermissions`. */
export const pascalCase = (name: string): string => lodash.upperFirst(lodash.camelCase(name));

/**
 * The name of a content type or component in GraphQL, TypeScript and OpenAPI: `Article`, `UploadFile`,
 * `ComponentSharedSeo`.
 */
export function typeName(model: ContentType | Component): string {
  if (model.kind === 'component') return pascalCase(`component_${model.uid}`);
  const [, namespace = '', owner = ''] = /^(\w+)(?:::([^.]+))?/.exec(model.uid) ?? [];
  const prefix = namespace === 'api' ? '' : pascalCase(namespace === 'plugin' ? owner : namespace);
  return prefix + pascalCase(model.singularName);
}
