import { describe, expect, test } from 'vitest';
import { colorsAllowed, createReporter } from '../../../src/cli/ui/reporter.ts';

function lines(
  colors: boolean,
  quiet = false,
): { text: string[]; reporter: ReturnType<typeof createReporter> } {
  const text: string[] = [];
  return { text, reporter: createReporter({ write: (part) => void text.push(part), colors }, { quiet }) };
}

const finding = {
  code: 'io/not-found',
  message: 'config/x.yaml does not exist',
  where: { file: 'config/x.yaml' },
  fix: ['make it'],
} as const;

describe('reporter', () => {
  test('writes a finding with code, place, fix and a link', () => {
    const { text, reporter } = lines(false);
    reporter.error(finding);
    expect(text.join('')).toBe(
      'error[io/not-found]: config/x.yaml does not exist\n  at config/x.yaml\n  fix: make it\n  see: op-sdk explain io/not-found\n',
    );
  });

  test('paints only when colours are allowed', () => {
    const plain = lines(false);
    plain.reporter.warn(finding);
    expect(plain.text.join('')).not.toContain('\u001b');
    const painted = lines(true);
    painted.reporter.warn(finding);
    expect(painted.text.join('')).toContain('\u001b[');
  });

  test('--quiet keeps warnings and errors, drops the rest', () => {
    const { text, reporter } = lines(false, true);
    reporter.step('working');
    reporter.info('note');
    reporter.warn(finding);
    expect(text).toHaveLength(1);
    expect(text[0]).toContain('warning[io/not-found]');
  });
});

describe('colours', () => {
  const terminal = { isTTY: true };
  const pipe = {};
  test.each([
    [terminal, {}, true],
    [pipe, {}, false],
    [terminal, { NO_COLOR: '1' }, false],
    [terminal, { NO_COLOR: '' }, true],
    [pipe, { FORCE_COLOR: '1' }, true],
    [terminal, { FORCE_COLOR: '0' }, false],
    [terminal, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    [terminal, { TERM: 'dumb' }, false],
  ])('%j with %j: %s', (stream, env, allowed) => {
    expect(colorsAllowed(stream, env)).toBe(allowed);
  });
});
