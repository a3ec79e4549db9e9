import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { OpSdkError, type OperatorContext } from '../../../src/index.ts';
import { runMain, type OperatorProcess } from '../../../src/runtime/main/index.ts';
import type { StopRequest } from '../../../src/runtime/manager/index.ts';

/** A process that a test can signal; nothing is written to the real one. */
class FakeProcess extends EventEmitter implements OperatorProcess {
  readonly argv: string[];
  exitCode: number | undefined;
  out = '';
  err = '';
  readonly stdout = { write: (text: string) => (this.out += text) };
  readonly stderr = { write: (text: string) => (this.err += text), isTTY: true };

  constructor(...args: string[]) {
    super();
    this.argv = ['node', 'main.mjs', '--log-level=fatal', ...args];
  }

  get listeners_(): number {
    return this.listenerCount('SIGTERM') + this.listenerCount('SIGINT');
  }
}

const aborted = async (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

describe('operatorMain', () => {
  it('hands over the flags and ends with 0', async () => {
    const host = new FakeProcess('--metrics-bind-address=:9090', '--namespace=a');
    let context: OperatorContext | undefined;
    await runMain(async (given) => void (context = given), host);
    expect(context?.flags).toEqual({
      health: ':8081',
      metrics: ':9090',
      kubeconfig: undefined,
      namespaces: ['a'],
      logLevel: 'fatal',
    });
    expect(host.exitCode).toBe(0);
    expect(host.listeners_).toBe(0);
  });

  it('leaves an exit code alone that main has set', async () => {
    const host = new FakeProcess();
    await runMain(async () => void (host.exitCode = 3), host);
    expect(host.exitCode).toBe(3);
  });

  it('does not begin with a command line it cannot do: all findings on stderr, exit code 2', async () => {
    const host = new FakeProcess('--leader-elect', '--metrics-bind-address=nowhere');
    await runMain(async () => expect.unreachable(), host);
    expect(host.exitCode).toBe(2);
    expect(host.err).toContain(
      'error[runtime/flag-not-built]: --leader-elect is not supported in this version',
    );
    expect(host.err).toContain(
      'error[runtime/invalid-flag-value]: --metrics-bind-address cannot be "nowhere"',
    );
    expect(host.out).toBe('');
  });

  it('shows its flags', async () => {
    const host = new FakeProcess('--help');
    await runMain(async () => expect.unreachable(), host);
    expect(host.out).toContain('--health-probe-bind-address=<address>');
    expect(host.exitCode).toBeUndefined();
  });

  it.each(['SIGTERM', 'SIGINT'])('ends in order on %s: exit code 0', async (name) => {
    const host = new FakeProcess();
    await runMain(async ({ signal }) => {
      setImmediate(() => host.emit(name, name));
      await aborted(signal);
      expect(signal.reason).toMatchObject({ message: `received ${name}` });
    }, host);
    expect(host.exitCode).toBe(0);
    expect(host.listeners_).toBe(0);
  });

  it('hurries on a second signal: exit code 1; a third is left to Node', async () => {
    const host = new FakeProcess();
    await runMain(async ({ signal }) => {
      setImmediate(() => host.emit('SIGTERM', 'SIGTERM'));
      await aborted(signal);
      const { force } = signal.reason as StopRequest;
      setImmediate(() => host.emit('SIGINT', 'SIGINT'));
      await aborted(force);
      expect(host.listeners_).toBe(0);
    }, host);
    expect(host.exitCode).toBe(1);
  });

  it('ends with 1 after an error, with the findings for whoever sits at the terminal', async () => {
    const host = new FakeProcess();
    await runMain(async () => {
      throw new OpSdkError({ code: 'runtime/cannot-listen', message: 'taken' });
    }, host);
    expect(host.exitCode).toBe(1);
    expect(host.err).toContain('error[runtime/cannot-listen]: taken');
    const plain = new FakeProcess();
    await runMain(async () => {
      throw new Error('boom');
    }, plain);
    expect(plain.exitCode).toBe(1);
    expect(plain.err).toBe('');
  });
});
