import { isOpSdkError, type Finding } from '../../errors/index.ts';
import { parseYamlDocuments, type YamlDocument } from '../../util/yaml-read.ts';
import type { FindingCollector } from './collect-findings.ts';

/**
 * The most values that a file may hold, by lines and flow punctuation: a syntax tree takes about 1 kB for each. The
 * largest CRDs that are in use have about 20 000.
 */
const MOST_VALUES = 40_000;
/** The same for all files of a bundle together. */
export const MOST_VALUES_OF_BUNDLE = 200_000;

/** The parser and the API server give up at depths that no manifest needs; a parser may take the process with it. */
const MOST_LEVELS = 400;

/** What a bundle may still hold. */
export interface Budget {
  values: number;
}

/**
 * The YAML documents of a file.
 * @param budget is spent
 * @returns undefined after a report
 */
export function parseFile(
  text: string,
  file: string,
  budget: Budget,
  collector: FindingCollector,
): readonly YamlDocument[] | undefined {
  const size = countValues(text);
  if (size > Math.min(MOST_VALUES, budget.values)) {
    const scope =
      size > MOST_VALUES ? `a file may have ${MOST_VALUES}` : `a bundle may have ${MOST_VALUES_OF_BUNDLE}`;
    collector.error(
      'bundle/not-a-manifest',
      { file },
      `${file} has about ${size} values and is not read; ${scope}`,
      'take out what is no manifest',
    );
    return undefined;
  }
  if (nesting(text) > MOST_LEVELS) {
    collector.error(
      'bundle/not-a-manifest',
      { file },
      `${file} has values inside of values for more than ${MOST_LEVELS} levels and is not read`,
      'take out what is no manifest',
    );
    return undefined;
  }
  budget.values -= size;
  try {
    return parseYamlDocuments(text, file);
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    collector.addErrors(withoutOverflow(error.findings));
    return undefined;
  }
}

function countValues(text: string): number {
  let count = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Line feed, comma, [ and {.
    if (code === 10 || code === 44 || code === 91 || code === 123) count++;
  }
  return count;
}

/** About how deeply the values of a text are nested, at most: by brackets and by indentation. */
function nesting(text: string): number {
  let most = 0;
  let brackets = 0;
  const indents: number[] = [];
  for (const line of text.split('\n')) {
    const [lead = '', dashes = ''] = /^ *((?:[-?:] +)*)/.exec(line) ?? [];
    const indent = lead.length;
    if (indent < line.length) {
      while ((indents.at(-1) ?? -1) >= indent) indents.pop();
      indents.push(indent);
    }
    for (const character of line) {
      if (character === '[' || character === '{') brackets++;
      else if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1);
      most = Math.max(most, brackets);
    }
    most = Math.max(most, indents.length + dashes.length / 2);
  }
  return most;
}

/** A parser that runs out of stack says so for every level; what it means is said once. */
function withoutOverflow(findings: readonly Finding[]): readonly Finding[] {
  const overflow = findings.find(({ message }) => message.includes('call stack'));
  if (overflow === undefined) return findings;
  return [{ ...overflow, message: 'the values are nested too deeply', fix: ['flatten the document'] }];
}
