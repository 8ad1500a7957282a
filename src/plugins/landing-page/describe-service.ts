import { createHash } from 'node:crypto';
import escape from 'lodash/escape.js';
import type { ContentType } from '../../content-types/model/types.js';
import { describeDrafts } from '../../documents/hide-drafts.js';
import type { Page } from '../contract/routes.js';
import type { PluginContext } from '../contract/plugin.js';

/** The style of the page, in light and dark mode and for all widths. Every pair of colours has a contrast of at least 4.5. */
const style = `
:root{color-scheme:light dark;--page:#f7f7f4;--card:#fff;--text:#1d2321;--quiet:#59625e;--line:#dcdfd9;--link:#0b6b4f}
@media(prefers-color-scheme:dark){:root{--page:#141816;--card:#1c211f;--text:#e9ece9;--quiet:#a3ada8;--line:#343b38;--link:#6fd3ae}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.55 system-ui,sans-serif}
main{max-width:62rem;margin:0 auto;padding:2.5rem 1.25rem}
h1{margin:0;font-size:1.9rem;letter-spacing:-.02em}
h2{margin:2.25rem 0 .75rem;font-size:1.1rem}
p{margin:.35rem 0;color:var(--quiet)}
a{color:var(--link);text-underline-offset:.2em}
a:focus-visible,.scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
code{font:.92em ui-monospace,monospace}
.links{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:.75rem;margin:0;padding:0;list-style:none}
.links li{padding:.8rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:10px}
.links a{font-weight:600}
.links span{display:block;color:var(--quiet);font-size:.92rem}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:10px}
table{width:100%;border-collapse:collapse}
th,td{padding:.6rem 1rem;text-align:left;vertical-align:baseline;border-top:1px solid var(--line)}
thead th{border-top:0;color:var(--quiet);font-size:.85rem;font-weight:600}
td a{white-space:nowrap}
.number{text-align:right;font-variant-numeric:tabular-nums}
.names{min-width:14rem;color:var(--quiet);font-size:.9rem}
small{padding:.1em .5em;border:1px solid var(--line);border-radius:1em;color:var(--quiet);font-weight:400}
@media(max-width:42rem){.names,thead th:last-child{display:none}th,td{padding:.6rem .5rem}}
footer{margin-top:2rem;font-size:.92rem}
`;

/** Allows only the page's own styles: no scripts, no other sources. */
export const policy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Listed {
  readonly type: ContentType;
  /** The number of entries, including drafts. */
  readonly count: number;
}

/** The HTML page that lists content types and pages. */
export function describeService(
  listed: readonly Listed[],
  pages: readonly Page[],
  drafts: PluginContext['settings']['drafts'],
): string {
  const links = pages.map(
    ({ path, title, description }) =>
      `<li><a href="${escape(path)}">${escape(title)}</a><span>${escape(description)}</span></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Content Service</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1>Content Service</h1>
<p>The service is running. This page is available in development only.</p>
</header>
${links.length === 0 ? '' : `<section aria-labelledby="look"><h2 id="look">Pages</h2><ul class="links">${links.join('')}</ul></section>`}
<section aria-labelledby="types">
<h2 id="types">Content types</h2>
${listed.length === 0 ? noTypes : table(listed)}
</section>
<footer><p>Drafts are ${escape(describeDrafts(drafts))}.</p>
<p>Everything is denied by default. Grant permissions in <code>content-types/access.json</code>, or create an API token with <code>npx content-service access token create me --type full-access</code>.</p></footer>
</main>
</body>
</html>
`;
}

const noTypes =
  '<p>No content types yet. Create one: <code>npx content-service generate type article title:string</code></p>';

const table = (
  listed: readonly Listed[],
): string => `<div class="scroll" role="region" aria-labelledby="types" tabindex="0"><table>
<thead><tr><th scope="col">Type</th><th scope="col">Route</th><th scope="col" class="number">Entries</th><th scope="col">Attributes</th></tr></thead>
<tbody>${listed.map(row).join('')}</tbody>
</table></div>`;

function row({ type, count }: Listed): string {
  const isSingle = type.kind === 'singleType';
  const route = `/api/${isSingle ? type.singularName : type.pluralName}`;
  const names = [...type.attributes.values()]
    .filter((attribute) => attribute.writable && !attribute.private)
    .map(({ name }) => name);
  return `<tr><th scope="row">${escape(type.displayName)}${isSingle ? ' <small>single</small>' : ''}</th>
<td><a href="${escape(route)}"><code>${escape(route)}</code></a></td>
<td class="number">${count.toLocaleString('en')}</td>
<td class="names">${escape(names.join(', '))}</td></tr>`;
}
