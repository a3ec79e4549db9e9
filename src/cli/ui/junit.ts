import { escapeXml } from './xml.ts';

/** Result of a test, for JUnit's XML. */
export interface JunitTest {
  /** Group of the test, such as its file. */
  readonly suite: string;
  readonly name: string;
  /** Reasons why the test failed; none if it passed. */
  readonly failures: readonly string[];
}

/** Returns results in JUnit's XML format, which build servers read. Source: https://github.com/testmoapp/junitxml */
export function junitXml(name: string, tests: readonly JunitTest[]): string {
  const suites = [...new Set(tests.map(({ suite }) => suite))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(name)}" ${counts(tests)}>`,
    ...suites.flatMap((suite) => {
      const members = tests.filter((test) => test.suite === suite);
      const start = `  <testsuite name="${escapeXml(suite)}" ${counts(members)}>`;
      return [start, ...members.flatMap(testLines), '  </testsuite>'];
    }),
    '</testsuites>',
    '',
  ].join('\n');
}

function counts(tests: readonly JunitTest[]): string {
  const failed = tests.filter(({ failures }) => failures.length > 0).length;
  return `tests="${tests.length}" failures="${failed}" errors="0"`;
}

function testLines({ suite, name, failures }: JunitTest): readonly string[] {
  const attributes = `classname="${escapeXml(suite)}" name="${escapeXml(name)}"`;
  const [first] = failures;
  if (first === undefined) return [`    <testcase ${attributes}/>`];
  return [
    `    <testcase ${attributes}>`,
    `      <failure message="${escapeXml(first)}">${failures.map(escapeXml).join('\n')}</failure>`,
    '    </testcase>',
  ];
}
