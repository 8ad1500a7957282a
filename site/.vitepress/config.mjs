import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';

const site = path.resolve(import.meta.dirname, '..');
const pages = path.join(site, 'pages');

// Pages find the packages of the generator only from below its folder.
rmSync(pages, { recursive: true, force: true });
for (const name of ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs'])
  cpSync(path.join(site, '..', name), path.join(pages, name), { recursive: true });

/** The links of a section of docs/README.md. */
const linksOf = (section) =>
  [...section.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text, link]) => ({
    text: text.charAt(0).toUpperCase() + text.slice(1),
    link: path.posix.join('/docs', link).replace(/\.md\b/, ''),
  }));

/** The sections of docs/README.md are the navigation. */
const sidebar = readFileSync(path.join(pages, 'docs/README.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ text: section.split('\n')[0], collapsed: false, items: linksOf(section) }));

/** Most pages have tables with sentences, for which the 688 pixels of the theme are narrow. */
const wide = `
  .VPDoc.has-aside .content-container { max-width: 840px !important; }
  @media (min-width: 1440px) { .VPDoc .container { max-width: 1200px !important; } }
  .vp-doc td { vertical-align: top; }
  @media (max-width: 640px) {
    .vp-doc td, .vp-doc th { padding: 6px 10px; }
    .vp-doc td:last-child:not(:only-child) { min-width: 15rem; }
  }
  .vp-doc > div > pre { overflow-x: auto; }`;

export default defineConfig({
  title: 'Content Service',
  description: "Strapi v4's content API on MongoDB",
  head: [
    ['style', {}, wide],
    ['link', { rel: 'icon', href: 'data:,' }],
  ],
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.vite',
  rewrites: { 'README.md': 'index.md', 'docs/README.md': 'docs/index.md' },
  // Files beside the pages, such as a Dockerfile, are copied below.
  ignoreDeadLinks: [/^http:\/\/localhost/, /\/deployment\//],
  markdown: {
    languageAlias: { ndjson: 'json' },
    config: (md) => {
      const { normalizeLink } = md;
      md.normalizeLink = (link) => normalizeLink(link.replace(/\bREADME\.md/, 'index.md'));
    },
  },
  themeConfig: { sidebar, outline: [2, 3], search: { provider: 'local' } },
  buildEnd: ({ outDir }) =>
    cpSync(path.join(pages, 'docs/deployment'), path.join(outDir, 'docs/deployment'), { recursive: true }),
});
