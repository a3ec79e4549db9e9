import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './source-files.ts';

/** A capability level of OLM. */
export interface CapabilityLevel {
  /** `I` to `V`. */
  readonly numeral: string;
  /** Value of the annotation `capabilities` of a ClusterServiceVersion, such as `Basic Install`. */
  readonly name: string;
}

/** Returns the levels that docs/capability-levels.md gives to the examples, by the names of their folders. */
export function levelsOfExamples(): ReadonlyMap<string, CapabilityLevel> {
  const page = readFileSync(join(repositoryRoot, 'docs/capability-levels.md'), 'utf8');
  const rows = page.matchAll(
    /^\| \[([a-z-]+)\]\(\.\.\/examples\/\1\) +\| (I|II|III|IV|V), ([A-Z][a-z]+ [A-Z][a-z]+)/gm,
  );
  return new Map([...rows].map(([, example = '', numeral = '', name = '']) => [example, { numeral, name }]));
}
