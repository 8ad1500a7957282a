import type { Clipboard } from './clipboard.js';

/** Word writes its own namespaces, its styles, and comments that only it reads. */
const word = (body: string): string => `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"
xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=ProgId content=Word.Document>
<meta name=Generator content="Microsoft Word 15">
<link rel=File-List href="file:///C:/Users/ann/AppData/Local/Temp/msohtmlclip1/01/clip_filelist.xml">
<!--[if gte mso 9]><xml>
 <o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings>
</xml><![endif]-->
<style>
<!--
 /* Font Definitions */
 @font-face {font-family:Calibri; panose-1:2 15 5 2 2 2 4 3 2 4;}
 /* Style Definitions */
 p.MsoNormal, li.MsoNormal, div.MsoNormal {mso-style-unhide:no; margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif;}
 span.SpellE {mso-style-name:""; mso-spl-e:yes;}
 @page WordSection1 {size:595.3pt 841.9pt; margin:70.85pt 70.85pt 2.0cm 70.85pt;}
 div.WordSection1 {page:WordSection1;}
 @list l0 {mso-list-id:1234567; mso-list-type:hybrid;}
-->
</style>
<!--[if gte mso 10]><style> table.MsoNormalTable {mso-style-name:"Table Normal";} </style><![endif]-->
</head>
<body lang=EN-GB style='tab-interval:35.4pt;word-wrap:break-word'>
<!--StartFragment-->
${body}
<!--EndFragment-->
</body>
</html>`;

const item = (
  name: string,
  level: number,
  marker: string,
  text: string,
): string => `<p class=MsoListParagraphCxSp${name} style='margin-left:${level * 36}.0pt;mso-add-space:auto;
text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span
style='font-family:Symbol;mso-fareast-font-family:Symbol;mso-bidi-font-family:Symbol'><span
style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;
</span></span></span><![endif]>${text}<o:p></o:p></p>
`;

