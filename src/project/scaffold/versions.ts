import { oldestNodeLine } from '../../base/util/node-version.ts';

/**
 * The versions of the development tools in a scaffolded package.json: those that op-sdk itself is built and tested with.
 * A test compares them with our own package.json.
 */
export const toolVersions = {
  '@types/node': '^20.19.43',
  eslint: '^10.15.0',
  // With the first conversion.
  'fast-check': '^4.10.2',
  prettier: '^3.10.1',
  typescript: '~5.9.3',
  'typescript-eslint': '^8.73.0',
  vitest: '~4.1.12',
} as const;

/** The oldest Node that scaffolded operators run on. */
export const nodeEngine = `>=${oldestNodeLine}`;

/** The Node of the scaffolded image. */
export const imageNode = '24';

/** The base of the scaffolded image, and of those that `op-sdk image build` makes: Node and only what is needed to run it. */
export const baseImage = `node:${imageNode}-slim`;

/** Folder, user and entrypoint of the operator in its image: the same as in the scaffolded Dockerfile. */
export const operatorStart = {
  folder: '/app',
  user: '65532:65532',
  entrypoint: ['node', '--enable-source-maps', '/app/main.mjs'],
} as const;
