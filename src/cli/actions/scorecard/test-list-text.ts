import type { ScorecardTest } from '../../../olm/bundle/index.ts';
import { compareCodeUnits } from '../../../base/util/json-map.ts';
import { printable } from '../../../base/util/printable.ts';

/** The results for people, laid out as operator-sdk does. Source: operator-framework/api `pkg/apis/scorecard/v1alpha3/formatter.go`. */
export function testListText(tests: readonly ScorecardTest[]): string {
  return tests.map((test) => printable(`${linesOf(test).join('\n')}\n\n`)).join('');
}

function linesOf({ spec: { image, entrypoint, labels }, results }: ScorecardTest): readonly string[] {
  const pairs = Object.entries(labels).sort(([one], [other]) => compareCodeUnits(one, other));
  return [
    '-'.repeat(80),
    `Image:      ${image}`,
    ...(entrypoint.length === 0 ? [] : [`Entrypoint: [${entrypoint.join(' ')}]`]),
    ...headed(
      'Labels:',
      pairs.map(([key, value]) => `\t${JSON.stringify(key)}:${JSON.stringify(value)}`),
    ),
    ...headed(
      'Results:',
      results.flatMap(({ name, state, suggestions, errors, log }) => [
        `\tName: ${name}`,
        `\tState: ${state}`,
        '',
        ...headed('\tSuggestions:', suggestions.map(indented)),
        ...headed('\tErrors:', errors.flatMap(linesIn).map(indented)),
        ...headed('\tLog:', linesIn(log).map(indented)),
        '',
      ]),
    ),
  ];
}

/** Nothing, where there is nothing below the heading. */
function headed(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

const indented = (line: string): string => `\t\t${line}`;

function linesIn(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
