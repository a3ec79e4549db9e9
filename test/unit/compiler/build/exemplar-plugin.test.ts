// prom-client asks for the span that is active: what bundles give it must see what the API of OpenTelemetry sees.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { afterEach, expect, test } from 'vitest';
import { activeSpan } from '../../../../src/compiler/build/bundler.ts';

interface Api {
  readonly context: { active(): unknown };
  readonly trace: { getSpan(context: unknown): unknown };
}

interface WholeApi extends Api {
  readonly context: Api['context'] & { setGlobalContextManager(manager: object): boolean; disable(): void };
  readonly trace: Api['trace'] & { setSpan(context: unknown, span: object): unknown };
  readonly ROOT_CONTEXT: unknown;
}

const fromPromClient = createRequire(createRequire(import.meta.url).resolve('prom-client'));
const whole = fromPromClient('@opentelemetry/api') as WholeApi;
const bundled: Partial<Api> = {};
(runInThisContext(`(exports) => {${activeSpan}}`) as (exports: Partial<Api>) => void)(bundled);

afterEach(() => whole.context.disable());

function spans(): readonly unknown[] {
  return [whole, bundled as Api].map(({ context, trace }) => trace.getSpan(context.active()));
}

test('no span without tracing', () => {
  expect(spans()).toEqual([undefined, undefined]);
});

test('the active span with tracing', () => {
  const span = { spanContext: () => ({ traceId: '1', spanId: '2' }) };
  const active = whole.trace.setSpan(whole.ROOT_CONTEXT, span);
  whole.context.setGlobalContextManager({ active: () => active, disable: () => undefined });
  expect(spans()).toEqual([span, span]);
});

test('prom-client uses nothing else of it', () => {
  const lib = join(createRequire(import.meta.url).resolve('prom-client'), '..', 'lib');
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  const users = files.filter((name) => readFileSync(join(lib, name), 'utf8').includes('@opentelemetry/api'));
  const text = users.map((name) => readFileSync(join(lib, name), 'utf8')).join('\n');
  expect(text).toContain('OtelApi.trace.getSpan(OtelApi.context.active())');
  expect(text.match(/OtelApi\.\w+\.\w+/g)?.sort()).toEqual([
    'OtelApi.context.active',
    'OtelApi.trace.getSpan',
  ]);
});
