import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { expandBooleanFlags } from '../../../src/cli/flags/common.ts';
import { flag } from '../../../src/cli/flags/flag.ts';

function parse(argv: readonly string[], initial?: boolean): unknown {
  const command = new Command('x').exitOverride();
  if (initial === true) flag.negated('make no resource').declare(command, 'resource');
  else if (initial === false) flag.boolean('make the resource').declare(command, 'resource');
  else flag.boolean('make the resource', { unset: true }).declare(command, 'resource');
  command.argument('[rest...]');
  const { argv: expanded, findings } = expandBooleanFlags(argv, command);
  if (findings.length > 0) return findings;
  command.parse(expanded, { from: 'user' });
  return command.opts()['resource'];
}

describe('a boolean flag takes every form that people type', () => {
  test.each([
    [['--resource'], true],
    [['--resource=true'], true],
    [['--resource=T'], true],
    [['--resource=1'], true],
    [['--resource=false'], false],
    [['--resource=0'], false],
    [['--no-resource'], false],
    [[], undefined],
  ])('%j is %s', (argv, value) => {
    expect(parse(argv)).toBe(value);
  });

  test('the initial value holds when it is not given, and only then', () => {
    expect(parse([], true)).toBe(true);
    expect(parse(['--no-resource'], true)).toBe(false);
    expect(parse([], false)).toBe(false);
  });

  test('an argument after it is not its value', () => {
    expect(parse(['--resource', 'false'])).toBe(true);
  });

  test('the last one wins', () => {
    expect(parse(['--resource', '--resource=false'])).toBe(false);
    expect(parse(['--no-resource', '--resource'])).toBe(true);
  });

  test('another value is a finding with the flag', () => {
    expect(parse(['--resource=maybe'])).toMatchObject([
      { code: 'cli/invalid-value', where: { flag: '--resource' } },
    ]);
  });

  test('what follows -- is left alone', () => {
    const command = new Command('x');
    flag.boolean('').declare(command, 'resource');
    expect(expandBooleanFlags(['--', '--resource=false'], command).argv).toEqual(['--', '--resource=false']);
  });
});

test('help shows the form that changes something', () => {
  const command = new Command('x');
  flag.boolean('write nothing').declare(command, 'dry-run');
  flag.negated('return without waiting').declare(command, 'wait');
  flag.negated('make no resource', { unset: true }).declare(command, 'resource');
  const help = command.helpInformation();
  expect(help).toMatch(/--dry-run +write nothing$/m);
  expect(help).toMatch(/--no-wait +return without waiting$/m);
  expect(help).toMatch(/--no-resource +make no resource$/m);
  expect(help).not.toMatch(/--wait|--no-dry-run|default/);
});
