import escape from 'lodash/escape.js';
import type { ContentType } from '../../content-types/model/types.js';
import { describeDrafts } from '../../documents/hide-drafts.js';
import type { Page } from '../contract/routes.js';
import type { PluginContext } from '../contract/plugin.js';
import { pageOf, policyOf } from './page-style.js';

/** Allows only the page's own styles: no scripts, no other sources. */
export const policy = policyOf();

interface Listed {
  readonly type: ContentType;
  /** The number of entries, including drafts. */
  readonly count: number;
}

/** The HTML page that lists content types and pages. */
export function describeService(
  listed: readonly Listed[],
  pages: readonly Page[],
  { drafts, prefix }: Pick<PluginContext['settings'], 'drafts' | 'prefix'>,
): string {
  const links = pages.map(
    ({ path, title, description }) =>
      `<li><a href="${escape(path)}">${escape(title)}</a><span>${escape(description)}</span></li>`,
  );
  return pageOf(
    'Content Service',
    `<header>
<h1>Content Service</h1>
<p>The service is running. This page is available in development only.</p>
</header>
${links.length === 0 ? '' : `<section aria-labelledby="look"><h2 id="look">Pages</h2><ul class="links">${links.join('')}</ul></section>`}
<section aria-labelledby="types">
<h2 id="types">Content types</h2>
${listed.length === 0 ? noTypes : table(listed, prefix)}
</section>
<footer><p>Drafts are ${escape(describeDrafts(drafts))}.</p>
<p>Everything is denied by default. Grant permissions in <code>content-types/access.json</code>, or create an API token with <code>npx content-service access token create me --type full-access</code>.</p></footer>`,
  );
}

const noTypes =
  '<p>No content types yet. Create one: <code>npx content-service generate type article title:string</code></p>';

const table = (
  listed: readonly Listed[],
  prefix: string,
): string => `<div class="scroll" role="region" aria-labelledby="types" tabindex="0"><table>
<thead><tr><th scope="col">Type</th><th scope="col">Route</th><th scope="col" class="number">Entries</th><th scope="col">Attributes</th></tr></thead>
<tbody>${listed.map((one) => row(one, prefix)).join('')}</tbody>
</table></div>`;

function row({ type, count }: Listed, prefix: string): string {
  const isSingle = type.kind === 'singleType';
  const route = `${prefix}/${isSingle ? type.singularName : type.pluralName}`;
  const names = [...type.attributes.values()]
    .filter((attribute) => attribute.writable && !attribute.private)
    .map(({ name }) => name);
  return `<tr><th scope="row">${escape(type.displayName)}${isSingle ? ' <small>single</small>' : ''}</th>
<td><a href="${escape(route)}"><code>${escape(route)}</code></a></td>
<td class="number">${count.toLocaleString('en')}</td>
<td class="names">${escape(names.join(', '))}</td></tr>`;
}
