import lodash from 'lodash';
import { createHash } from 'node:crypto';
import type { BuiltInContext, BuiltInFactory } from '../contract/built-in.js';
import { isLocalRequest } from '../contract/http/local-request.js';
import type { RequestHandler } from '../contract/http/messages.js';
import { describeDrafts } from '../../documents/hide-drafts.js';
import { isOwnType, pathNameOf } from '../../documents/listings.js';

/** Every pair of colours has a contrast of at least 4.5, in light and dark mode. */
const style = `
:root{color-scheme:light dark;background:Canvas;color:CanvasText}
body{max-width:62rem;margin:0 auto;padding:2rem 1.25rem;font:16px/1.55 system-ui,sans-serif}
.scroll{overflow-x:auto}
table{border-collapse:collapse}
th,td{padding:.4rem .75rem .4rem 0;text-align:left;vertical-align:baseline;overflow-wrap:anywhere}
.number{text-align:right}
`;

/** Allows only the page's own style: no scripts, no other sources. */
const policy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Lists the pages and content types at `/`, in development and for local requests only. */
export const createLandingPage: BuiltInFactory = () => ({
  name: 'landing-page',
  mounts: (context) =>
    context.settings.environment === 'development' ? [{ path: '/', handler: createHandler(context) }] : [],
});

function createHandler(context: BuiltInContext): RequestHandler {
  return async (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (request.path !== '/' || !isRead || !isLocalRequest(request)) return next();
    response.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    response.type('html').send(await describeService(context));
  };
}

const health = {
  path: '/_ready',
  title: 'Health',
  description: 'an empty page if the service is ready, otherwise an error',
};

async function describeService({ registry, entries, http, settings }: BuiltInContext): Promise<string> {
  const pages = [...http.pages, health].map(
    ({ path, title, description }) =>
      `<li><a href="${lodash.escape(path)}">${lodash.escape(title)}</a>: ${lodash.escape(description)}</li>`,
  );
  const types = [...registry.contentTypes.values()].filter(isOwnType).map(async (type) => {
    const route = lodash.escape(`${settings.prefix}/${pathNameOf(type)}`);
    const count = await entries.count(type.uid);
    return `<tr><th scope="row">${lodash.escape(type.displayName)}</th><td><a href="${route}"><code>${route}</code></a></td>
<td class="number">${count.toLocaleString('en')}</td></tr>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Content Service</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>Content Service</h1>
<p>The service is running. This page is available in development only.</p>
<ul>${pages.join('')}</ul>
<h2 id="types">Content types</h2>
<div class="scroll" role="region" aria-labelledby="types" tabindex="0"><table>
<thead><tr><th scope="col">Type</th><th scope="col">Route</th><th scope="col" class="number">Entries</th></tr></thead>
<tbody>${(await Promise.all(types)).join('')}</tbody>
</table></div>
<p>Create another type with <code>npx content-service generate type article title:string</code>.</p>
<p>Drafts are ${lodash.escape(describeDrafts(settings.drafts))}.
Everything is denied by default: grant permissions in <code>content-types/access.json</code>, or create an API token with
<code>npx content-service access token create me --type full-access</code>.</p>
</main>
</body>
</html>
`;
}
