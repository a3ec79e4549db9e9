import { describe, expect, it } from 'vitest';
import { isOpSdkError } from '../../../src/errors/index.ts';
import { flagsHelp, parseFlags } from '../../../src/runtime/main/index.ts';

const defaults = {
  health: ':8081',
  metrics: '0',
  kubeconfig: undefined,
  namespaces: undefined,
  logLevel: 'info',
};

function refused(args: readonly string[]): string[] {
  try {
    parseFlags(args);
  } catch (error) {
    if (isOpSdkError(error)) return error.findings.map((f) => `${f.code} ${JSON.stringify(f.where)}`);
    throw error;
  }
  return [];
}

describe('flags of an operator', () => {
  it('have the defaults of a kubebuilder project', () => {
    expect(parseFlags([])).toEqual(defaults);
  });

  it('take --x=v and --x v; the last counts', () => {
    expect(
      parseFlags([
        '--metrics-bind-address',
        ':1',
        '--metrics-bind-address=:8080',
        '--log-level=debug',
        '--kubeconfig',
        '--odd=',
      ]),
    ).toEqual({ ...defaults, metrics: ':8080', logLevel: 'debug', kubeconfig: '--odd=' });
    expect(parseFlags(['--namespace=a,b-c'])?.namespaces).toEqual(['a', 'b-c']);
  });

  it('accept flags that are not built yet as long as they are off', () => {
    expect(
      parseFlags([
        '--leader-elect=false',
        '--no-leader-elect',
        '--metrics-secure=false',
        '--metrics-cert-path=',
      ]),
    ).toEqual(defaults);
  });

  it('give help instead of anything else', () => {
    expect(parseFlags(['--bad', '--help'])).toBeUndefined();
    expect(parseFlags(['-h'])).toBeUndefined();
    expect(flagsHelp()).toMatch(/--health-probe-bind-address=<address>.*Default: :8081\./);
    expect(flagsHelp()).toMatch(/--leader-elect .*Not supported in this version/);
  });

  it.each([
    [['--leader-elect'], 'runtime/flag-not-built {"flag":"--leader-elect"}'],
    [['--metrics-secure=true'], 'runtime/flag-not-built {"flag":"--metrics-secure"}'],
    [['--webhook-cert-path', '/x'], 'runtime/flag-not-built {"flag":"--webhook-cert-path"}'],
    [['--webhook-cert-path=false'], 'runtime/flag-not-built {"flag":"--webhook-cert-path"}'],
    [['--leader-elect=yes'], 'runtime/invalid-flag-value {"flag":"--leader-elect"}'],
    [['--no-leader-elect=true'], 'runtime/invalid-flag-value {"flag":"--no-leader-elect"}'],
    [['--no-log-level'], 'runtime/unknown-flag {"flag":"--no-log-level"}'],
    [['--toString=1'], 'runtime/unknown-flag {"flag":"--toString=1"}'],
    [['serve'], 'runtime/unknown-flag {"flag":"serve"}'],
    [['-v'], 'runtime/unknown-flag {"flag":"-v"}'],
    [['-verbose=3'], 'runtime/unknown-flag {"flag":"-verbose=3"}'],
    [['-xh'], 'runtime/unknown-flag {"flag":"-xh"}'],
    [['-leader-elect'], 'runtime/unknown-flag {"flag":"-leader-elect"}'],
    [['-'], 'runtime/unknown-flag {"flag":"-"}'],
    [['--'], 'runtime/unknown-flag {"flag":"--"}'],
    [['--help=false'], 'runtime/unknown-flag {"flag":"--help=false"}'],
    [['--no-help'], 'runtime/unknown-flag {"flag":"--no-help"}'],
    [['--log-level', '-1'], 'runtime/invalid-flag-value {"flag":"--log-level"}'],
    [['--log-level', '-h'], 'runtime/invalid-flag-value {"flag":"--log-level"}'],
    [['--log-level', '--'], 'runtime/invalid-flag-value {"flag":"--log-level"}'],
    [['--log-level', '--help'], 'runtime/invalid-flag-value {"flag":"--log-level"}'],
    [['--constructor'], 'runtime/unknown-flag {"flag":"--constructor"}'],
    [['--kubeconfig'], 'runtime/invalid-flag-value {"flag":"--kubeconfig"}'],
    [['--log-level=loud'], 'runtime/invalid-flag-value {"flag":"--log-level"}'],
    [['--namespace=a,,b'], 'runtime/invalid-flag-value {"flag":"--namespace"}'],
    [['--metrics-bind-address=8080'], 'runtime/invalid-flag-value {"flag":"--metrics-bind-address"}'],
    [
      ['--health-probe-bind-address=:99999'],
      'runtime/invalid-flag-value {"flag":"--health-probe-bind-address"}',
    ],
  ])('refuse %j', (args, finding) => {
    expect(refused(args)).toEqual([finding]);
  });

  it('with one dash, and a bare --, are one finding each and hide nothing behind them', () => {
    expect(refused(['-health-probe-bind-address=:9', '--log-level=debug'])).toEqual([
      'runtime/unknown-flag {"flag":"-health-probe-bind-address=:9"}',
    ]);
    expect(refused(['-leader-elect', '--', '--log-level', 'debug', '--kubeconfig=/x'])).toEqual([
      'runtime/unknown-flag {"flag":"-leader-elect"}',
      'runtime/unknown-flag {"flag":"--"}',
    ]);
    expect(refused(['--', 'serve', '--log-level', '-1'])).toEqual([
      'runtime/unknown-flag {"flag":"--"}',
      'runtime/unknown-flag {"flag":"serve"}',
      'runtime/invalid-flag-value {"flag":"--log-level"}',
    ]);
  });

  it.each([
    ['-leader-elect', '--leader-elect'],
    ['-no-leader-elect', '--no-leader-elect'],
    ['-log-level=debug', '--log-level'],
    ['-log-levle', '--log-level'],
    ['-help', '--help'],
    ['-v', undefined],
  ])('%s is refused with the flag that was meant', (arg, meant) => {
    const guess = meant === undefined ? [] : [`did you mean ${meant}?`];
    expect(() => parseFlags([arg])).toThrow(
      expect.objectContaining({
        findings: [
          expect.objectContaining({
            message: `expected a flag, got "${arg}"`,
            fix: [...guess, '--help lists the flags'],
          }),
        ],
      }),
    );
  });

  it('take a value of their own that begins with a dash', () => {
    expect(parseFlags(['--kubeconfig', '-x', '--kubeconfig', '--'])?.kubeconfig).toBe('--');
    expect(parseFlags(['--kubeconfig', '-leader-elect'])?.kubeconfig).toBe('-leader-elect');
    expect(() => parseFlags(['--log-level', '-1'])).toThrow('--log-level cannot be "-1"');
  });

  it('are refused all at once, with a guess', () => {
    expect(refused(['--metrics-bind-adress=:1', '--leader-elect', '--log-level=x'])).toHaveLength(3);
    expect(() => parseFlags(['--metrics-bind-adress=:1'])).toThrow(
      expect.objectContaining({
        findings: [
          expect.objectContaining({
            fix: ['did you mean --metrics-bind-address?', '--help lists the flags'],
          }),
        ],
      }),
    );
  });
});
