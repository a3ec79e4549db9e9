import { describe, expect, test } from 'vitest';
import { formatFinding, messageOf, OpSdkError, type Finding } from '../../../../src/base/errors/index.ts';

const finding = (name: string, more: Partial<Finding> = {}): Finding => ({
  code: 'io/not-found',
  message: `${name} does not exist`,
  ...more,
});

describe('the message of an OpSdkError', () => {
  test('ends with the place and the fixes, as test runners and logs print it', () => {
    const error = new OpSdkError(
      finding('x', { where: { file: 'a.yaml', line: 3 }, fix: ['make it', 'or not'] }),
    );
    const expected = '[io/not-found] x does not exist\n  at a.yaml:3\n  fix: make it\n  fix: or not';
    expect(error.message).toBe(expected);
    expect(error.stack).toContain(expected);
    expect(error.summary).toBe('[io/not-found] x does not exist');
  });

  test('is one line where there is neither place nor fix', () => {
    expect(new OpSdkError(finding('x')).message).toBe('[io/not-found] x does not exist');
  });

  test('has further findings, each with its own fix', () => {
    const error = new OpSdkError([finding('x', { fix: ['make x'] }), finding('y', { fix: ['make y'] })]);
    expect(error.message).toBe(
      [
        '[io/not-found] x does not exist (and 1 more)',
        '  fix: make x',
        '',
        'error[io/not-found]: y does not exist',
        '  fix: make y',
      ].join('\n'),
    );
  });

  test('is bounded, however much is wrong', () => {
    const many = Array.from({ length: 1000 }, (_, index) =>
      finding(`file ${index}`, { fix: ['a'.repeat(900)] }),
    );
    const { message, findings } = new OpSdkError(many);
    expect(message.length).toBeLessThan(4200);
    expect(message).toMatch(/… and 995 more$/);
    expect(findings).toHaveLength(1000);
  });

  test('is quoted by other messages without places and fixes', () => {
    expect(messageOf(new OpSdkError(finding('x', { fix: ['make it'] })))).toBe(
      '[io/not-found] x does not exist',
    );
  });
});

test('a finding has its place on the second line, also if its message has several', () => {
  const text = formatFinding(
    finding('x', { message: 'x is wrong\nbecause of y', where: { file: 'a.ts', line: 3 }, fix: ['mend it'] }),
  );
  expect(text).toBe('error[io/not-found]: x is wrong\n  at a.ts:3\n  because of y\n  fix: mend it');
});
