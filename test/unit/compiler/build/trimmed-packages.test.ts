import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { activeSpan, metrics, trimmedPackages } from '../../../../src/compiler/build/trimmed-packages.ts';

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

// prom-client asks for the span that is active: what bundles give it must see what the API of OpenTelemetry sees.
test('no span without tracing', () => {
  expect(spans()).toEqual([undefined, undefined]);
});

test('the active span with tracing', () => {
  const span = { spanContext: () => ({ traceId: '1', spanId: '2' }) };
  const active = whole.trace.setSpan(whole.ROOT_CONTEXT, span);
  whole.context.setGlobalContextManager({ active: () => active, disable: () => undefined });
  expect(spans()).toEqual([span, span]);
});

test('prom-client uses nothing else of OpenTelemetry', () => {
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

test('op-sdk imports nothing of prom-client that bundles leave out', () => {
  const sdk = join(import.meta.dirname, '../../../../src/sdk');
  const imports = readdirSync(sdk, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(sdk, name), 'utf8'))
    .flatMap((text) => [...text.matchAll(/^import \{([^}]*)\} from 'prom-client'/gm)])
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
  const exported = [...metrics.matchAll(/^exports\.(\w+) =/gm)].map(([, name]) => name);
  expect([...new Set(imports)].sort()).toEqual(exported.sort());
});

describe('the metrics of op-sdk', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimmed-')));
    mkdirSync(join(folder, 'opsdk/dist'), { recursive: true });
    writeFileSync(join(folder, 'opsdk/dist/metrics.mjs'), `export { Counter } from 'prom-client';`);
    symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(folder, 'node_modules'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const bundle = async (main: string): Promise<readonly string[]> => {
    writeFileSync(join(folder, 'main.mjs'), main);
    const { metafile } = await build({
      absWorkingDir: folder,
      entryPoints: ['main.mjs'],
      outfile: 'out.cjs',
      bundle: true,
      platform: 'node',
      metafile: true,
      plugins: [...trimmedPackages([join(folder, 'opsdk')])],
    });
    return Object.keys(metafile.inputs);
  };
  const run = (): string => execFileSync(process.execPath, ['out.cjs'], { cwd: folder, encoding: 'utf8' });

  test('bring only the parts that they need', async () => {
    const inputs = await bundle(
      `import { Counter } from './opsdk/dist/metrics.mjs'; console.log(typeof Counter);`,
    );
    expect(inputs.filter((input) => /tdigest|pushgateway|cluster/.test(input))).toEqual([]);
    expect(run()).toBe('function\n');
  });

  test('share their classes with an operator that imports all of prom-client', async () => {
    await bundle(`import { Counter } from './opsdk/dist/metrics.mjs'; import * as all from 'prom-client';
console.log(all.Counter === Counter, typeof all.Summary);`);
    expect(run()).toBe('true function\n');
  });
});
