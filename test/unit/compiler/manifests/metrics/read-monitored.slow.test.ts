import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../../../src/base/errors/index.ts';
import { readMonitored } from '../../../../../src/compiler/manifests/index.ts';
import { kindSource, projectFolder, repository, type ProjectFolder } from '../project-folder.ts';

const folders: ProjectFolder[] = [];
afterAll(() => folders.forEach((folder) => folder.remove()));

/** @param installed false for a project in which nobody has run `npm install` for prom-client */
function read(files: Record<string, string>, installed = true) {
  const folder = projectFolder(files);
  folders.push(folder);
  if (installed)
    for (const name of ['prom-client', '@opentelemetry'])
      symlinkSync(join(repository, 'node_modules', name), join(folder.dir, 'node_modules', name));
  return readMonitored(folder.dir);
}

const imports = `import { metricsRegistry } from 'opsdk';
import { Counter, Gauge, Histogram, Summary } from 'prom-client';
`;
const metrics = (code: string, installed = true) =>
  read({ 'src/metrics.ts': `${imports}${code}\n` }, installed);

describe('metrics of the project', () => {
  test.each([true, false])(
    'are read with name, type, help and labels; prom-client installed: %s',
    (installed) => {
      const { metrics: found, warnings } = metrics(
        `export const a = new Counter({ name: 'backups_total', help: 'Backups', labelNames: ['kind', 'result'] as const, registers: [metricsRegistry] });
export const b = new Gauge({ name: 'backup_bytes', help: 'Size', registers: [metricsRegistry] });
export const c = new Histogram({ name: 'backup_seconds', help: 'Duration', labelNames: ['kind'], buckets: [1, 2], registers: [metricsRegistry] });
export const d = new Summary({ name: 'backup_age_seconds', help: 'Age', registers: [metricsRegistry] });`,
        installed,
      );
      expect(warnings).toEqual([]);
      expect(found).toEqual([
        { name: 'backup_age_seconds', type: 'summary', help: 'Age', labels: [] },
        { name: 'backup_bytes', type: 'gauge', help: 'Size', labels: [] },
        { name: 'backup_seconds', type: 'histogram', help: 'Duration', labels: ['kind'] },
        { name: 'backups_total', type: 'counter', help: 'Backups', labels: ['kind', 'result'] },
      ]);
    },
  );

  test.each([
    [
      'a template string',
      "const p = 'x';\nnew Counter({ name: `${p}_total`, help: 'h', registers: [metricsRegistry] });",
    ],
    [
      'constants',
      "const name = 'x_total';\nconst registers = [metricsRegistry];\nnew Counter({ name, help: 'h', registers });",
    ],
    [
      'options in a constant',
      "const o = { name: 'x_total', help: 'h', registers: [metricsRegistry] } as const;\nnew Counter(o);",
    ],
    [
      'options that are spread',
      "const o = { registers: [metricsRegistry] } as const;\nnew Counter({ ...o, name: 'x_total', help: 'h' });",
    ],
    [
      'a second registry',
      "new Counter({ name: 'x_total', help: 'h', registers: [register, metricsRegistry] });\ndeclare const register: any;",
    ],
    [
      'another name of the registry',
      "const r = metricsRegistry;\nnew Counter({ name: 'x_total', help: 'h', registers: [r] });",
    ],
    [
      'registerMetric',
      "metricsRegistry.registerMetric(new Counter({ name: 'x_total', help: 'h', registers: [] }));",
    ],
    [
      'registerMetric of a constant',
      "const x = new Counter({ name: 'x_total', help: 'h' });\nmetricsRegistry.registerMetric(x);",
    ],
    [
      'a namespace',
      "import * as prom from 'prom-client';\nnew prom.Counter({ name: 'x_total', help: 'h', registers: [metricsRegistry] });",
    ],
    [
      'a default import',
      "import prom from 'prom-client';\nnew prom.Counter({ name: 'x_total', help: 'h', registers: [metricsRegistry] });",
    ],
    [
      'another name of the class',
      "import { Counter as Count } from 'prom-client';\nnew Count({ name: 'x_total', help: 'h', registers: [metricsRegistry] });",
    ],
    [
      'a constant that is the class',
      "const C = Counter;\nnew C({ name: 'x_total', help: 'h', registers: [metricsRegistry] });",
    ],
    [
      'a member of a namespace that is a constant',
      "import * as prom from 'prom-client';\nconst { Counter: C } = prom;\nconst registers = [metricsRegistry];\nnew C({ name: 'x_total', help: 'h', registers });",
    ],
    [
      'a module that is loaded later',
      "const { Counter: C } = await import('prom-client');\nconst registers = [metricsRegistry];\nnew C({ name: 'x_total', help: 'h', registers });",
    ],
    [
      'computed names of options',
      "new Counter({ ['name']: 'x_total', help: 'h', ['registers']: [metricsRegistry] });",
    ],
    [
      'a field of a class',
      "class A { #x = new Counter({ name: 'x_total', help: 'h', registers: [metricsRegistry] }); }",
    ],
    [
      'type arguments',
      "new Counter<'a'>({ name: 'x_total', help: 'h', registers: [metricsRegistry] } satisfies object);",
    ],
  ])('are read from %s', (_name, code) => {
    const { metrics: found, warnings } = metrics(code);
    expect(warnings).toEqual([]);
    expect(found).toMatchObject([{ name: 'x_total', type: 'counter', help: 'h' }]);
  });

  test('may be registered in another file, through a module of the project', () => {
    const { metrics: found, warnings } = read({
      'src/prom.ts':
        "export { Counter } from 'prom-client';\nexport { metricsRegistry as registry } from 'opsdk';\n",
      'src/x.ts':
        "import { Counter } from './prom.ts';\nexport const x = new Counter({ name: 'x_total', help: 'h', registers: [] });\n",
      'src/y.ts':
        "import { registry } from './prom.ts';\nimport { x } from './x.ts';\nregistry.registerMetric(x); // metricsRegistry\n",
    });
    expect(warnings).toEqual([]);
    expect(found).toMatchObject([{ name: 'x_total' }]);
  });

  test.each([
    [
      'a name of a parameter',
      "const make = (name: string) => new Counter({ name, help: 'h', registers: [metricsRegistry] });",
      'its name cannot be read',
      3,
      46,
    ],
    [
      'labels of a function',
      "new Counter({ name: 'x', help: 'h', labelNames: labels(), registers: [metricsRegistry] });\ndeclare function labels(): string[];",
      'its labels cannot be read',
      3,
      49,
    ],
    [
      'unknown registries',
      "new Counter({ name: 'x', help: 'h', registers: all() });\ndeclare function all(): any[];",
      'registries of this metric cannot be read',
      3,
      1,
    ],
    [
      'unknown options',
      'new Counter(options);\ndeclare const options: any;',
      'registries of this metric cannot be read',
      3,
      1,
    ],
    [
      'a derived class',
      "class Mine extends Counter {}\nnew Mine({ name: 'x', help: 'h' });",
      'extends Counter',
      4,
      1,
    ],
    [
      'an unknown metric',
      'metricsRegistry.registerMetric(x);\ndeclare const x: Counter;',
      'cannot be traced',
      3,
      32,
    ],
    [
      'a library',
      'watch({ register: metricsRegistry });\ndeclare function watch(options: object): void;',
      'watch is given metricsRegistry',
      3,
      19,
    ],
    [
      'an invalid name',
      "new Counter({ name: 'x-y', help: 'h', registers: [metricsRegistry] });",
      'got "x-y"',
      3,
      21,
    ],
    [
      'an invalid label',
      "new Counter({ name: 'x', help: 'h', labelNames: ['a', 'b-c'], registers: [metricsRegistry] });",
      'got "b-c"',
      3,
      49,
    ],
    [
      'a label of the buckets',
      "new Histogram({ name: 'x', help: 'h', labelNames: ['le'], registers: [metricsRegistry] });",
      'other than "le", got "le"',
      3,
      51,
    ],
    [
      'a label of the quantiles',
      "new Summary({ name: 'x', help: 'h', labelNames: ['quantile'], registers: [metricsRegistry] });",
      'other than "quantile", got "quantile"',
      3,
      49,
    ],
    [
      'a name of two metrics',
      "new Counter({ name: 'x', help: 'h', registers: [metricsRegistry] });\nnew Gauge({ name: 'x', help: 'h', registers: [metricsRegistry] });",
      'declared twice',
      4,
      1,
    ],
  ])('with %s are a warning with their place', (_name, code, message, line, column) => {
    const { warnings } = metrics(code);
    expect(warnings).toMatchObject([
      {
        code: 'manifests/unread-metric',
        where: { file: 'src/metrics.ts', line, column },
        fix: [expect.any(String)],
      },
    ]);
    expect(warnings[0]?.message).toContain(message);
  });

  test.each([
    [
      'a field',
      'class A { registry = metricsRegistry; a = new Counter({ ...o, registers: [this.registry] }); }',
    ],
    [
      'a parameter property',
      'class A { constructor(readonly r = metricsRegistry) {}\na = new Counter({ ...o, registers: [this.r] }); }',
    ],
    [
      'a member of an object',
      'const all = { main: metricsRegistry };\nnew Counter({ ...o, registers: [all.main] });',
    ],
    ['a variable', 'let r = metricsRegistry;\nnew Counter({ ...o, registers: [r] });'],
    [
      'the result of a function',
      'const registry = () => metricsRegistry;\nnew Counter({ ...o, registers: [registry()] });',
    ],
    ['a computed option', 'new Counter({ ...o, [String(o)]: [metricsRegistry] });'],
    ['a constant of itself', 'const r = [r];\nnew Counter({ ...o, registers: r });'],
    [
      'a constant of another one of itself',
      'const r = q;\nconst q = r;\nnew Counter({ ...o, registers: r });',
    ],
    ['an option of options of themselves', 'const a = { ...b };\nconst b = { ...a };\nnew Counter(a);'],
  ])('in a registry that is %s are a warning, as it may be served', (_name, code) => {
    const { metrics: found, warnings } = metrics(`const o = { name: 'x', help: 'h' };\n${code}`);
    expect(found).toEqual([]);
    expect(warnings).toMatchObject([
      {
        code: 'manifests/unread-metric',
        message: 'new Counter: the registries of this metric cannot be read, so it is left out',
      },
    ]);
  });

  test.each([
    ['a constant', "const Mine = class extends Counter {};\nnew Mine({ name: 'x', help: 'h' });"],
    ['an expression', "new (class extends Counter {})({ name: 'x', help: 'h' });"],
    ['itself', 'class Mine extends Mine {}\nnew Mine();\nnew (class extends Counter {})();'],
  ])('of a derived class that is %s are a warning', (_name, code) => {
    const { warnings } = metrics(code);
    expect(warnings).toMatchObject([{ code: 'manifests/unread-metric' }]);
    expect(warnings[0]?.message).toContain('extends Counter');
  });

  test.each([
    ['by default', "new Counter({ name: 'x', help: 'h' });"],
    [
      'by its name',
      "import { register } from 'prom-client';\nnew Counter({ name: 'x', help: 'h', registers: [register] });",
    ],
  ])('of prom-client’s own registry are a warning %s: nobody serves it', (_name, code) => {
    const { metrics: found, warnings } = metrics(code);
    expect(found).toEqual([]);
    expect(warnings).toMatchObject([{ code: 'manifests/unserved-metric' }]);
  });

  test('of a registry of its own, default metrics, and classes of the same name are left alone', () => {
    const { metrics: found, warnings } = read({
      'src/a.ts': `${imports}import { collectDefaultMetrics, Registry } from 'prom-client';
collectDefaultMetrics({ register: metricsRegistry });
new Counter({ name: 'x', help: 'h', registers: [new Registry()] });
console.log(await metricsRegistry.metrics());
`,
      'src/b.ts': "class Counter { constructor(_: object) {} }\nnew Counter({ name: 'y' }); // prom-client\n",
    });
    expect({ found, warnings }).toEqual({ found: [], warnings: [] });
  });
});

