import type { Clipboard } from './clipboard.js';

/** Google's documents put everything into a `b` that is not bold, and all marks into styles of spans. */
const docs = (body: string): string =>
  `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-5d3c1b2a-7fff-1e2d-3c4b-5a6978695a4b">${body}</b><br class="Apple-interchange-newline">`;
const style = (own: string): string =>
  `font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;${own}font-variant:normal;vertical-align:baseline;white-space:pre;white-space:pre-wrap;`;
const span = (text: string, own = 'font-weight:400;font-style:normal;text-decoration:none;'): string =>
  `<span style="${style(own)}">${text}</span>`;
const bold = 'font-weight:700;font-style:normal;text-decoration:none;';
const paragraph = (inner: string): string =>
  `<p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;">${inner}</p>`;
const item = (inner: string, level: number): string =>
  `<li dir="ltr" style="list-style-type:disc;font-size:11pt;font-family:Arial,sans-serif;font-weight:400;font-style:normal;white-space:pre;" aria-level="${level}"><p dir="ltr" style="line-height:1.38;" role="presentation">${inner}</p></li>`;

/** An image of one pixel. */
export const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const google: readonly Clipboard[] = [
  {
    name: 'Google Docs: marks that are styles, and a link',
    html: docs(
      paragraph(
        `${span('Rye ')}${span('rises', bold)}${span(', ')}${span('slowly', 'font-weight:400;font-style:italic;text-decoration:none;')}${span(' and ')}${span('gone', 'font-weight:400;text-decoration:line-through;-webkit-text-decoration-skip:none;')}${span(' or ')}${span('under', 'font-weight:400;text-decoration:underline;')}${span(': ')}<a href="https://www.google.com/url?q=https://example.org/mill?a%3D1&amp;sa=D&amp;source=editors" style="text-decoration:none;">${span('the mill', 'font-weight:400;text-decoration:underline;')}</a>`,
      ) +
        '<br />' +
        paragraph(span('Next')),
    ),
    markdown: 'Rye **rises**, _slowly_ and ~~gone~~ or under: [the mill](https://example.org/mill?a=1)\n\nNext',
    blocks: [
      'paragraph: Rye **rises**, _slowly_ and ~~gone~~ or <u>under</u>: [the mill](https://example.org/mill?a=1)',
      'paragraph: Next',
    ],
  },
  {
    name: 'Google Docs: headings that are not bold, and lists beside items',
    html: docs(
      `<h1 dir="ltr" style="line-height:1.38;margin-top:20pt;">${span('Bread', 'font-weight:400;')}</h1><h2 dir="ltr">${span('Dough', bold)}</h2><ul style="margin-top:0;margin-bottom:0;padding-inline-start:48px;">${item(span('Flour'), 1)}<ul style="margin-top:0;">${item(span('Rye', bold), 2)}</ul>${item(span('Water'), 1)}</ul><ol start="1">${item(span('Mix'), 1)}${item(span('Bake'), 1)}</ol>`,
    ),
    markdown: '# Bread\n\n## Dough\n\n- Flour\n  - **Rye**\n- Water\n\n1. Mix\n2. Bake',
  },
  {
    name: 'Google Docs: a table',
    html: docs(
      `<div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;border-collapse:collapse;table-layout:fixed;width:468pt"><colgroup><col /><col /></colgroup><tbody><tr style="height:0pt"><td style="border-left:solid #000000 1pt;vertical-align:top;padding:5pt 5pt 5pt 5pt;">${paragraph(span('Grain', bold))}</td><td>${paragraph(span('Hours', bold))}</td></tr><tr style="height:0pt"><td>${paragraph(span('Rye'))}</td><td>${paragraph(`${span('20 ')}<a href="https://example.org/">${span('or more')}</a>`)}</td></tr></tbody></table></div>`,
    ),
    markdown: '| **Grain** | **Hours** |\n| --- | --- |\n| Rye | 20 [or more](https://example.org/) |',
    blocks: ['paragraph: **Grain** | **Hours**', 'paragraph: Rye | 20 [or more](https://example.org/)'],
  },
  {
    name: 'Google Docs: a list of tasks, whose boxes are drawn',
    html: docs(
      `<ul style="margin-top:0;"><li dir="ltr" role="checkbox" aria-checked="true" style="list-style-type:none;" aria-level="1"><img src="${pixel}" width="18.4px" height="18.4px" alt="checked" aria-roledescription="checkbox" /><p dir="ltr" style="display:inline-block;vertical-align:top;" role="presentation">${span('Mix', 'font-weight:400;text-decoration:line-through;')}</p></li><li dir="ltr" role="checkbox" aria-checked="false" aria-level="1"><img src="${pixel}" width="18.4px" height="18.4px" alt="unchecked" aria-roledescription="checkbox" /><p dir="ltr" role="presentation">${span('Bake')}</p></li></ul>`,
    ),
    markdown: '- [x] ~~Mix~~\n- [ ] Bake',
    blocks: ['list unordered: ☑ ~~Mix~~ / ☐ Bake'],
  },
  {
    name: 'Google Docs: an image of its server',
    html: docs(
      paragraph(
        `${span('Our mill')}<span style="border:none;display:inline-block;overflow:hidden;width:602px;height:339px;"><img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nXe?key=1" width="602" height="339" style="margin-left:0px;" alt="A mill" /></span>`,
      ),
    ),
    markdown: 'Our mill\n\n![A mill](https://lh7-rt.googleusercontent.com/docsz/AD_4nXe?key=1)',
    blocks: ['paragraph: Our mill', 'paragraph: [A mill](https://lh7-rt.googleusercontent.com/docsz/AD_4nXe?key=1)'],
    losses:
      'Images stay on other servers: lh7-rt.googleusercontent.com. Add them to the library if they are to be there for good.',
  },
  {
    name: 'Google Sheets: cells',
    html: `<meta charset='utf-8'><google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" border="1" style="table-layout:fixed;font-size:10pt;font-family:Arial;width:0px;border-collapse:collapse;border:none" data-sheets-root="1" data-sheets-baot="1"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr style="height:21px;"><td style="overflow:hidden;padding:2px 3px;vertical-align:bottom;font-weight:bold;">Bread</td><td style="font-weight:bold;">Note</td></tr><tr style="height:21px;"><td style="overflow:hidden;">Rye</td><td style="text-align:right;" data-sheets-hyperlink="https://example.org/"><a class="in-cell-link" target="_blank" href="https://example.org/">long</a><br/>and slow</td></tr></tbody></table>`,
    text: 'Bread\tNote\nRye\t"long\nand slow"',
    markdown: '| **Bread** | **Note** |\n| --- | --- |\n| Rye | [long](https://example.org/)<br>and slow |',
    blocks: ['paragraph: **Bread** | **Note**', 'paragraph: Rye | [long](https://example.org/) and slow'],
  },
  {
    name: 'Google Sheets: one cell',
    html: `<meta charset='utf-8'><style type="text/css"><!--td {border: 1px solid #cccccc;}--></style><span style="font-size:10pt;font-family:Arial;font-weight:bold;font-style:normal;" data-sheets-root="1">Rye</span>`,
    text: 'Rye',
    markdown: '**Rye**',
  },
  {
    name: 'Gmail: lines that are blocks, a quoted mail, an emoji',
    html: `<meta charset='utf-8'><div dir="ltr" style="color:rgb(34,34,34);font-family:Arial,Helvetica,sans-serif;font-size:small;font-style:normal;font-weight:400;white-space:normal;background-color:rgb(255,255,255);text-decoration-style:initial;">Dear Ann,<div><br></div><div>the <b>red</b> one&nbsp;<img data-emoji="🍞" class="an1" alt="🍞" aria-label="🍞" src="https://fonts.gstatic.com/s/e/notoemoji/16.0/1f35e/72.png" loading="lazy"></div><div>Bob<img src="https://mail.example.org/open.gif" width="1" height="1"></div></div><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Ann wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div dir="ltr">Which one?<div>Ann</div></div></blockquote></div>`,
    markdown: 'Dear Ann,\n\nthe **red** one 🍞\n\nBob\n\nOn Mon, Ann wrote:\n\n> Which one?\\\n> Ann',
  },
];
