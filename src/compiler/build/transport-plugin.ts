import type { Plugin } from 'esbuild';

/** Fails where it would otherwise fail with a missing file: a transport is a worker thread with files of its own. */
const stub = `module.exports = () => {
  throw new Error('pino.transport: expected a log without transports, as a bundled operator is one file; write to stdout, or pass a stream');
};`;

/** Leaves out pino's transports, which cannot work in a bundle of one file, and would be a tenth of what an operator loads at its start. */
export const transportPlugin: Plugin = {
  name: 'opsdk-transport',
  setup(build) {
    build.onLoad({ filter: /[\\/]pino[\\/]lib[\\/]transport\.js$/ }, () => ({
      contents: stub,
      loader: 'js',
    }));
  },
};
