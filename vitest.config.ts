import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { mutantPlugin } from './test/mutants/mutant-plugin.ts';

/** The examples import the package by its name. */
const alias = Object.entries({
  '^opsdk$': 'index.ts',
  '^opsdk/testing$': 'testing.ts',
  '^opsdk/testing/vitest$': 'testing/vitest.ts',
  '^opsdk/tracing$': 'tracing.ts',
  '^opsdk/k8s/(.*)$': 'sdk/k8s/generated/$1.ts',
}).map(([name, source]) => ({
  find: new RegExp(name),
  replacement: fileURLToPath(new URL(`src/${source}`, import.meta.url)),
}));

// One project a rung of the test ladder (CONTRIBUTING.md): the least powerful one that can fail for the right reason.
const rung = (name: string, options: Record<string, unknown> = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    setupFiles: ['test/helpers/fast-check-setup.ts'],
    ...options,
  },
  resolve: { alias },
});
/** Tests that take half a minute or more beside others, such as whole commands in projects, and servers that end and come back. */
const slow = 'test/**/*.slow.test.ts';
const projects = [
  'etcd-operator',
  'flink-operator',
  'memcached-operator',
  'namespace-sync',
  'prometheus-operator',
  'rbac-manager',
  'redis-enterprise',
  'redis-operator',
  'scheduler-operator',
];
const examples = `examples/{${projects.join()}}/test`;
const exampleTests = `${examples}/**/*.test.ts`;
const exampleIntegrationTests = `${examples}/**/*.integration.test.ts`;
const slowExampleTests = `${examples}/**/*.slow.test.ts`;
/** Tests that need the package in node_modules, which a project of its own has. */
const installedExampleTests = `${examples}/manifests.test.ts`;

const withControlPlane = {
  globalSetup: ['test/helpers/control-plane-setup.ts'],
  pool: 'forks',
  testTimeout: 120_000,
  hookTimeout: 180_000,
  isolate: false,
};

export default defineConfig({
  test: {
    pool: 'threads',
    // File snapshots are golden files like the others.
    ...(process.env['UPDATE_GOLDEN'] === '1' ? { update: true } : {}),
    projects: [
      // The files of a worker share what they import: loading it anew for each was a third of the time. Helpers keep no state, and
      // what a test changes in the process it puts back.
      rung('unit', {
        include: ['test/unit/**/*.test.ts', exampleTests],
        exclude: [exampleIntegrationTests, installedExampleTests, slowExampleTests, slow],
        testTimeout: 60_000,
        hookTimeout: 60_000,
        isolate: false,
      }),
      // Golden projects bring tests of their own, for the packages that they install.
      rung('golden', {
        testTimeout: 120_000,
        hookTimeout: 120_000,
        isolate: false,
        exclude: ['test/golden/projects/**', slow],
      }),
      rung('slow', {
        include: ['test/{unit,golden}/**/*.slow.test.ts', slowExampleTests],
        testTimeout: 120_000,
        hookTimeout: 120_000,
        isolate: false,
        exclude: ['test/golden/projects/**'],
      }),
      rung('control-plane', {
        include: ['test/control-plane/**/*.test.ts', exampleIntegrationTests],
        exclude: [slow],
        ...withControlPlane,
      }),
      rung('slow-control-plane', { include: ['test/control-plane/**/*.slow.test.ts'], ...withControlPlane }),
      // Each command brings processes of its own.
      rung('sessions', {
        globalSetup: ['test/helpers/control-plane-setup.ts'],
        pool: 'forks',
        testTimeout: 300_000,
        hookTimeout: 180_000,
      }),
      rung('e2e', {
        globalSetup: ['test/helpers/e2e-setup.ts'],
        pool: 'forks',
        testTimeout: 600_000,
        hookTimeout: 600_000,
      }),
      // Package managers, the packed package, and a registry of its own.
      rung('managers', {
        globalSetup: ['test/helpers/managers-setup.ts'],
        pool: 'forks',
        maxConcurrency: 2,
        testTimeout: 900_000,
        hookTimeout: 600_000,
      }),
      // `npm run soak` says how long, and allows that time.
      rung('soak', {
        pool: 'forks',
        testTimeout: (Number(process.env['SOAK_SECONDS'] ?? '60') + 600) * 1000,
      }),
      // Many kills, and every example: `npm run test:long`.
      rung('long', { pool: 'forks', testTimeout: 3_600_000, hookTimeout: 1_800_000 }),
      // Operators as Pods: one cluster, one file of tests at a time. `npm run test:cluster` makes a place for it.
      rung('cluster', {
        globalSetup: ['test/helpers/cluster-setup.ts'],
        pool: 'forks',
        fileParallelism: false,
        testTimeout: 300_000,
        hookTimeout: 300_000,
      }),
      { ...rung('mutants', { testTimeout: 60_000 }), plugins: [mutantPlugin()] },
      rung('peers', { pool: 'forks', testTimeout: 300_000, hookTimeout: 600_000 }),
    ],
  },
});
