import { createHash } from 'node:crypto';

/** The style of the pages, in light and dark mode and for all widths. Every pair of colours has a contrast of at least 4.5. */
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
form{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end;margin:1.25rem 0 .75rem}
label{display:grid;gap:.25rem;color:var(--quiet);font-size:.92rem}
input,select,button{padding:.45rem .7rem;font:inherit;color:var(--text);background:var(--card);border:1px solid var(--line);border-radius:8px}
input:focus-visible,select:focus-visible,button:focus-visible{outline:3px solid var(--link);outline-offset:2px}
footer{margin-top:2rem;font-size:.92rem}
`;

/** How a content security policy names a style or script of the page itself. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** A page with a title, a main element and what follows it. */
export const pageOf = (title: string, main: string, after = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
${after}</body>
</html>
`;

/** Allows only the style of the page, and what the further directives allow. */
export const policyOf = (further = ''): string =>
  `default-src 'none'; style-src 'sha256-${hashOf(style)}'; ${further}` +
  "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
