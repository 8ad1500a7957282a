import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import lodash from 'lodash';
import { packageFolder } from '../../config/package-folder.js';
import type { RequestHandler } from '../contract/http/messages.js';
import type { Page } from '../contract/routes.js';

const prefix = '/guide/';

export const guide: Page = {
  path: `/documentation${prefix}docs/README.md`,
  title: 'Guides and reference',
  description: 'the documentation of this version',
};

const style = `
:root{color-scheme:light dark;background:Canvas;color:CanvasText}
body{max-width:62rem;margin:0 auto;padding:2rem 1.25rem;font:16px/1.55 system-ui,sans-serif}
pre,table{display:block;overflow-x:auto}
table{border-collapse:collapse}
th,td{padding:.4rem .75rem .4rem 0;text-align:left;vertical-align:baseline}
tr{border-bottom:1px solid color-mix(in srgb,currentColor 15%,transparent)}
pre{padding:.75rem 1rem;border-radius:.3rem;background:color-mix(in srgb,currentColor 7%,transparent)}
code,a{overflow-wrap:anywhere}
pre code,td:first-child code{overflow-wrap:normal}
td:has(code){min-width:7rem}
@media(max-width:40rem){td:last-child:not(:only-child){min-width:15rem}}
img{max-width:100%}
`;

/** Allows the page's own style and the images of the documentation: no scripts, no other sources. */
const policy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The files of the package that a browser may read, by their paths in it: its pages, and what is in `docs`. */
const findFiles = lodash.once(
  (): ReadonlySet<string> =>
    new Set([
      ...readdirSync(packageFolder).filter((name) => /^[A-Z]+\.md$/.test(name)),
      ...readdirSync(path.join(packageFolder, 'docs'), { recursive: true }).map((name) =>
        ['docs', ...String(name).split(path.sep)].join('/'),
      ),
    ]),
);

/** The anchor of a heading, as GitHub forms it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

async function render(name: string): Promise<string> {
  const { Marked } = await import('marked');
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  const text = await readFile(path.join(packageFolder, name), 'utf8');
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${lodash.escape(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<nav><a href="${guide.path}">Documentation</a> · <a href="/documentation">API of this service</a></nav>
<main>
${await marked.parse(text)}</main>
</body>
</html>
`;
}

/** Shows the Markdown pages of the package, with their images. */
export const showGuide: RequestHandler = (request, response, next) => {
  const name = request.path.slice(prefix.length);
  if (!request.path.startsWith(prefix) || !findFiles().has(name)) return next();
  response.set({ 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' });
  if (name.endsWith('.md')) return void render(name).then((html) => response.type('html').send(html), next);
  response.sendFile(name, { root: packageFolder, dotfiles: 'allow' }, (error?: Error) => {
    if (error !== undefined && !response.headersSent) next();
  });
};
