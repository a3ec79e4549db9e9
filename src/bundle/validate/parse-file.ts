import { isOpSdkError } from '../../errors/index.ts';
import { parseYamlDocuments, type YamlDocument } from '../../yaml/read-yaml.ts';
import type { FindingCollector } from './collect-findings.ts';

/**
 * The most values that a file may hold, by lines and flow punctuation: a syntax tree takes about 1 kB for each. The
 * largest CRDs that are in use have about 20 000, the largest bundles 50 000.
 */
const MOST_VALUES = 40_000;
/** The same for all files of a bundle together. */
export const MOST_VALUES_OF_BUNDLE = 100_000;

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
  budget.values -= size;
  try {
    return parseYamlDocuments(text, file);
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    collector.addErrors(error.findings);
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
