import { styleText } from 'node:util';
import { formatFinding, type Finding, type FormatOptions, type Where } from '../../base/errors/index.ts';
import { printable } from '../../base/util/terminal-words.ts';

/** A place to write text to; a stream in production, an array in tests. */
export interface TextSink {
  write(text: string): void;
  /** True if ANSI colours may be written. */
  readonly colors: boolean;
  /** The width of a terminal; absent where it is unknown, as in a pipe. */
  readonly columns?: number | undefined;
}

/** Prints all messages of a command other than its result. Writes to stderr, so that stdout contains only data. */
export interface Reporter {
  /** A step of the work, as it happens. Silent under `--quiet`. */
  step(text: string): void;
  /** A line of information. Silent under `--quiet`. */
  info(text: string): void;
  /** Never silent. */
  warn(finding: Finding): void;
  /** A line about warnings. Never silent. */
  warned(text: string): void;
  /** Never silent. */
  error(finding: Finding): void;
  /** Colours a part of a line, if this output has colours. */
  paint(style: Style, text: string): string;
}

export type Style = 'severity' | 'warning' | 'code' | 'place' | 'fix' | 'good' | 'dim' | 'strong';

const styles: Record<Style, Parameters<typeof styleText>[0]> = {
  severity: ['bold', 'red'],
  warning: ['bold', 'yellow'],
  code: 'cyan',
  place: 'cyan',
  fix: 'green',
  good: 'green',
  dim: 'dim',
  strong: 'bold',
};

/** The codes of `styles` and those that end them. */
const ownColors = /(\u001b\[(?:[12]|22|3[1236]|39)m)/;

/** A reporter that writes lines to `sink`. */
export function createReporter(sink: TextSink, options: { readonly quiet?: boolean } = {}): Reporter {
  const paint = (style: Style, text: string): string =>
    sink.colors ? styleText(styles[style], text, { validateStream: false }) : text;
  const line = (text: string): void => sink.write(`${text}\n`);
  const found = (finding: Finding, format: FormatOptions): void =>
    line(`${formatFinding(printableFinding(finding), format)}\n  see: op-sdk explain ${finding.code}`);
  /** Keeps the colours of `paint`; all other control characters are untrusted and escaped. */
  const shown = (text: string): string =>
    sink.colors
      ? text
          .split(ownColors)
          .map((part, index) => (index % 2 === 1 ? part : printable(part)))
          .join('')
      : printable(text);
  const talk = options.quiet === true ? () => undefined : line;
  return {
    paint,
    step: (text) => talk(`${paint('dim', '›')} ${shown(text)}`),
    info: (text) => talk(shown(text)),
    warn: (finding) =>
      found(finding, {
        severity: 'warning',
        paint: (style, text) => paint(style === 'severity' ? 'warning' : style, text),
      }),
    warned: (text) => line(paint('warning', shown(text))),
    error: (finding) => found(finding, { paint }),
  };
}

/** Findings quote names and texts of files that may come from anywhere. */
function printableFinding({ code, message, where, fix }: Finding): Finding {
  return {
    code,
    message: clip(printable(message)),
    ...(where === undefined ? {} : { where: printableWhere(where) }),
    ...(fix === undefined ? {} : { fix: fix.map((text) => clip(printable(text))) }),
  };
}

/** Limit in characters of a text that is quoted in a message. */
const mostCharacters = 4000;

function clip(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}

/** Escapes a location as one line, since a file name may contain line breaks. */
function printableWhere(where: Where): Where {
  const parts = Object.entries(where).map(([key, value]: [string, unknown]) => [
    key,
    typeof value === 'string' ? clip(printable(value)).replaceAll('\n', '\\n') : value,
  ]);
  return Object.fromEntries(parts) as Where;
}

export { colorsAllowed } from '../../base/util/terminal-words.ts';

/** Limit of the warnings of one code that are shown to people; the document of `-o json` has all. */
const shownPerCode = 10;

/** Reports warnings, of each code only the first ones. */
export function reportWarnings(report: Reporter, warnings: readonly Finding[]): void {
  const counts = new Map<string, number>();
  for (const warning of warnings) {
    const count = (counts.get(warning.code) ?? 0) + 1;
    counts.set(warning.code, count);
    if (count <= shownPerCode) report.warn(warning);
  }
  for (const [code, count] of counts) {
    if (count > shownPerCode)
      report.warned(`… and ${count - shownPerCode} more of ${code}; \`-o json\` lists them all`);
  }
}
