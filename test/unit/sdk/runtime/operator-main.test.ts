import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OpSdkError, type CommandContext, type OperatorContext } from '../../../../src/index.ts';
import { runMain, type OperatorProcess } from '../../../../src/sdk/runtime/main/index.ts';
import { processEnd, type StopRequest } from '../../../../src/sdk/runtime/manager/index.ts';

/** A process that a test can signal; nothing is written to the real one. */
class FakeProcess extends EventEmitter implements OperatorProcess {
  readonly argv: string[];
  exitCode: number | undefined;
  out = '';
  err = '';
  readonly exit = vi.fn();
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
      leaderElect: false,
      metrics: { address: ':9090', secure: true, node: true, certificate: undefined },
      webhooks: { enabled: true, port: 9443, certificate: undefined },
      http2: false,
      kubeconfig: undefined,
      namespaces: ['a'],
      logLevel: 'fatal',
      logFormat: undefined,
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
    const host = new FakeProcess('--webhook-port=x', '--metrics-bind-address=nowhere');
    await runMain(async () => expect.unreachable(), host);
    expect(host.exitCode).toBe(2);
    expect(host.err).toContain('error[runtime/invalid-flag-value]: --webhook-port cannot be "x"');
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

  describe('with commands', () => {
    const destination = { write: () => undefined };
    const withArgs = (...args: string[]): FakeProcess => {
      const host = new FakeProcess();
      host.argv.splice(2, Infinity, ...args);
      return host;
    };

    it('calls the one that the first argument names, with the arguments after it', async () => {
      const host = withArgs('backup', 'save', '--to=x', '--help');
      const seen: unknown[] = [];
      const commands = { backup: async ({ args }: CommandContext) => void seen.push(args) };
      await runMain(async () => expect.unreachable(), host, { commands, destination });
      expect(seen).toEqual([['save', '--to=x', '--help']]);
      expect(host.exitCode).toBe(0);
      expect(host.listeners_).toBe(0);
    });

    it('stops it on SIGTERM, and ends with its exit code, or with 1 after an error', async () => {
      const host = withArgs('backup');
      const backup = async ({ signal }: CommandContext): Promise<void> => {
        setImmediate(() => host.emit('SIGTERM', 'SIGTERM'));
        await aborted(signal);
        host.exitCode = 4;
      };
      await runMain(async () => expect.unreachable(), host, { commands: { backup }, destination });
      expect(host.exitCode).toBe(4);
      const failing = withArgs('backup');
      const lines: string[] = [];
      await runMain(async () => expect.unreachable(), failing, {
        commands: { backup: () => Promise.reject(new Error('boom')) },
        destination: { write: (line: string) => void lines.push(line) },
      });
      expect(failing.exitCode).toBe(1);
      expect(lines.join('')).toContain('boom');
    });

    it.each(['constructor', 'restore'])('refuses %s, which is none', async (name) => {
      const host = withArgs(name);
      await runMain(async () => expect.unreachable(), host, { commands: { backup: async () => undefined } });
      expect(host.err).toContain(`expected a flag, got "${name}"`);
      expect(host.exitCode).toBe(2);
    });

    it('shows them', async () => {
      const host = withArgs('--help');
      await runMain(async () => expect.unreachable(), host, { commands: { backup: async () => undefined } });
      expect(host.out).toMatch(/^Commands in place of the operator: backup\nFlags:/);
    });
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

describe('an error that nobody caught', () => {
  function setUp() {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) };
    return { host: new FakeProcess(), lines, destination };
  }

  it.each([
    ['uncaughtException', 'Uncaught exception', new Error('boom'), 'boom'],
    ['unhandledRejection', 'Unhandled rejection', new RangeError('boom'), 'boom'],
    ['unhandledRejection', 'Unhandled rejection', 'only text', "'only text'"],
    ['unhandledRejection', 'Unhandled rejection', undefined, 'undefined'],
  ])(
    '%s is one line of the log, an orderly stop and exit code 1 (%#)',
    async (event, what, thrown, message) => {
      const { host, lines, destination } = setUp();
      let reason: unknown;
      const main = async ({ signal }: OperatorContext): Promise<void> => {
        setImmediate(() => host.emit(event, thrown));
        await aborted(signal);
        reason = signal.reason;
      };
      await runMain(main, host, { destination });
      expect(host.exitCode).toBe(1);
      expect(host.exit).not.toHaveBeenCalled();
      expect(lines).toMatchObject([
        { level: 'fatal', msg: `${what}; stopping`, error: { message, stack: expect.any(String) } },
      ]);
      expect(reason).toMatchObject({ name: 'StopRequest', message: `stopped by an ${what.toLowerCase()}` });
    },
  );

  it('is logged, too, while the operator stops, and after its end', async () => {
    const { host, lines, destination } = setUp();
    const main = async ({ signal }: OperatorContext): Promise<void> => {
      setImmediate(() => host.emit('SIGTERM', 'SIGTERM'));
      await aborted(signal);
      host.emit('uncaughtException', new Error('one'));
      host.emit('unhandledRejection', new Error('two'));
    };
    await runMain(main, host, { destination });
    host.emit('uncaughtException', new Error('three'));
    expect(lines).toMatchObject([
      { level: 'fatal', msg: 'Uncaught exception while stopping', error: { message: 'one' } },
      { level: 'fatal', msg: 'Unhandled rejection while stopping', error: { message: 'two' } },
      { level: 'fatal', msg: 'Uncaught exception while stopping', error: { message: 'three' } },
    ]);
    expect(host.exitCode).toBe(1);
  });

  it('forces the stop after 30 s, and exits 5 s later, if something is left', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { host, destination } = setUp();
      let end: () => void = () => undefined;
      const main = async ({ signal }: OperatorContext): Promise<void> => {
        host.emit('uncaughtException', new Error('boom'));
        const { force } = signal.reason as StopRequest;
        vi.advanceTimersByTime(29_999);
        expect(force.aborted).toBe(false);
        vi.advanceTimersByTime(1);
        expect(force.aborted).toBe(true);
        await new Promise<void>((resolve) => (end = resolve));
      };
      const running = runMain(main, host, { destination });
      vi.advanceTimersByTime(4999);
      expect(host.exit).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(host.exit).toHaveBeenCalledWith(1);
      end();
      await running;
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the process after main', () => {
  const ending = async (main: (context: OperatorContext) => Promise<void>) => {
    const host = new FakeProcess('--log-level=warn');
    const lines: string[] = [];
    const open = ['Timeout', 'TCPSocketWrap', 'Timeout'];
    Object.assign(host, { getActiveResourcesInfo: () => open });
    await runMain(main, host, { destination: { write: (line: string) => void lines.push(line) } });
    return { host, lines };
  };

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('is ended 2 s later, and what is open is named once', async () => {
    const { host, lines } = await ending(async () => processEnd.current.running()());
    vi.advanceTimersByTime(1_999);
    expect(host.exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(host.exit).toHaveBeenCalledExactlyOnceWith(0);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      open: { Timeout: 2, TCPSocketWrap: 1 },
    });
  });

  it('is ended after a command too', async () => {
    const host = new FakeProcess();
    host.argv.splice(2, Infinity, 'backup');
    const destination = { write: () => undefined };
    await runMain(async () => expect.unreachable(), host, {
      commands: { backup: async () => undefined },
      destination,
    });
    vi.advanceTimersByTime(2_000);
    expect(host.exit).toHaveBeenCalledExactlyOnceWith(0);
  });

  it('keeps the exit code of a failure', async () => {
    const { host } = await ending(() => Promise.reject(new Error('boom')));
    vi.advanceTimersByTime(2_000);
    expect(host.exit).toHaveBeenCalledExactlyOnceWith(1);
  });

  it('goes on while a manager runs that nobody waited for, and without one that was never asked to stop', async () => {
    let managerEnds = (): void => undefined;
    const { host } = await ending(async () => void (managerEnds = processEnd.current.running()));
    vi.advanceTimersByTime(60_000);
    expect(host.exit).not.toHaveBeenCalled();
    managerEnds();
    vi.advanceTimersByTime(2_000);
    expect(host.exit).toHaveBeenCalledExactlyOnceWith(0);

    const other = await ending(() => Promise.resolve());
    vi.advanceTimersByTime(60_000);
    expect(other.host.exit).not.toHaveBeenCalled();
  });

  it('is killed if it waits for a thread that does not answer, as it could not exit', async () => {
    const { host } = await ending(async () => processEnd.current.running()());
    const kill = vi.fn();
    const abort = vi.fn();
    Object.assign(host, { pid: 42, kill, abort, getActiveResourcesInfo: () => ['FSReqPromise'] });
    vi.advanceTimersByTime(2_000);
    expect(host.exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(kill).toHaveBeenCalledExactlyOnceWith(42, 'SIGKILL');
    expect(abort).toHaveBeenCalledOnce();
  });
});