describe('controllers and webhooks of the project', () => {
  const kind = kindSource('Redis');
  const controller = (options: string) =>
    `import { defineController } from 'opsdk';\nimport { Redis } from './redis.ts';\nexport const c = defineController({ for: Redis, ${options} async reconcile() {} });\n`;

  test('are named as defineController names them', () => {
    const { controllers, admission, conversion, warnings } = read({
      'src/redis.ts': kind,
      'src/a.ts': controller(''),
      'src/b.ts': controller("name: 'redis-backup',"),
    });
    expect({ controllers, admission, conversion, warnings }).toEqual({
      controllers: ['redis', 'redis-backup'],
      admission: false,
      conversion: false,
      warnings: [],
    });
  });

  test('whose name is not a constant are a warning', () => {
    const { controllers, warnings } = read({
      'src/redis.ts': kind,
      'src/a.ts': controller('name: String(process.pid),'),
    });
    expect(controllers).toEqual([]);
    expect(warnings).toMatchObject([
      { code: 'manifests/unread-metric', where: { file: 'src/a.ts', line: 3 } },
    ]);
  });

  test('are distinguished', () => {
    const webhook = `import { defineWebhook } from 'opsdk';\nimport { Redis } from './redis.ts';\nexport const w = defineWebhook(Redis, { default() {} });\n`;
    expect(read({ 'src/redis.ts': kind, 'src/w.ts': webhook })).toMatchObject({
      admission: true,
      conversion: false,
    });
  });
});

test('sources that cannot be parsed are refused', () => {
  try {
    metrics('new Counter({');
    expect.fail('no error');
  } catch (error) {
    expect(isOpSdkError(error)).toBe(true);
  }
});
