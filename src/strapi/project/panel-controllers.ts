import path from 'node:path';
import lodash from 'lodash';
import { actionIn } from '../http/endpoint.js';
import type { Named, Strapi } from '../strapi.js';
import type { ProjectCode } from './load-project.js';
import type { Source } from './sources.js';

interface Routes {
  readonly routes?: readonly { readonly handler?: unknown }[];
  readonly type?: string;
}

/**
 * Whether only routes for Strapi's admin panel lead to a file, as far as its name shows: to that of a controller of a
 * plugin of which no route of clients has an action. The service has no routes for the panel.
 */
export function createIsForPanel(
  { folder, plugins }: Pick<ProjectCode, 'folder' | 'plugins'>,
  { api, plugin }: Strapi,
): (source: Source) => boolean {
  const apis = Object.values(api).flatMap(({ routes }) => Object.values((routes ?? {}) as Named<Routes>));
  const ofPanel = plugins.flatMap(({ name, folder: place }) => {
    const namespace = `plugin::${name}`;
    const routers = Object.values((plugin(name)?.routes ?? {}) as Named<Routes>);
    const [panel, clients] = lodash.partition(routers, ({ type }) => type === 'admin');
    const named = (list: readonly Routes[]): readonly string[] =>
      list.flatMap((router) => controllersOf(router, namespace));
    const only = lodash.difference(named(panel), named(clients), named(apis));
    return only.map((controller) => ({
      own: path.relative(folder, place) + path.sep,
      name: new RegExp(String.raw`[\\/]controllers[\\/]${lodash.escapeRegExp(controller)}(?:[\\/]|\.[cm]?[jt]s$)`),
    }));
  });
  return ({ file }) => ofPanel.some(({ own, name }) => file.startsWith(own) && name.test(file));
}

/** The controllers of a plugin that routes name. */
const controllersOf = ({ routes }: Routes, namespace: string): readonly string[] =>
  (Array.isArray(routes) ? (routes as NonNullable<Routes['routes']>) : []).flatMap(({ handler }) => {
    if (typeof handler !== 'string') return [];
    const [owner, controller = ''] = actionIn(namespace, handler.trim()).split('.', 2);
    return owner === namespace ? [controller] : [];
  });
