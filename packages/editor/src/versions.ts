import { pathNameOf, type Caller, type ContentType, type PluginContext } from 'content-service/plugin';

/**
 * For which types the caller sees what entries were: where the routes of the plugin `versions` are there, and the
 * caller may change the entries.
 */
export function versionsSeenBy({ http }: PluginContext, caller: Caller): (type: ContentType) => boolean {
  const paths = new Set(http.reachable().routes.map(({ path }) => path));
  return (type) => paths.has(`/${pathNameOf(type)}/:id/versions`) && caller.may(`${type.uid}.update`);
}
