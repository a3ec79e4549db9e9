import type { Plugin } from 'esbuild';

/**
 * All that prom-client uses of `@opentelemetry/api` (44 kB): the span that is active now, for the exemplars of the CPU counters.
 * Whoever traces has registered the API globally, where every copy of it looks; so does this.
 * Source: `api/trace.ts`, `api/context.ts`, `trace/context-utils.ts` and `internal/global-utils.ts` of @opentelemetry/api 1.x
 */
export const activeSpan = `
const api = () => globalThis[Symbol.for('opentelemetry.js.api.1')];
exports.context = { active: () => api()?.context?.active() };
exports.trace = { getSpan: (context) => context?.getValue(Symbol.for('OpenTelemetry Context Key SPAN')) };
`;

/** Hands prom-client {@link activeSpan} instead of the whole API. An operator that imports the API itself gets it. */
export const exemplarPlugin: Plugin = {
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
