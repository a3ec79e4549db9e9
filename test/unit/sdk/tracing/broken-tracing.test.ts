// Tracing that fails, stops, or is started twice never disturbs an operator.
import {
  context,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type ContextManager,
} from '@opentelemetry/api';
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { terminalError, type ControllerOptions } from '../../../../src/index.ts';
import { traceOperator } from '../../../../src/tracing.ts';
import { eventually } from '../../../../src/testing/index.ts';
import type { Site } from '../runtime/kinds.ts';
import { memoryLog } from '../runtime/memory-log.ts';
import { conflict, idle, setUp, untilAborted } from '../runtime/reconcile-setup.ts';
import { keepTraces, traceBy, unregister } from './tracing-setup.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs a reconcile, which must run once. */
async function runOnce(options: Partial<ControllerOptions<Site>>) {
  let runs = 0;
  const setup = setUp({
    ...options,
    reconcile: (...args) => {
      runs += 1;
      return options.reconcile?.(...args);
    },
  });
  setup.queue.add('default/a');
  await eventually(() => expect(runs).toBe(1));
  await eventually(() => expect(setup.runner.running).toEqual([]));
  // The span ends after the work.
  await idle();
  expect(runs).toBe(1);
  return setup;
}

const fail = (): never => {
  throw new Error('broken tracing');
};
/** Rejects with any value, as code without types may. */
const rejected = async (reason: unknown): Promise<never> => {
  throw reason as Error;
};
const processor = (broken: Partial<SpanProcessor>): SpanProcessor => ({
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
  ...broken,
});

const brokenManager = (parts: Partial<ContextManager>): ContextManager => ({
  active: () => ROOT_CONTEXT,
  with: (_, call, thisArg, ...args) => call.call(thisArg as never, ...args),
  bind: (_, target) => target,
  enable: () => brokenManager(parts),
  disable: () => brokenManager(parts),
  ...parts,
});

describe('a part that throws does not keep a reconcile from running once', () => {
  test.each([
    ['the start of a span', { onStart: fail }],
    ['the end of a span', { onEnd: fail }],
  ])('%s', async (_, broken) => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    await using tracing = traceBy({ spanProcessors: [processor(broken)] });
    const { lines } = await runOnce({});
    expect(lines).toEqual([]);
    void tracing;
  });

  test.each([
    ['before its work', { with: fail }],
    [
      'after its work',
      {
        with: (_: Context, call: (...args: never[]) => unknown) => {
          call();
          fail();
        },
      },
    ],
    ['when asked for the active context', { active: fail }],
  ])('a context manager, %s', async (_, broken) => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const provider = new NodeTracerProvider();
    trace.setGlobalTracerProvider(provider);
    context.setGlobalContextManager(brokenManager(broken as never));
    const stop = traceOperator();
    const { lines } = await runOnce({});
    stop();
    unregister();
    expect(lines).toEqual([]);
  });

  test.each([
    ['of single spans', (exporter: SpanExporter) => new SimpleSpanProcessor(exporter)],
    ['of batches', (exporter: SpanExporter) => new BatchSpanProcessor(exporter)],
  ])('an exporter %s', async (_, processorOf) => {
    const exporter = { export: fail, shutdown: () => Promise.resolve() };
    await using tracing = traceBy({ spanProcessors: [processorOf(exporter)] });
    const { lines } = await runOnce({});
    await tracing.forceFlush().catch(() => undefined);
    expect(lines).toEqual([]);
  });

  test('a sampler', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    await using tracing = traceBy({ sampler: { shouldSample: fail, toString: () => 'broken' } });
    await runOnce({});
    void tracing;
  });
});

test('a broken part is reported, once', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  // Modules keep what they have reported: a copy of their own has reported nothing.
  vi.resetModules();
  const fresh = await import('../../../../src/tracing.ts');
  const provider = new NodeTracerProvider({ spanProcessors: [processor({ onStart: fail })] });
  const stop = fresh.traceOperator({ tracerProvider: provider });
  await runOnce({});
  await runOnce({});
  stop();
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]).toEqual([
    expect.stringMatching(/^opsdk\/tracing: .*: broken tracing$/),
    { type: 'OpSdkWarning', code: 'runtime/tracing-failed' },
  ]);
});

test('a missing context manager is reported, once', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  vi.resetModules();
  const fresh = await import('../../../../src/tracing.ts');
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const stop = fresh.traceOperator({ tracerProvider: provider });
  await runOnce({});
  await runOnce({});
  stop();
  expect(exporter.getFinishedSpans()).toHaveLength(2);
  expect(warn.mock.calls.map(([, options]) => (options as { code: string }).code)).toEqual([
    'runtime/no-trace-context',
  ]);
});

test('without an SDK nothing happens, and log lines have no fields', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const stop = traceOperator();
  const { lines } = await runOnce({ reconcile: (_, { log }) => log.info('here') });
  stop();
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toHaveProperty('trace_id');
  expect(warn).not.toHaveBeenCalled();
});

