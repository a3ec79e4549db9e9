/** A range of a text, from its first character to the position after its last one. */
interface Range {
  readonly start: number;
  readonly end: number;
}

interface Entry {
  readonly key: string;
  /** Start of the key, including its quotation mark. */
  readonly start: number;
  readonly value: ObjectNode | Range;
}

/** An object in a JSON text, with the positions of its entries. */
interface ObjectNode extends Range {
  readonly entries: readonly Entry[];
}

type Path = readonly string[];

/**
 * Replaces, adds or removes an entry of an object in a JSON text. Everything else keeps its format byte for byte; a new entry gets the
 * format of its neighbours. If several entries have the same key, the last one is used, as in `JSON.parse`, and all of them are removed.
 * @param path keys from the root to the entry; its parent must exist
 * @param value the new value; undefined removes the entry
 * @param after key of the sibling after which a new entry is written; undefined, or unknown: before all others
 * @returns undefined if the text has no such object
 */
export function spliceJson(text: string, path: Path, value: unknown, after?: string): string | undefined {
  const key = path.at(-1);
  const parent = objectAt(text, path.slice(0, -1));
  if (key === undefined || parent === undefined) return undefined;
  const index = parent.entries.findLastIndex((entry) => entry.key === key);
  const present = parent.entries[index];
  if (value === undefined)
    return present === undefined ? text : spliceJson(without(text, parent, index), path, undefined);
  if (present !== undefined) {
    const written = jsonText(value, gapBefore(text, present.start));
    return text.slice(0, present.value.start) + written + text.slice(present.value.end);
  }
  return withEntry(text, parent, { key, value, after });
}

function withEntry(
  text: string,
  parent: ObjectNode,
  {
    key,
    value,
    after,
  }: { readonly key: string; readonly value: unknown; readonly after: string | undefined },
): string {
  const { entries } = parent;
  const [first] = entries;
  if (first === undefined) {
    const outer = lineStart(text, parent.start);
    const inner = outer === ' ' ? ' ' : `${outer}  `;
    const written = `{${inner}${JSON.stringify(key)}: ${jsonText(value, inner)}${outer}}`;
    return text.slice(0, parent.start) + written + text.slice(parent.end);
  }
  const before = entries.findLast((entry) => entry.key === after);
  const gap = gapBefore(text, first.start);
  const written = `${JSON.stringify(key)}: ${jsonText(value, gap)}`;
  if (before === undefined) return `${text.slice(0, first.start)}${written},${gap}${text.slice(first.start)}`;
  const { end } = before.value;
  return `${text.slice(0, end)},${gap}${written}${text.slice(end)}`;
}

function without(text: string, { entries, start, end }: ObjectNode, index: number): string {
  const entry = entries[index];
  const former = entries[index - 1];
  const next = entries[index + 1];
  if (entry === undefined) return text;
  if (former !== undefined) return text.slice(0, former.value.end) + text.slice(entry.value.end);
  if (next !== undefined) return text.slice(0, entry.start) + text.slice(next.start);
  return `${text.slice(0, start)}{}${text.slice(end)}`;
}

/** Returns the white space between entries: a line break with indentation, or a space if the entry at `position` is not on a line of its own. */
function gapBefore(text: string, position: number): string {
  return /\r?\n[ \t]*$/.exec(text.slice(0, position))?.[0] ?? ' ';
}

/** Returns the line break and the indentation of the line with a position; a space for a text of one line. */
function lineStart(text: string, position: number): string {
  const [indent] = /\r?\n[ \t]*(?=[^\n]*$)/.exec(text.slice(0, position)) ?? [];
  if (indent !== undefined) return indent;
  return text.includes('\r\n') ? '\r\n' : text.includes('\n') ? '\n' : ' ';
}

function jsonText(value: unknown, lineBreak: string): string {
  if (!lineBreak.includes('\n')) return JSON.stringify(value);
  return JSON.stringify(value, null, 2).replaceAll('\n', lineBreak);
}

function objectAt(text: string, path: Path): ObjectNode | undefined {
  let node: ObjectNode | Range = new Scanner(text).value();
  for (const key of path) {
    if (!('entries' in node)) return undefined;
    const entry: Entry | undefined = node.entries.findLast((each) => each.key === key);
    if (entry === undefined) return undefined;
    node = entry.value;
  }
  return 'entries' in node ? node : undefined;
}

/** Finds the positions of objects and their entries in a text that `JSON.parse` accepts. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    // Skip a byte order mark.
    if (text.startsWith('\uFEFF')) this.#at = 1;
  }

  value(): ObjectNode | Range {
    this.#space();
    const start = this.#at;
    if (this.#text[start] === '{') return this.#object(start);
    if (this.#text[start] === '[') {
      this.#at += 1;
      this.#items(']', () => this.value());
    } else if (this.#text[start] === '"') this.#string();
    else this.#skip(/[^,\]}\s]*/y);
    return { start, end: this.#at };
  }

  #object(start: number): ObjectNode {
    const entries: Entry[] = [];
    this.#at += 1;
    this.#items('}', () => {
      const begin = this.#at;
      const key = this.#string();
      this.#skip(/\s*:/y);
      entries.push({ key, start: begin, value: this.value() });
    });
    return { start, end: this.#at, entries };
  }

  #items(close: string, item: () => void): void {
    for (;;) {
      this.#skip(/[\s,]*/y);
      if (this.#text[this.#at] === close || this.#at >= this.#text.length) break;
      item();
    }
    this.#at += 1;
  }

  #string(): string {
    const start = this.#at;
    this.#skip(/"(?:[^"\\]|\\.)*"/y);
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #space(): void {
    this.#skip(/\s*/y);
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }
}
