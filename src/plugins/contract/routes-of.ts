import type { Registry } from '../../content-types/model/types.js';
import type { Plugin, Route } from './plugin.js';

/** The routes of a plugin, those for content types included. */
export const routesOf = ({ routes = [] }: Plugin, registry: Registry): readonly Route[] =>
  typeof routes === 'function' ? routes(registry) : routes;
