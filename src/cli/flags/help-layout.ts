import type { HelpConfiguration } from 'commander';

/** Number of columns of help if the width of the output is unknown, as in a pipe. 80 is the traditional width of terminals. */
const usual = 80;
const narrowest = 20;
/** Maximum number of columns of help. Longer lines are hard to read, even on a wide terminal. */
const widest = 100;
/** Minimum width in columns of a description beside its term. If less space is left, the description is put below the term. */
const narrowestDescription = 30;

/** Returns the width of help in columns, for an output with the given number of columns. */
export function helpWidth(columns: number | undefined): number {
  return Math.min(Math.max(columns ?? usual, narrowest), widest);
}

/** Breaks a text into lines at blanks, never inside a word. */
export function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Layout of the help parts that commander writes itself: usage, arguments, flags and commands. */
export const helpLayout: HelpConfiguration = {
  showGlobalOptions: true,
  styleUsage(usage) {
    return wrapWords(usage, (this.helpWidth ?? usual) - 'Usage: '.length).join('\n       ');
  },
  styleCommandDescription(description) {
    return wrapWords(description, this.helpWidth ?? usual).join('\n');
  },
  formatItem(term, termWidth, description) {
    return item(term, termWidth, description, this.helpWidth ?? usual);
  },
};

/**
 * Lays out the text that follows the flags. Lines without indentation are paragraphs and are wrapped. Indented lines have the form `term
 * description`, or are commands. Commands are kept unchanged so that users can copy them.
 */
export function layOut(text: string, width: number): string {
  const lines: string[] = [];
  for (const block of blocksOf(text.trim())) {
    if (block.isParagraph) lines.push(...wrapWords(block.lines.join(' '), width));
    else lines.push(...itemsOf(block.lines, width));
  }
  return lines.join('\n');
}

interface Block {
  readonly isParagraph: boolean;
  readonly lines: string[];
}

/** Groups adjacent lines of the same kind into blocks. A blank line ends a block and forms a block of its own. */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  for (const line of text.split('\n')) {
    const last = blocks.at(-1);
    const isParagraph = line !== '' && !line.startsWith(' ');
    if (line === '') blocks.push({ isParagraph: false, lines: [''] });
    else if (last?.isParagraph === isParagraph && last.lines[0] !== '') last.lines.push(line);
    else blocks.push({ isParagraph, lines: [line] });
  }
  return blocks;
}

function itemsOf(lines: readonly string[], width: number): readonly string[] {
  const items = lines.map((line) => line.trim().split(/ {2,}/));
  const termWidth = Math.max(
    ...items.map(([term = '', description]) => (description === undefined ? 0 : term.length)),
  );
  return items.map(([term = '', description = '']) =>
    term === '' ? '' : item(term, termWidth, description, width),
  );
}

function item(term: string, termWidth: number, description: string, width: number): string {
  if (description === '') return `  ${term}`;
  const column = 2 + termWidth + 2;
  if (width - column < narrowestDescription)
    return [`  ${term}`, ...wrapWords(description, width - 6).map((line) => `      ${line}`)].join('\n');
  const [first = '', ...more] = wrapWords(description, width - column);
  const margin = ' '.repeat(column);
  return [`  ${term.padEnd(termWidth)}  ${first}`, ...more.map((line) => `${margin}${line}`)].join('\n');
}
