import type { ScorecardTest, TestResult } from '../../../olm/bundle/index.ts';

/** The time that operator-sdk writes for tests that do not set it. */
const noTime = '0001-01-01T00:00:00Z';

/**
 * The results in JUnit's form, as operator-sdk writes them. Source: operator-sdk `internal/cmd/operator-sdk/scorecard/xunit/xunit.go`.
 * It writes errors without escaping them, so that a `<` in one ends the document; they are escaped here.
 */
export function testListXml(tests: readonly ScorecardTest[]): string {
  const suites = tests.flatMap(suiteLines);
  return ['<testsuites name="scorecard">', ...suites, '</testsuites>'].join('\n');
}

function suiteLines({ spec, results }: ScorecardTest, index: number): readonly string[] {
  const name = spec.labels['test'] ?? `testsuite-${String(index + 1).padStart(3, '0')}`;
  const phase = spec.labels['cluster-phase'];
  const properties = {
    'spec.image': spec.image,
    'spec.entrypoint': spec.entrypoint.join(' '),
    'labels.test': name,
    ...(phase === undefined ? {} : { 'labels.cluster-phase': phase }),
  };
  const count = (wanted: string): number => results.filter(({ state }) => state === wanted).length;
  return [
    `  <testsuite name="${escaped(name)}" tests="${results.length}" skipped="0" failures="${count('fail')}" errors="${count('error')}">`,
    '    <properties>',
    ...Object.entries(properties).map(
      ([key, value]) => `      <property name="${key}" value="${escaped(value)}"></property>`,
    ),
    '    </properties>',
    ...results.flatMap(caseLines),
    '  </testsuite>',
  ];
}

function caseLines({ name, state, log, errors, createdAt = noTime }: TestResult): readonly string[] {
  const element = state === 'fail' ? 'failure' : state;
  // Lines of errors stay lines.
  const text = errors.map(escaped).join('\n');
  return [
    `    <testcase name="${escaped(name)}" time="${escaped(createdAt)}">`,
    `      <system-out>${escaped(log)}</system-out>`,
    ...(state === 'pass' ? [] : [`      <${element} type="${element}">${text}</${element}>`]),
    '    </testcase>',
  ];
}

const references: Readonly<Record<string, string>> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** Text as Go's encoding/xml writes it; what XML cannot hold becomes U+FFFD. */
function escaped(text: string): string {
  return text
    .replaceAll(/["'&<>\t\n\r]/g, (character) => references[character] ?? character)
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
