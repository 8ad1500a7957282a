import type { PluginFactory } from 'content-service/plugin';
import { createCodeForm } from './code/code-form.js';
import { createContentApi } from './content-api.js';
import { createGraphqlForm } from './graphql/graphql-form.js';
import { createEventForm } from './events/event-form.js';
import { filesBelow } from './files-below.js';
import { parseSettings } from './settings.js';

/** Strapi 5's content API, below a path of its own. */
export const createPlugin: PluginFactory = (settings) => {
  const parsed = parseSettings(settings);
  return {
    name: 'strapi5',
    documentIds: true,
    workingCopies: true,
    ...(parsed.isNative && { uniquePerLocale: true, sharedParts: true }),
    mounts: () => filesBelow(parsed),
    eventForms: (context) => [createEventForm(context)],
    codeForm: (context) => createCodeForm(context, parsed),
    contentApis: (context) => [createContentApi(context, parsed)],
    graphqlForms: (context) => [createGraphqlForm(context, parsed)],
  };
};
