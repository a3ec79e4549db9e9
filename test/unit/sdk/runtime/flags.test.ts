import { describe, expect, it } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { flagsHelp } from '../../../../src/sdk/runtime/main/flags-help.ts';
import { flagSpecs, parseFlags } from '../../../../src/sdk/runtime/main/flags.ts';

const defaults = {
  health: ':8081',
  metrics: { address: '0', secure: true, node: true, certificate: undefined },
  webhooks: { enabled: true, port: 9443, certificate: undefined },
  http2: false,
  kubeconfig: undefined,
  leaderElect: false,
  namespaces: undefined,
  logLevel: 'info',
  logFormat: undefined,
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
    ).toEqual({
      ...defaults,
      metrics: { ...defaults.metrics, address: ':8080' },
      logLevel: 'debug',
      kubeconfig: '--odd=',
    });
    expect(parseFlags(['--namespace=a,b-c'])?.namespaces).toEqual(['a', 'b-c']);
  });

  it('let one of several replicas work if asked to', () => {
    expect(parseFlags(['--leader-elect'])).toEqual({ ...defaults, leaderElect: true });
    expect(parseFlags(['--leader-elect', '--leader-elect=false'])).toEqual(defaults);
    expect(parseFlags(['--leader-elect', '--no-leader-elect'])).toEqual(defaults);
  });

  it('take the namespaces from WATCH_NAMESPACE unless --namespace names them', () => {
    const namespaces = (env: Record<string, string>, ...args: string[]) => parseFlags(args, env)?.namespaces;
    expect(namespaces({ WATCH_NAMESPACE: 'a,b' })).toEqual(['a', 'b']);
    expect(namespaces({ WATCH_NAMESPACE: '' })).toBeUndefined();
    expect(namespaces({ WATCH_NAMESPACE: 'a' }, '--namespace=c')).toEqual(['c']);
    expect(() => parseFlags(['--log-level=x'], { WATCH_NAMESPACE: 'a, b' })).toThrow(
      expect.objectContaining({
        findings: [
          expect.objectContaining({ where: { flag: '--log-level' } }),
          expect.objectContaining({ where: { flag: 'WATCH_NAMESPACE' } }),
        ],
      }),
    );
  });

  it('say how webhooks are served, and ENABLE_WEBHOOKS whether they are', () => {
    const named = ['--webhook-cert-path=/certs', '--webhook-cert-name=a.pem', '--webhook-cert-key=b.pem'];
    expect(parseFlags([...named, '--webhook-port=9444'])?.webhooks).toEqual({
      enabled: true,
      port: 9444,
      certificate: { folder: '/certs', certificate: 'a.pem', key: 'b.pem' },
    });
    expect(parseFlags(['--webhook-cert-path=/certs'])?.webhooks.certificate).toEqual({
      folder: '/certs',
      certificate: 'tls.crt',
      key: 'tls.key',
    });
    expect(parseFlags(['--webhook-cert-path='], { ENABLE_WEBHOOKS: '' })).toEqual(defaults);
    expect(parseFlags([], { ENABLE_WEBHOOKS: 'true' })).toEqual(defaults);
    expect(parseFlags([], { ENABLE_WEBHOOKS: 'false' })?.webhooks.enabled).toBe(false);
    expect(() => parseFlags([], { ENABLE_WEBHOOKS: '0' })).toThrow(/ENABLE_WEBHOOKS cannot be "0"/);
  });

  it('say how metrics are served', () => {
    expect(parseFlags(['--metrics-bind-address=:8080', '--metrics-secure=false'])?.metrics).toEqual({
      address: ':8080',
      secure: false,
      node: true,
      certificate: undefined,
    });
    expect(
      parseFlags(['--metrics-cert-path=/certs', '--no-metrics-secure', '--metrics-secure'])?.metrics,
    ).toEqual({
      address: '0',
      secure: true,
      node: true,
      certificate: { folder: '/certs', certificate: 'tls.crt', key: 'tls.key' },
    });
    const named = ['--metrics-cert-path=/certs', '--metrics-cert-name=a.pem', '--metrics-cert-key=b.pem'];
    expect(parseFlags([...named, '--enable-http2'])).toMatchObject({
      metrics: { certificate: { folder: '/certs', certificate: 'a.pem', key: 'b.pem' } },
      http2: true,
    });
    expect(parseFlags(['--metrics-cert-path='])).toEqual(defaults);
  });

  it('give help instead of anything else', () => {
    expect(parseFlags(['--bad', '--help'])).toBeUndefined();
    expect(parseFlags(['-h'])).toBeUndefined();
    expect(flagsHelp(flagSpecs)).toMatch(/--health-probe-bind-address=<address>.*Default: :8081\./);
    expect(flagsHelp(flagSpecs)).toMatch(/--webhook-port=<port>.*Default: 9443\./);
  });

  it.each([
    [['--webhook-port=x'], 'runtime/invalid-flag-value {"flag":"--webhook-port"}'],
    [['--webhook-port=70000'], 'runtime/invalid-flag-value {"flag":"--webhook-port"}'],
    [['--metrics-secure=yes'], 'runtime/invalid-flag-value {"flag":"--metrics-secure"}'],
    [['--webhook-cert-path'], 'runtime/invalid-flag-value {"flag":"--webhook-cert-path"}'],
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
    [['--log-format=xml'], 'runtime/invalid-flag-value {"flag":"--log-format"}'],
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

  it.each([
    ['--zap-encoder=console', 'use --log-format=json or --log-format=text'],
    ['--zap-devel', 'use --log-format=text --log-level=debug'],
    ['--zap-log-level=debug', 'use --log-level'],
  ])('of a kubebuilder project for logs have other names here: %s', (flag, fix) => {
    expect(() => parseFlags([flag])).toThrow(
      expect.objectContaining({
        findings: [expect.objectContaining({ fix: [fix, '--help lists the flags'] })],
      }),
    );
    expect(parseFlags(['--log-format=text'])?.logFormat).toBe('text');
  });

  it('take a value of their own that begins with a dash', () => {
    expect(parseFlags(['--kubeconfig', '-x', '--kubeconfig', '--'])?.kubeconfig).toBe('--');
    expect(parseFlags(['--kubeconfig', '-leader-elect'])?.kubeconfig).toBe('-leader-elect');
    expect(() => parseFlags(['--log-level', '-1'])).toThrow('--log-level cannot be "-1"');
  });

  it('are refused all at once, with a guess', () => {
    expect(refused(['--metrics-bind-adress=:1', '--webhook-port=x', '--log-level=x'])).toHaveLength(3);
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
