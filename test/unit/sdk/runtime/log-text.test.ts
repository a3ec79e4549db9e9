import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLogger, OpSdkError } from '../../../../src/index.ts';
import { logText } from '../../../../src/sdk/runtime/create-logger.ts';

afterEach(() => vi.unstubAllEnvs());

/** A logger for people, and what it has written. */
function setUp() {
  const written: string[] = [];
  const log = createLogger({
    level: 'trace',
    format: 'text',
    destination: { write: (line: string) => void written.push(line) },
  });
  return { log, written };
}

/** Without the time of day. */
const timeless = (line = ''): string => line.replace(/^\d\d:\d\d:\d\d\.\d{3} /, '');

describe('logs for people', () => {
  test('are one line: time, level, controller, message, key=value', () => {
    const { log, written } = setUp();
    log
      .child({ controller: 'site' })
      .info({ namespace: 'default', name: 'a', took: '3 s', list: [1], none: null }, 'Applied');
    log.debug({ reconcileID: '01234567-89ab-cdef-0123-456789abcdef' }, 'Quiet');
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO  \[site\] Applied /);
    expect(timeless(written[0])).toBe(
      'INFO  [site] Applied namespace=default name=a took="3 s" list=[1] none=null\n',
    );
    expect(timeless(written[1])).toBe('DEBUG Quiet reconcileID=01234567\n');
  });

  test('have the stack of an error below, its causes too', () => {
    const { log, written } = setUp();
    log.error({ error: new Error('outer', { cause: new Error('inner') }), attempt: 2 }, 'Reconciler error');
    const lines = (written[0] ?? '').split('\n');
    expect(timeless(lines[0])).toBe('ERROR Reconciler error attempt=2');
    expect(lines[1]).toBe('  Error: outer');
    expect(lines[2]).toMatch(/^ {6}at .*log-text\.test\.ts/);
    expect(written[0]).toContain('caused by: Error: inner');
    expect(written[0]?.endsWith('\n')).toBe(true);
  });

  test('have the findings of an error instead of its message, and all errors of several', () => {
    const { log, written } = setUp();
    const finding = {
      code: 'runtime/invalid-address',
      message: 'invalid listen address "x"',
      where: { flag: '--metrics-bind-address' },
      fix: ['use :8443'],
    } as const;
    log.error({ error: new OpSdkError(finding) }, 'Problem');
    const [, ...below] = (written[0] ?? '').split('\n');
    expect(below.slice(0, 3)).toEqual([
      '  error[runtime/invalid-address]: invalid listen address "x"',
      '    at --metrics-bind-address',
      '    fix: use :8443',
    ]);
    expect(below[3]).toMatch(/^ {6}at /);
    log.error({ error: new AggregateError([new Error('one'), new TypeError('two')], 'both') }, 'Problem');
    expect(written[1]).toMatch(/AggregateError: both/);
    expect(written[1]).toMatch(/\n {4}Error: one\n/);
    expect(written[1]).toMatch(/\n {4}TypeError: two\n/);
    log.error({ error: 'just text' }, 'Problem');
    expect(timeless(written[2])).toBe('ERROR Problem\n  just text\n');
  });

  test('let nothing from the cluster move the cursor', () => {
    const { log, written } = setUp();
    log.warn({ name: '\u001b[2J', error: new Error('\u001b]0;x\u0007') }, 'a\u001b[1Ab\rc');
    expect(written.join('').replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f]/);
    expect(written[0]).toContain('a\\x1b[1Ab\\x0dc');
  });

  test('let no key move the cursor, or begin a line', () => {
    const { log, written } = setUp();
    const hostile = { '\u001b[2J': 1, '\u009b2J': 2, 'a\nERROR b': 3 };
    log.warn({ ...hostile, error: Object.assign(new Error('e'), hostile) }, 'm');
    expect(written[0]).not.toMatch(/[\u001b\u009b]/);
    expect(written[0]).not.toMatch(/^ERROR/m);
    expect(written[0]).toContain('"\\u001b[2J"=1 "\\x9b2J"=2 "a\\nERROR b"=3');
  });

  test('are coloured where that is allowed', () => {
    const line = '{"level":"error","ts":"2026-01-02T03:04:05.678Z","msg":"m","controller":"c"}\n';
    expect(logText(line, true)).toContain('\u001b[31mERROR\u001b[39m');
    expect(logText(line, false)).not.toContain('\u001b');
    vi.stubEnv('FORCE_COLOR', '1');
    vi.stubEnv('NO_COLOR', '');
    const coloured = setUp();
    coloured.log.info('m');
    expect(coloured.written[0]).toContain('\u001b[');
    vi.stubEnv('NO_COLOR', '1');
    const plain = setUp();
    plain.log.info('m');
    expect(plain.written[0]).not.toContain('\u001b');
  });

  test('leave text alone that is not a line of the log', () => {
    expect(logText('not JSON\n', true)).toBe('not JSON\n');
  });
});

test('a destination of its own gets JSON lines', () => {
  const written: string[] = [];
  createLogger({ destination: { write: (line: string) => void written.push(line) } }).info({ a: 1 }, 'm');
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ level: 'info', a: 1, msg: 'm' });
});
