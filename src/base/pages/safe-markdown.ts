import { Marked } from 'marked';
import { FilterXSS } from 'xss';
import { escapeHtml } from '../util/words.ts';
import { webAddress } from './web-address.ts';

/** Maximum number of characters that are rendered as Markdown, because the time of the parser grows with the square of the length. */
const mostCharacters = 20_000;

const markdown = new Marked({ gfm: true, async: false });

/**
 * Converts untrusted Markdown to safe HTML: text elements without attributes, and links to the web. Pictures become links, because nothing
 * is loaded from other servers. Other tags are removed, and their content becomes text. Every element is closed, so that it does not affect
 * the page after the text. Headings get a lower level than those of the page. Text that is too long or nested too deeply is shown
 * unformatted.
 */
export function safeMarkdown(text: string): string {
  const html = text.length > mostCharacters ? undefined : htmlOf(text);
  return html === undefined ? `<pre>${escapeHtml(text)}</pre>` : sanitise(html);
}

function htmlOf(text: string): string | undefined {
  try {
    return markdown.parse(text) as string;
  } catch (error) {
    // The parser is recursive, so deeply nested quotes overflow the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Sanitises untrusted HTML as {@link safeMarkdown} describes. */
function sanitise(html: string): string {
  const open: string[] = [];
  const filter = new FilterXSS({
    onTag: (tag, source, { isClosing = false }) =>
      isClosing ? close(open, nameOf(tag)) : start(open, tag, source),
  });
  const body = filter.process(html);
  return body + close(open, open[0]);
}

/** Elements that are kept, but without their attributes. */
const plain: ReadonlySet<string> = new Set(
  (
    'p b strong i em u s del ins sub sup small code kbd pre blockquote ul ol li dl dt dd ' +
    'table thead tbody tr th td details summary'
  ).split(' '),
);
const empty: ReadonlySet<string> = new Set(['br', 'hr']);
/**
 * Replacements of heading elements. Headings of the text rank below those of the page, because the page uses `h2` for the section that
 * contains the text.
 */
const headings: Readonly<Record<string, string>> = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
};

const nameOf = (tag: string): string | undefined =>
  headings[tag] ?? (plain.has(tag) || tag === 'a' ? tag : undefined);

function start(open: string[], tag: string, source: string): string {
  if (tag === 'img') return picture(source, open.includes('a'));
  if (empty.has(tag)) return `<${tag}>`;
  const name = nameOf(tag);
  if (name === undefined) return '';
  if (name !== 'a') {
    open.push(name);
    return `<${name}>`;
  }
  const address = webAddress(attribute(source, 'href'));
  // A link within a link would end the outer link, so the inner link is dropped.
  if (address === undefined || open.includes('a')) return '';
  open.push('a');
  return `<a href="${escapeHtml(address)}" rel="noreferrer">`;
}

/** Closes an element and the open elements inside it; ignores an element that is not open. */
function close(open: string[], name: string | undefined): string {
  const at = name === undefined ? -1 : open.lastIndexOf(name);
  if (at === -1) return '';
  return open
    .splice(at)
    .reverse()
    .map((each) => `</${each}>`)
    .join('');
}

function picture(source: string, isInLink: boolean): string {
  const address = webAddress(attribute(source, 'src'));
  const text = escapeHtml(attribute(source, 'alt').trim() || 'picture');
  if (isInLink || address === undefined) return text;
  return `<a href="${escapeHtml(address)}" rel="noreferrer">${text}</a>`;
}

/** Returns the value of an attribute; `''` if the element lacks it. */
function attribute(source: string, name: 'href' | 'src' | 'alt'): string {
  let found = '';
  const filter = new FilterXSS({
    allowList: { a: [name], img: [name] },
    onTagAttr: (_tag, key, value) => {
      if (key === name) found = value;
      return '';
    },
  });
  filter.process(source);
  // Entities other than these five stay unchanged here. They are escaped when the text is written, so they remain text.
  return found.replace(/&(?:quot|#39|lt|gt|amp);/g, (entity) => written[entity] ?? entity);
}

const written: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};
