import camelCase from 'lodash/camelCase.js';
import upperFirst from 'lodash/upperFirst.js';
import type { Component, ContentType } from './types.js';

const pascalCase = (name: string): string => upperFirst(camelCase(name));

/** The type name of a content type or component: `Article`, `UploadFile`, `ComponentSharedSeo`. */
export function typeName(model: ContentType | Component): string {
  if (model.kind === 'component') return pascalCase(`component_${model.uid}`);
  const [, room = '', owner = ''] = /^(\w+)(?:::([^.]+))?/.exec(model.uid) ?? [];
  const prefix = room === 'api' ? '' : pascalCase(room === 'plugin' ? owner : room);
  return prefix + pascalCase(model.singularName);
}
