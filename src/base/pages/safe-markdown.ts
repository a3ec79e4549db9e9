import { Marked } from 'marked';
import { FilterXSS } from 'xss';
import { escapeHtml } from '../util/words.ts';
import { webAddress } from './web-address.ts';

/** Longer texts may keep the reader of Markdown busy, for a time that grows with the square of their length. */
const mostCharacters = 20_000;

const markdown = new Marked({ gfm: true, async: false });

/**
 * Markdown of strangers as HTML: elements of text without attributes, and links to the web. Pictures become links, since nothing is loaded
 * from elsewhere; tags of anything else are left out, and what is between them is text. All elements are closed, so that none of them
 * reaches beyond the text. Headings are below those of the page. Text that is too long or too deep is shown as it is.
 */
export function safeMarkdown(text: string): string {
  const html = text.length > mostCharacters ? undefined : htmlOf(text);
  return html === undefined ? `<pre>${escapeHtml(text)}</pre>` : sanitise(html);
}

function htmlOf(text: string): string | undefined {
  try {
    return markdown.parse(text) as string;
  } catch (error) {
    // Quotes within quotes are read recursively.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** HTML of strangers, as {@link safeMarkdown} has it. */
function sanitise(html: string): string {
  const open: string[] = [];
  const filter = new FilterXSS({
    onTag: (tag, source, { isClosing = false }) =>
      isClosing ? close(open, nameOf(tag)) : start(open, tag, source),
  });
  const body = filter.process(html);
  return body + close(open, open[0]);
}

/** Elements that are written as they are, without their attributes. */
const plain: ReadonlySet<string> = new Set(
  (
    'p b strong i em u s del ins sub sup small code kbd pre blockquote ul ol li dl dt dd ' +
    'table thead tbody tr th td details summary'
  ).split(' '),
);
const empty: ReadonlySet<string> = new Set(['br', 'hr']);
/** Headings of the text become those below the page's own: its `h2` names the section that the text is in. */
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
  // A link within a link ends the outer one.
  if (address === undefined || open.includes('a')) return '';
  open.push('a');
  return `<a href="${escapeHtml(address)}" rel="noreferrer">`;
}

/** Ends an element, and those in it that are still open; one that is not open is left alone. */
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

/** The text of an attribute, `''` without it. */
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
  // Entities that are left are escaped when the text is written, and so remain text.
  return found.replace(/&(?:quot|#39|lt|gt|amp);/g, (entity) => written[entity] ?? entity);
}

const written: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};