describe('the span of a run ends exactly once', () => {
  const outcomes = [
    ['success', {}, 'success'],
    ['an error that is thrown at once', { reconcile: fail }, 'error'],
    ['a conflict', { reconcile: () => Promise.reject(conflict()) }, 'error'],
    ['a terminal error', { reconcile: () => Promise.reject(terminalError(new Error('no'))) }, 'error'],
    ['a value that is no error', { reconcile: () => rejected('text') }, 'error'],
    ['nothing at all', { reconcile: () => rejected(undefined) }, 'error'],
  ] as const;
  test.each(outcomes)('%s', async (_, options, result) => {
    await using traces = keepTraces();
    await runOnce(options);
    expect(traces.ended.map(({ attributes }) => attributes['opsdk.reconcile.result'])).toEqual([result]);
  });

  test('a run that takes too long, and one that is aborted by the end of the operator', async () => {
    await using traces = keepTraces();
    const { clock, queue, manager } = setUp({
      reconcileTimeout: '1m',
      reconcile: (_, ctx) => untilAborted(ctx),
    });
    queue.add('default/a');
    await idle();
    clock.advance(60_000);
    await eventually(() => expect(traces.ended).toHaveLength(1));
    expect(traces.ended[0]?.attributes).toMatchObject({ 'error.type': 'runtime/reconcile-timeout' });
    queue.add('default/b');
    await idle();
    manager.abort(new Error('the operator stops'));
    await eventually(() => expect(traces.ended).toHaveLength(2));
    expect(traces.ended[1]?.status.message).toBe('the operator stops');
  });

  test('a run whose context cannot be entered', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    let ended = 0;
    trace.setGlobalTracerProvider(
      new NodeTracerProvider({ spanProcessors: [processor({ onEnd: () => void (ended += 1) })] }),
    );
    context.setGlobalContextManager(brokenManager({ with: fail }));
    const stop = traceOperator();
    await runOnce({});
    stop();
    unregister();
    expect(ended).toBe(1);
  });

  test('a run that is left over when tracing stops', async () => {
    const warn = vi.spyOn(process, 'emitWarning');
    let finish = (): void => undefined;
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    provider.register();
    const stop = traceOperator();
    const { queue } = setUp({
      reconcile: () => new Promise((resolve) => (finish = () => resolve(undefined))),
    });
    queue.add('default/a');
    await idle();
    stop();
    queue.add('default/b');
    finish();
    await eventually(() => expect(exporter.getFinishedSpans()).toHaveLength(1));
    await idle();
    finish();
    await idle();
    expect(exporter.getFinishedSpans()).toHaveLength(1);
    unregister();
    expect(warn).not.toHaveBeenCalled();
  });
});

test('an error is recorded, even if its message is not a text', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  await using traces = keepTraces();
  await runOnce({ reconcile: () => rejected(Object.assign(new Error(), { message: { code: 5 } })) });
  expect(traces.ended).toMatchObject([
    {
      status: { code: SpanStatusCode.ERROR, message: '{ code: 5 }' },
      attributes: { 'error.type': 'Error' },
      events: [{ name: 'exception', attributes: { 'exception.message': '{ code: 5 }' } }],
    },
  ]);
  expect(warn).not.toHaveBeenCalled();
});

describe('traceOperator', () => {
  test('gives spans to the provider that is registered, also after another one', async () => {
    const stop = traceOperator();
    for (const round of ['first', 'second']) {
      const exporter = new InMemorySpanExporter();
      const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      provider.register();
      await runOnce({});
      expect(exporter.getFinishedSpans(), round).toHaveLength(1);
      unregister();
      await provider.shutdown();
    }
    stop();
  });

  test('is idempotent, also for another copy of the module', async () => {
    await using traces = keepTraces();
    vi.resetModules();
    const copy = await import('../../../../src/tracing.ts');
    expect(copy.traceOperator).not.toBe(traceOperator);
    expect(copy.traceOperator()).toBe(traceOperator());
    await runOnce({});
    expect(traces.ended).toHaveLength(1);
  });

  test('refuses other options, and can be started again', () => {
    const tracerProvider = new NodeTracerProvider();
    const stop = traceOperator();
    expect(() => traceOperator({ tracerProvider })).toThrow(
      /\[runtime\/already-traced\] traceOperator: expected/,
    );
    stop();
    stop();
    const again = traceOperator({ tracerProvider });
    // The first function does not stop the second start.
    stop();
    expect(traceOperator({ tracerProvider })).toBe(again);
    again();
  });

  test('two operators in one process have traces of their own', async () => {
    await using traces = keepTraces();
    const one = setUp({ name: 'one' });
    const two = setUp({ name: 'two' });
    one.queue.add('default/a');
    two.queue.add('default/a');
    await eventually(() => expect(traces.ended).toHaveLength(2));
    expect(new Set(traces.ended.map((span) => span.spanContext().traceId)).size).toBe(2);
    expect(traces.ended.map(({ name }) => name).sort()).toEqual(['reconcile one', 'reconcile two']);
  });

  test('a span around the operator is not the parent of its reconciles', async () => {
    await using traces = keepTraces();
    await trace.getTracer('t').startActiveSpan('main', async (main) => {
      const { queue } = setUp({});
      queue.add('default/a');
      await eventually(() => expect(traces.ended).toHaveLength(1));
      expect(traces.ended[0]?.parentSpanContext).toBeUndefined();
      expect(traces.ended[0]?.spanContext().traceId).not.toBe(main.spanContext().traceId);
      main.end();
    });
  });
});

test('fields of the caller win over those of tracing, and lines without fields are written, too', async () => {
  await using traces = keepTraces();
  const { log, lines } = memoryLog();
  trace.getTracer('t').startActiveSpan('t', (span) => {
    log.info({ trace_id: 'mine' }, 'given');
    log.child({ a: 1 }).warn('plain');
    log.error(new Error('failed'));
    span.end();
  });
  log.info('outside');
  const span = traces.ended[0]!.spanContext();
  expect(lines[0]).toMatchObject({ trace_id: 'mine', span_id: span.spanId });
  expect(lines[1]).toMatchObject({ trace_id: span.traceId, a: 1, msg: 'plain' });
  expect(lines[2]).toMatchObject({ trace_id: span.traceId, msg: 'failed', error: { type: 'Error' } });
  expect(lines[3]).not.toHaveProperty('trace_id');
});
