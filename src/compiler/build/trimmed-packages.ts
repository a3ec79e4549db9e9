// Leaves out of a bundle the parts of packages that op-sdk uses and that no operator needs.
import path from 'node:path';
import type { Plugin } from 'esbuild';
import { isOnward, resolveOnward } from './resolve-onward.ts';

/**
 * Returns the esbuild plugins that leave unused parts of packages out of a bundle. An operator that imports such a package itself gets all
 * of it.
 * @param ownRoots folders of op-sdk, whose imports are trimmed
 */
export function trimmedPackages(ownRoots: readonly string[]): readonly Plugin[] {
  return [metricsPlugin(ownRoots), exemplarPlugin, transportPlugin];
}

/**
 * Parts of prom-client that op-sdk imports. The rest would be a twentieth of the code that an operator loads at its start: summaries with
 * their quantile sketches, metrics of several processes, and the push gateway.
 */
export const metrics = `
exports.Registry = require('./lib/registry');
exports.Counter = require('./lib/counter');
exports.Gauge = require('./lib/gauge');
exports.Histogram = require('./lib/histogram');
exports.exponentialBuckets = require('./lib/bucketGenerators').exponentialBuckets;
exports.collectDefaultMetrics = require('./lib/defaultMetrics');
`;

/** Makes op-sdk import {@link metrics} instead of the whole prom-client. Both share their modules, and so the classes of metrics. */
function metricsPlugin(ownRoots: readonly string[]): Plugin {
  const isOwn = (file: string): boolean => {
    const importer = file.split(path.sep).join('/');
    return ownRoots.some((root) => importer.startsWith(`${root}/dist/`));
  };
  return {
    name: 'opsdk-metrics',
    setup(build) {
      build.onResolve({ filter: /^prom-client$/ }, async (args) => {
        if (isOnward(args) || !isOwn(args.importer)) return undefined;
        const found = await resolveOnward(build, args);
        if (found.errors.length > 0) return undefined;
        return { path: 'metrics.cjs', namespace: 'opsdk', pluginData: path.dirname(found.path) };
      });
      build.onLoad({ filter: /^metrics\.cjs$/, namespace: 'opsdk' }, ({ pluginData }) => ({
        contents: metrics,
        resolveDir: pluginData as string,
        loader: 'js',
      }));
    },
  };
}

/**
 * Code that replaces pino's transports, which are worker threads with separate files. It throws a clear error. Without it, a transport
 * would fail because of a missing file.
 */
const stub = `module.exports = () => {
  throw new Error('pino.transport: expected a log without transports, as a bundled operator is one file; write to stdout, or pass a stream');
};`;

/**
 * Replaces pino's transports by {@link stub}. They cannot work in a bundle of one file, and would be a tenth of the code that an operator
 * loads at its start.
 */
const transportPlugin: Plugin = {
  name: 'opsdk-transport',
  setup(build) {
    build.onLoad({ filter: /[\\/]pino[\\/]lib[\\/]transport\.js$/ }, () => ({
      contents: stub,
      loader: 'js',
    }));
  },
};

/**
 * Replacement for `@opentelemetry/api` (44 kB) in prom-client, which uses only one part of it: the active span, for the exemplars of the
 * CPU counters. Tracing libraries register the API globally, and every copy of the API searches for it there. This replacement does so too.
 * Source: `api/trace.ts`, `api/context.ts`, `trace/context-utils.ts` and `internal/global-utils.ts` of @opentelemetry/api 1.x
 */
export const activeSpan = `
const api = () => globalThis[Symbol.for('opentelemetry.js.api.1')];
exports.context = { active: () => api()?.context?.active() };
exports.trace = { getSpan: (context) => context?.getValue(Symbol.for('OpenTelemetry Context Key SPAN')) };
`;

/**
 * Makes prom-client import {@link activeSpan} instead of the entire API of OpenTelemetry. If the operator itself imports the API, it gets
 * the entire API.
 */
const exemplarPlugin: Plugin = {
  name: 'opsdk-exemplars',
  setup(build) {
    build.onResolve({ filter: /^@opentelemetry\/api$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]prom-client[\\/]/.test(importer)
        ? { path: 'active-span.cjs', namespace: 'opsdk' }
        : undefined,
    );
    build.onLoad({ filter: /^active-span\.cjs$/, namespace: 'opsdk' }, () => ({
      contents: activeSpan,
      loader: 'js',
    }));
  },
};