export const office: readonly Clipboard[] = [
  {
    name: 'Word: headings, marks and a link',
    html: word(`<h1><a name="_Toc1">Bread</a><o:p></o:p></h1>

<p class=MsoNormal>Flour, <b>water</b>, <i>salt</i> and <u>time</u>.<span
style='mso-spacerun:yes'>  </span>See <a href="https://example.org/mill">the
mill</a>, <s>gone</s><o:p></o:p></p>

<p class=MsoNormal><o:p>&nbsp;</o:p></p>

<h2>Dough<o:p></o:p></h2>`),
    markdown:
      '# Bread\n\nFlour, **water**, _salt_ and time. See [the mill](https://example.org/mill), ~~gone~~\n\n## Dough',
    blocks: [
      'heading 1: Bread',
      'paragraph: Flour, **water**, _salt_ and <u>time</u>. See [the mill](https://example.org/mill), ~~gone~~',
      'heading 2: Dough',
    ],
  },
  {
    name: 'Word: lists in lists, which are paragraphs',
    html: word(
      item('First', 1, '·', 'Flour') + item('Middle', 2, 'o', 'Rye <b>flour</b>') + item('Middle', 2, 'o', 'Wheat') +
        item('Last', 1, '·', 'Water') + '<p class=MsoNormal>Then:<o:p></o:p></p>' +
        item('First', 1, '1.', 'Mix') + item('Middle', 2, 'a)', 'by hand') + item('Last', 1, '2.', 'Bake'),
    ), // prettier-ignore
    markdown: '- Flour\n  - Rye **flour**\n  - Wheat\n- Water\n\nThen:\n\n1. Mix\n   1. by hand\n2. Bake',
  },
  {
    name: 'Word: a table with paragraphs in its cells',
    html: word(`<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;border:none;mso-border-alt:solid windowtext .5pt'>
 <tr style='mso-yfti-irow:0;mso-yfti-firstrow:yes'>
  <td width=302 valign=top style='width:226.55pt;border:solid windowtext 1.0pt'>
  <p class=MsoNormal><b>Grain</b><o:p></o:p></p>
  </td>
  <td width=302 valign=top style='width:226.55pt'>
  <p class=MsoNormal><b>Hours</b><o:p></o:p></p>
  </td>
 </tr>
 <tr style='mso-yfti-irow:1;mso-yfti-lastrow:yes'>
  <td width=302 valign=top><p class=MsoNormal>Rye | wheat<o:p></o:p></p></td>
  <td width=302 valign=top><p class=MsoNormal>20<o:p></o:p></p><p class=MsoNormal><i>or more</i><o:p></o:p></p></td>
 </tr>
</table>`),
    markdown: '| **Grain** | **Hours** |\n| --- | --- |\n| Rye \\| wheat | 20<br>_or more_ |',
    blocks: ['paragraph: **Grain** | **Hours**', 'paragraph: Rye | wheat | 20 _or more_'],
  },
  {
    name: 'Word: an image that is a file of the computer',
    html: word(`<p class=MsoNormal>Our mill:<o:p></o:p></p>
<p class=MsoNormal><span style='mso-no-proof:yes'><!--[if gte vml 1]><v:shapetype id="_x0000_t75"/><v:shape id="Bild_x0020_1"
 type="#_x0000_t75" style='width:100pt'><v:imagedata src="file:///C:/Users/ann/AppData/Local/Temp/msohtmlclip1/01/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img
 width=400 height=300 src="file:///C:/Users/ann/AppData/Local/Temp/msohtmlclip1/01/clip_image002.jpg" v:shapes="Bild_x0020_1"><![endif]></span><o:p></o:p></p>
<p class=MsoNormal>by the river<o:p></o:p></p>`),
    markdown: 'Our mill:\n\nby the river',
    losses: 'Images that are only on your computer were left out: clip_image002.jpg. Add them from there.',
  },
  {
    name: 'Word: title, quote and footnote',
    html: word(`<p class=MsoTitle>Bread<o:p></o:p></p>
<p class=MsoQuote>It rises<o:p></o:p></p>
<p class=MsoNormal>So they say<a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1" title=""><span class=MsoFootnoteReference><span
style='mso-special-character:footnote'><![if !supportFootnotes]><span class=MsoFootnoteReference>[1]</span><![endif]></span></span></a>.<span style='display:none;mso-hide:all'>hidden</span><o:p></o:p></p>`),
    markdown: '# Bread\n\n> It rises\n\nSo they say[1].',
  },
  {
    name: 'Word in the browser: each item a list',
    html: `<html><body><!--StartFragment--><div class="OutlineElement Ltr SCXW1"><p class="Paragraph SCXW1" xml:lang="EN-GB" style="font-weight:normal;font-style:normal"><span class="TextRun SCXW1" style="font-size:12pt;font-weight:bold" data-contrast="auto"><span class="NormalTextRun SCXW1">To buy</span></span><span class="EOP SCXW1" style="font-size:12pt">&nbsp;</span></p></div><div class="ListContainerWrapper SCXW1"><ul class="BulletListStyle1 SCXW1" role="list"><li class="OutlineElement Ltr SCXW1" data-leveltext="" data-listid="1" data-aria-posinset="1" data-aria-level="1"><p class="Paragraph SCXW1"><span class="TextRun SCXW1">Flour</span><span class="EOP SCXW1">&nbsp;</span></p></li></ul></div><div class="ListContainerWrapper SCXW1"><ul class="BulletListStyle2 SCXW1" role="list"><li class="OutlineElement Ltr SCXW1" data-aria-posinset="1" data-aria-level="2"><p class="Paragraph SCXW1"><span class="TextRun SCXW1">Rye</span><span class="EOP SCXW1">&nbsp;</span></p></li></ul></div><!--EndFragment--></body></html>`,
    markdown: '**To buy**\n\n- Flour\n  - Rye',
  },
  {
    name: 'Excel: cells with styles of classes',
    html: `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=Excel.Sheet>
<style>
<!--table {mso-displayed-decimal-separator:"\\,";}
td {padding-top:1px; color:black; font-size:11.0pt; font-weight:400; font-style:normal; text-decoration:none; white-space:nowrap;}
.xl65 {font-weight:700; mso-number-format:"\\@";}
.xl66 {font-style:italic;}
-->
</style>
</head>
<body link="#0563C1">
<table border=0 cellpadding=0 cellspacing=0 width=192 style='border-collapse:collapse;width:144pt'>
<!--StartFragment-->
 <col width=64 span=3 style='width:48pt'>
 <tr height=20 style='height:15.0pt'>
  <td height=20 class=xl65 width=64 style='height:15.0pt;width:48pt'>Bread</td>
  <td class=xl65 width=64>Price</td>
 </tr>
 <tr height=20>
  <td height=20 class=xl66>Rye</td>
  <td align=right>4,50 €</td>
 </tr>
 <tr height=20><td height=20>Wheat</td><td></td></tr>
<!--EndFragment-->
</table>
</body>
</html>`,
    text: 'Bread\tPrice\r\nRye\t4,50 €\r\nWheat\t\r\n',
    markdown: '| **Bread** | **Price** |\n| --- | ---: |\n| _Rye_ | 4,50 € |\n| Wheat |  |',
    blocks: ['paragraph: **Bread** | **Price**', 'paragraph: _Rye_ | 4,50 €', 'paragraph: Wheat | '],
  },
  {
    name: 'Excel: one cell is its text',
    html: `<html><head><style><!--.xl65 {font-weight:700;}--></style></head><body><table border=0><!--StartFragment--><col width=64><tr height=20><td height=20 class=xl65 width=64>Rye</td></tr><!--EndFragment--></table></body></html>`,
    text: 'Rye\r\n',
    markdown: '**Rye**',
  },
  {
    name: 'Outlook: a mail with a picture of the mail',
    html: word(`<p class=MsoNormal>Dear Ann,<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoNormal>the <span style='color:#C00000'>red</span> one.<img width=300 height=200 src="cid:image001.png@01DB1234.5678ABCD" alt="Signature"><o:p></o:p></p>
<div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal><b>From:</b> Bob &lt;bob@example.org&gt;<br><b>Sent:</b> Monday<o:p></o:p></p></div>`),
    markdown: 'Dear Ann,\n\nthe red one.\n\n**From:** Bob \\<bob@example.org\\>\\\n**Sent:** Monday',
    losses: 'Images that are only on your computer were left out: image001.png@01DB1234.5678ABCD. Add them from there.',
  },
  {
    name: 'PowerPoint: paragraphs with bullets drawn as text',
    html: `<html><head><meta name=ProgId content=PowerPoint.Slide></head><body><!--StartFragment--><div v:shape="_x0000_s1026" class=O><p style='margin-top:0pt'><span style='font-size:24pt;font-weight:bold'>Rye</span><span style='font-size:24pt'> rises</span></p></div><!--EndFragment--></body></html>`,
    markdown: '**Rye** rises',
  },
  {
    name: 'LibreOffice Writer: old marks, lists and tabs',
    html: `<!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/><title></title><meta name="generator" content="LibreOffice 24.2 (Linux)"/><style type="text/css">@page { size: 21cm 29.7cm; margin: 2cm } p { line-height: 115% } h1 { background: transparent } a:link { color: #000080 }</style></head><body lang="en-GB" link="#000080" dir="ltr"><h1 class="western">Bread</h1>
<p style="line-height: 100%; margin-bottom: 0cm"><font face="Liberation Serif, serif"><font size="3" style="font-size: 12pt">Flour <b>and</b> <i>water</i></font></font></p>
<ol><li><p style="margin-bottom: 0cm">Mix</p></li><li><p style="margin-bottom: 0cm">Bake</p><ul><li><p>hot</p></li></ul></li></ol></body></html>`,
    markdown: '# Bread\n\nFlour **and** _water_\n\n1. Mix\n2. Bake\n   - hot',
  },
  {
    name: 'LibreOffice Calc: a sheet',
    html: `<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 24.2 (Linux)"/><style type="text/css">body,div,table,thead,tbody,tfoot,tr,th,td,p { font-family:"Liberation Sans"; font-size:x-small } a.comment-indicator:hover + comment { background:#ffd; } comment { display:none; }</style></head><body><table cellspacing="0" border="0"><colgroup span="2" width="85"></colgroup><tr><td height="17" align="left"><b>Bread</b></td><td align="left"><b>Price</b></td></tr><tr><td height="17" align="left">Rye</td><td align="right" sdval="4.5" sdnum="1031;0;0,00">4,50</td></tr></table></body></html>`,
    text: 'Bread\tPrice\nRye\t4,50\n',
    markdown: '| **Bread** | **Price** |\n| :--- | :--- |\n| Rye | 4,50 |',
    blocks: ['paragraph: **Bread** | **Price**', 'paragraph: Rye | 4,50'],
  },
];
