import { styleText } from 'node:util';
import {
  formatFinding,
  formatWhere,
  type Finding,
  type FormatOptions,
  type Where,
} from '../../base/errors/index.ts';
import { printable } from '../../base/util/terminal-words.ts';
import type { Annotation } from './github.ts';

/** Destination for text: a stream in production, an array in tests. */
export interface TextSink {
  write(text: string): void;
  /** True if ANSI colours may be written. */
  readonly colors: boolean;
  /** Width of the terminal in columns; absent if it is unknown, as in a pipe. */
  readonly columns?: number | undefined;
}

/** Prints all messages of a command, but not its result. Messages go to stderr, so that stdout contains only data. */
export interface Reporter {
  /** Prints a step of the work while it happens. Silent with `--quiet`. */
  step(text: string): void;
  /** Prints a line of information. Silent with `--quiet`. */
  info(text: string): void;
  /** Prints a finding as a warning. Never silent, not even with `--quiet`. */
  warn(finding: Finding): void;
  /** Prints a line of text that belongs to the warnings. Never silent, not even with `--quiet`. */
  warned(text: string): void;
  /** Prints a finding as an error. Never silent, not even with `--quiet`. */
  error(finding: Finding): void;
  /** Returns a part of a line in colour; unchanged if the output does not support colours. */
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

/** Matches the ANSI codes that start and end the styles of `styles`. */
const ownColors = /(\u001b\[(?:[12]|22|3[1236]|39)m)/;

interface ReporterOptions {
  readonly quiet?: boolean;
  /** Takes the findings in place of `sink`. For `-o github`. */
  readonly annotate?: ((annotation: Annotation) => void) | undefined;
}

/** Creates a reporter that writes lines to `sink`. */
export function createReporter(sink: TextSink, options: ReporterOptions = {}): Reporter {
  const { annotate } = options;
  const paint = (style: Style, text: string): string =>
    sink.colors ? styleText(styles[style], text, { validateStream: false }) : text;
  const line = (text: string): void => sink.write(`${text}\n`);
  const found = (finding: Finding, format: FormatOptions): void =>
    annotate !== undefined
      ? annotate(annotationOf(printableFinding(finding), format.severity ?? 'error'))
      : line(`${formatFinding(printableFinding(finding), format)}\n  see: op-sdk explain ${finding.code}`);
  /** Escapes all control characters except the colour codes of `paint`, because the text is untrusted. */
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

/** Returns a finding as GitHub shows it: its code as the title, its message and fixes as the text. */
function annotationOf({ code, message, where, fix = [] }: Finding, level: 'error' | 'warning'): Annotation {
  const place = where === undefined || 'file' in where ? [] : [`At ${formatWhere(where)}`];
  const text = [message, ...place, ...fix.map((each) => `Fix: ${each}`)].join('\n');
  return { level, title: code, text, where };
}

/** Escapes the texts of a finding, because they quote names and file contents from untrusted sources. */
function printableFinding({ code, message, where, fix }: Finding): Finding {
  return {
    code,
    message: clip(printable(message)),
    ...(where === undefined ? {} : { where: printableWhere(where) }),
    ...(fix === undefined ? {} : { fix: fix.map((text) => clip(printable(text))) }),
  };
}

/** Maximum number of characters of a text that is quoted in a message. */
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

/** Maximum number of warnings with the same code that are printed for people. The document of `-o json` contains all warnings. */
const shownPerCode = 10;

/** Reports warnings. Of each code, only the first ones are reported. */
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
