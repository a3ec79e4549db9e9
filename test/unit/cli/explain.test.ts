import { describe, expect, test } from 'vitest';
import { explanations } from '../../../src/cli/explanations/explanations.ts';
import { warningCodes } from '../../../src/base/errors/index.ts';
import { runCli } from '../../helpers/run-cli.ts';

const codes = Object.keys(explanations).sort();

describe('a code', () => {
  test('is explained to people', async () => {
    const { code, stdout } = await runCli(['explain', 'cli/unknown-flag']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      'cli/unknown-flag: An unknown flag (exit code 2)\n\n' +
        'The command does not have this flag. `op-sdk <command> --help` lists its flags.\n',
    );
  });

  test('is explained to machines', async () => {
    const { stdout } = await runCli(['explain', 'schema/unit', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      result: {
        code: 'schema/unit',
        severity: 'warning',
        exitCode: null,
        title: explanations['schema/unit'].title,
        explain: explanations['schema/unit'].explain,
      },
    });
  });

  test.each([
    ['schema/plain-numbr', 'schema/plain-number'],
    ['plain-number', 'schema/plain-number'],
    ['SCHEMA/PLAIN-NUMBER', 'schema/plain-number'],
    ['bundel', 'bundle/'],
  ])('%s is unknown, and %s is proposed', async (asked, meant) => {
    const { code, stdout, stderr } = await runCli(['explain', asked]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`error[cli/invalid-value]: expected the code of an error, got "${asked}"`);
    expect(stderr).toContain(`fix: did you mean op-sdk explain ${meant}?`);
  });

  test('that resembles nothing gets no proposal', async () => {
    const { code, stderr } = await runCli(['explain', 'what-is-this-supposed-to-be']);
    expect(code).toBe(2);
    expect(stderr).not.toContain('did you mean');
    expect(stderr).toContain('op-sdk explain lists all codes');
  });
});

describe('a list of codes', () => {
  test.each(['cli/', 'cli'])('of %s', async (group) => {
    const { stdout } = await runCli(['explain', group]);
    const listed = stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split(' ')[0]]));
    expect(listed).toEqual(codes.filter((code) => code.startsWith('cli/')));
  });

  test('of all', async () => {
    const { stdout } = await runCli(['explain', '-o', 'json']);
    const { result } = JSON.parse(stdout) as { result: { codes: { code: string; severity: string }[] } };
    expect(result.codes.map(({ code }) => code)).toEqual(codes);
    expect(result.codes.filter(({ severity }) => severity === 'warning').map(({ code }) => code)).toEqual(
      [...warningCodes].sort(),
    );
  });
});

test('a finding says how to read more, and names no command that could fetch a package', async () => {
  const { stderr } = await runCli(['explain', 'x']);
  expect(stderr).toMatch(/^ {2}see: op-sdk explain cli\/invalid-value$/m);
});
