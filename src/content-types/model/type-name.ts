import camelCase from 'lodash/camelCase.js';
import upperFirst from 'lodash/upperFirst.js';
import type { Component, ContentType } from './types.js';

const pascalCase = (name: string): string => upperFirst(camelCase(name));

/** What programs call the values of a content type or component: `Article`, `UploadFile`, `ComponentSharedSeo`. */
export function typeName(of: ContentType | Component): string {
  if (of.kind === 'component') return pascalCase(`component_${of.uid}`);
  const [, room = '', owner = ''] = /^(\w+)(?:::([^.]+))?/.exec(of.uid) ?? [];
  const prefix = room === 'api' ? '' : pascalCase(room === 'plugin' ? owner : room);
  return prefix + pascalCase(of.singularName);
}
