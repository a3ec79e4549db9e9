// What becomes of Markdown and HTML that strangers wrote.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeMarkdown } from '../../../../src/base/pages/safe-markdown.ts';

test.each([
  ['# Title\n\ntext *with* `code`', '<h3>Title</h3>\n<p>text <em>with</em> <code>code</code></p>\n'],
  [
    '[a](https://a.example/?x=1&y=2)',
    '<p><a href="https://a.example/?x=1&amp;y=2" rel="noreferrer">a</a></p>\n',
  ],
  ['[a](mailto:me@a.example)', '<p><a href="mailto:me@a.example" rel="noreferrer">a</a></p>\n'],
  [
    '| a |\n|:-:|\n| b |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody><tr>\n<td>b</td>\n</tr>\n</tbody></table>\n',
  ],
  ['- [x] done', '<ul>\n<li> done</li>\n</ul>\n'],
  ['a<br/>b', '<p>a<br>b</p>\n'],
])('%j is shown', (text, html) => {
  expect(safeMarkdown(text)).toBe(html);
});

test.each([
  [
    '![logo](https://a.example/x.png)',
    '<p><a href="https://a.example/x.png" rel="noreferrer">logo</a></p>\n',
  ],
  ['<img src="https://a.example/x.png">', '<a href="https://a.example/x.png" rel="noreferrer">picture</a>'],
  ['![logo](x.png)', '<p>logo</p>\n'],
  ['![logo](data:image/png;base64,AAAA)', '<p>logo</p>\n'],
  // Of a link around a picture, the link remains.
  [
    '[![b](https://a.example/b.svg)](https://b.example)',
    '<p><a href="https://b.example/" rel="noreferrer">b</a></p>\n',
  ],
])('the picture %j becomes a link', (text, html) => {
  expect(safeMarkdown(text)).toBe(html);
});

test.each([
  ['<script>alert(1)</script>', 'alert(1)'],
  ['<p onclick="alert(1)" style="x" class="y" id="z">a</p>', '<p>a</p>'],
  ['[a](javascript:alert(1))', '<p>a</p>\n'],
  ['[a](JAVA\tSCRIPT:alert(1))', '<p>[a](JAVA\tSCRIPT:alert(1))</p>\n'],
  ['<a href="javascript&colon;alert(1)">a</a>', '<p>a</p>\n'],
  ['<a href="&#106;avascript:alert(1)">a</a>', '<p>a</p>\n'],
  ['<a href="data:text/html,x">a</a>', '<p>a</p>\n'],
  ['[a](//evil.example)', '<p>a</p>\n'],
  ['<svg><style><img src=x onerror=alert(1)></style></svg>', '<p>picture</p>'],
  ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', '<p><table>picture</table></p>'],
  ['<iframe src="https://evil.example"></iframe>', ''],
  ['<form action="https://evil.example"><button>go</button></form>', 'go'],
  ['<meta http-equiv=refresh content="0;url=https://evil.example">', ''],
  ['a<!-- <script>alert(1)</script> -->b', '<p>ab</p>\n'],
])('nothing of %j runs or loads', (text, html) => {
  expect(safeMarkdown(text).trim()).toBe(html.trim());
});

test.each([
  ['</li></details></section>after', 'after'],
  ['<ul><li>open', '<ul><li>open</li></ul>'],
  ['<b><i>a</b>c</i>', '<p><b><i>a</i></b>c</p>'],
])('the elements of %j end with the text', (text, html) => {
  expect(safeMarkdown(text).trim()).toBe(html);
});

test.each([
  ['too long', '*a_'.repeat(100_000)],
  ['too deep', '> '.repeat(9_000)],
])('a text that is %s is shown as it is', (_name, text) => {
  expect(safeMarkdown(text)).toBe(`<pre>${text.replaceAll('>', '&gt;')}</pre>`);
});

test('no text leaves the list of elements and attributes', () => {
  const bits = fc.constantFrom(
    ...['<', '>', '"', "'", '=', '/', ' ', '`', '&', ';', '\n', '!', '-', '[', ']', '(', ')', '\u0000'],
    ...[
      'script',
      'img',
      'svg',
      'a',
      'p',
      'li',
      'href',
      'src',
      'onerror',
      'javascript:',
      'https://a.example',
      'alert(1)',
    ],
  );
  const allowed =
    /^(?:[^<>]|<\/?(?:p|b|strong|i|em|u|s|del|ins|sub|sup|small|code|kbd|pre|blockquote|[uod]l|li|d[td]|table|thead|tbody|t[rhd]|details|summary|h[3-6]|br|hr|a)>|<a href="(?:https?:\/\/|mailto:)[^"<>]*" rel="noreferrer">)*$/;
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 40 }), (parts) => {
      expect(safeMarkdown(parts.join(''))).toMatch(allowed);
    }),
  );
});
