// Bundles with and without `opsdk/tracing`: who does not import it has nothing of it, who does has all in one file.
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildOperator, imageSbom } from '../../../../src/compiler/build/index.ts';
import { compilePackage } from '../../../helpers/compiled-package.ts';
import { startOtlpReceiver } from '../../../helpers/otlp-receiver.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';
import { projectFolder, type ProjectFolder } from '../manifests/project-folder.ts';

/** An operator with webhooks, so that all rooms of the runtime are in its bundle. */
const plain = `import { createManager, defineController, defineWebhook, operatorMain } from 'opsdk';
import { ConfigMap } from 'opsdk/k8s/core/v1';
await operatorMain(async ({ flags, signal }) => {
  const manager = await createManager({ name: 'plain', ...flags });
  manager.add(defineController({ for: ConfigMap, reconcile: () => undefined }));
  manager.add(defineWebhook(ConfigMap, { default: () => undefined }));
  await manager.run({ signal });
});
`;

/** The file that the guide has its reader write. */
const [, tracing = ''] =
  /^```ts src\/tracing\.ts\n([^]*?)^```$/m.exec(
    readFileSync(join(repositoryRoot, 'docs/tracing.md'), 'utf8'),
  ) ?? [];

/** A program that makes one request within a span, and ends when the spans are exported. */
const traced = `import { trace } from '@opentelemetry/api';
import { createClusterClient, createLogger, loadCluster } from 'opsdk';
import { ConfigMap } from 'opsdk/k8s/core/v1';
import { stopTracing } from './tracing.ts';
const client = createClusterClient({ cluster: await loadCluster(), fieldManager: 'traced' });
await trace.getTracer('mine').startActiveSpan('mine', async (span) => {
  await client.get(ConfigMap, { namespace: 'default', name: 'a' });
  createLogger().info('done');
  span.end();
});
await client.close();
await stopTracing();
`;

let folder: ProjectFolder;
const scope = (): string => join(folder.dir, 'node_modules/@opentelemetry');

beforeAll(() => {
  const dependencies = Object.fromEntries(
    ['api', 'exporter-trace-otlp-proto', 'resources', 'sdk-trace-node'].map((name) => [
      `@opentelemetry/${name}`,
      '*',
    ]),
  );
  folder = projectFolder({
    'src/plain.ts': plain,
    'src/traced.ts': traced,
    'src/tracing.ts': tracing,
    'package.json': JSON.stringify({ type: 'module', dependencies: { opsdk: '*', ...dependencies } }),
  });
  compilePackage(join(folder.dir, 'node_modules/opsdk'));
  // As npm installs them: one copy of the API, which the SDK shares with the operator.
  rmSync(scope(), { recursive: true });
  cpSync(join(repositoryRoot, 'node_modules/@opentelemetry'), scope(), { recursive: true });
}, 300_000);
afterAll(() => folder.remove());

describe('an operator without tracing', () => {
  test(
    'has the same bundle whether or not OpenTelemetry is installed, and nothing of it',
    { timeout: 300_000 },
    async () => {
      const request = { projectDir: folder.dir, entry: 'src/plain.ts' };
      const withPeer = await buildOperator(request);
      cpSync(scope(), `${scope()}-away`, { recursive: true });
      rmSync(scope(), { recursive: true });
      const without = await buildOperator(request).finally(() => {
        cpSync(`${scope()}-away`, scope(), { recursive: true });
        rmSync(`${scope()}-away`, { recursive: true });
      });
      expect(without.files).toEqual(withPeer.files);
      expect(withPeer.packages.map(({ name }) => name)).not.toContain('@opentelemetry/api');
      const sources = withPeer.files
        .filter(({ path }) => path.endsWith('.map'))
        .flatMap(({ content }) => (JSON.parse(content) as { sources: string[] }).sources);
      expect(sources.length).toBeGreaterThan(100);
      expect(sources.filter((source) => /opentelemetry|\/tracing/.test(source))).toEqual([]);
    },
  );
});

describe('an operator with tracing', () => {
  test(
    'is one bundle with the SDK, whose packages are named with their licenses',
    { timeout: 300_000 },
    async () => {
      const { files, packages, directPackages, size, warnings } = await buildOperator({
        projectDir: folder.dir,
        entry: 'src/traced.ts',
      });
      expect(warnings).toEqual([]);
      expect(size.parts['opsdk/tracing']).toBeLessThan(10_000);
      const names = packages.map(({ name }) => name).filter((name) => name.startsWith('@opentelemetry/'));
      expect(names).toEqual([...new Set(names)]);
      expect(names).toEqual(
        expect.arrayContaining([
          '@opentelemetry/api',
          '@opentelemetry/exporter-trace-otlp-proto',
          '@opentelemetry/sdk-trace-node',
        ]),
      );
      const notices = files.find(({ path }) => path.endsWith('THIRD-PARTY-NOTICES.txt'))?.content ?? '';
      for (const name of names) expect(notices).toContain(name);
      expect(packages.filter(({ name, texts }) => names.includes(name) && texts.length === 0)).toEqual([]);
      const sbom = imageSbom({
        image: { name: 'a', tag: 'b', digest: `sha256:${'a'.repeat(64)}` },
        base: { name: 'oci:base', digest: `sha256:${'b'.repeat(64)}`, isLocal: true, node: undefined },
        ...{ packages, directPackages, toolVersion: '1.0.0' },
      });
      for (const { name, version } of packages)
        expect(sbom.toString('utf8')).toContain(`pkg:npm/${name.replace('@', '%40')}@${version}`);
      for (const { path, content } of files) folder.write(path, content);
    },
  );

  test('exports its spans, and needs no package beside it', { timeout: 300_000 }, async () => {
    await using receiver = await startOtlpReceiver();
    const traceparents: unknown[] = [];
    const server = createServer((request, response) => {
      traceparents.push(request.headers['traceparent']);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const kubeconfig = join(folder.dir, 'kubeconfig');
    const { port } = server.address() as AddressInfo;
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'a',
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
        clusters: [{ name: 'a', cluster: { server: `http://127.0.0.1:${port}` } }],
        users: [{ name: 'a', user: {} }],
      }),
    );
    cpSync(join(folder.dir, 'dist'), join(folder.dir, 'alone/dist'), { recursive: true });
    const run = (collector: string) =>
      promisify(execFile)(process.execPath, [join(folder.dir, 'alone/dist/main.mjs')], {
        env: {
          PATH: process.env['PATH'],
          KUBECONFIG: kubeconfig,
          OTEL_EXPORTER_OTLP_ENDPOINT: collector,
          OTEL_SERVICE_NAME: 'memcached-operator',
        },
      });
    const { stdout } = await run(new URL(receiver.url).origin);
    const [traceparent, ...others] = traceparents;
    // Nobody listens there: the last spans are lost, but the operator has not failed.
    const alone = await run('http://127.0.0.1:9');
    expect(JSON.parse(alone.stdout)).toMatchObject({ msg: 'done' });
    server.closeAllConnections();
    server.close();
    const [root] = receiver.spans.filter(({ name }) => name === 'mine');
    const [request] = receiver.spans.filter(({ name }) => name === 'get configmaps');
    expect(request).toMatchObject({
      ...{ traceId: root?.traceId, parentSpanId: root?.spanId },
      ...{ kind: 3, service: 'memcached-operator' },
    });
    expect([traceparent, others]).toEqual([`00-${root?.traceId}-${request?.spanId}-01`, []]);
    expect(JSON.parse(stdout)).toMatchObject({ msg: 'done', trace_id: root?.traceId, span_id: root?.spanId });
  });
});
