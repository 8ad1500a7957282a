import type { ContentApi, PluginContext } from 'content-service/plugin';
import { describeError } from './describe-error.js';
import { flatPresenter } from './presenters.js';
import { createReadActions } from './reads/read-actions.js';
import type { Settings } from './settings.js';

/** Strapi 5's REST API. */
export function createContentApi(context: PluginContext, settings: Settings): ContentApi {
  return {
    prefix: settings.path + context.settings.prefix,
    actions: createReadActions(context, settings),
    presenter: flatPresenter,
    describeError,
  };
}
