import semver from 'semver';
import { oldestNode } from '../../base/util/node-version.ts';

/** A version range of a development tool, with the Node versions that the tool supports: `engines.node` of its package.json. */
interface ToolRelease {
  readonly range: string;
  readonly node: string;
}

/**
 * The development tools of a scaffolded package.json, newest release first. op-sdk itself is built and tested with one of the releases of
 * each tool. A test compares these entries with op-sdk's package.json and with the `engines` of the tools' packages.
 */
const toolReleases = {
  '@types/node': [
    { range: '^26.6.7', node: '>=26' },
    { range: '^24.19.4', node: '>=24' },
    { range: '^22.20.7', node: '>=22' },
    { range: '^20.19.43', node: '*' },
  ],
  eslint: [
    { range: '^10.15.0', node: '^20.19.0 || ^22.13.0 || >=24' },
    { range: '^9.39.4', node: '^18.18.0 || ^20.9.0 || >=21.1.0' },
  ],
  prettier: [{ range: '^3.10.1', node: '>=14' }],
  // The linter supports no version of TypeScript from 6.1 on.
  typescript: [{ range: '~5.9.3', node: '>=14.17' }],
  // The Node versions are those of its dependency eslint-visitor-keys.
  'typescript-eslint': [
    { range: '^8.73.0', node: '^20.19.0 || ^22.13.0 || >=24' },
    { range: '~8.54.0', node: '^18.18.0 || ^20.9.0 || >=21.1.0' },
  ],
  vitest: [
    { range: '~5.1.2', node: '^22.12.0 || ^24.0.0 || >=26.0.0' },
    { range: '~4.1.12', node: '^20.0.0 || ^22.0.0 || >=24.0.0' },
  ],
} as const satisfies Readonly<Record<string, readonly ToolRelease[]>>;

type Tool = keyof typeof toolReleases;

/** Versions in a new project that follow from the Node version that creates it. */
export interface NodeChoice {
  /** Version ranges for `devDependencies`, by package name. */
  readonly tools: Readonly<Record<Tool, string>>;
  /** `engines.node`: the oldest Node of this release line that all the tools support, such as `>=22.13`. */
  readonly engine: string;
  /** Node's release line in the workflow and in the image: an even major version, such as `24`. */
  readonly line: string;
}

/**
 * Chooses the versions for a new project: for each tool, the newest release that supports the given Node version. If none does, as for Node
 * 23, chooses the tool's oldest release.
 * @param version a version of Node, such as `22.13.1`
 */
export function nodeChoice(version: string): NodeChoice {
  const releases = Object.entries<readonly ToolRelease[]>(toolReleases).map(([name, known]) => {
    const chosen = known.find(({ node }) => semver.satisfies(version, node)) ?? known.at(-1);
    if (chosen === undefined) throw new TypeError(`${name} has no releases`);
    return [name, chosen] as const;
  });
  const major = semver.major(version);
  const line = Math.min(major - (major % 2), newestLine);
  const oldest = semver.rsort([
    oldestNode,
    `${line}.0.0`,
    ...releases.map(([, { node }]) => lowerBound(node, version)),
  ])[0];
  return {
    tools: Object.fromEntries(releases.map(([name, { range }]) => [name, range])) as Record<Tool, string>,
    engine: `>=${oldest?.replace(/(?:\.0)+$/, '')}`,
    line: String(line),
  };
}

/** The newest release line of Node that op-sdk is tested with. */
const newestLine = 26;

/** Returns the oldest version that a range admits without a gap up to `version`: `20.19.0` for `^20.19.0 || >=24` and `20.20.2`. */
function lowerBound(range: string, version: string): string {
  const alternative = range.split('||').find((part) => semver.satisfies(version, part));
  return (alternative === undefined ? undefined : semver.minVersion(alternative)?.version) ?? '0.0.0';
}

/** The version range of fast-check, which is added to a project with its first conversion. */
export const fastCheckRange = '^4.10.2';

/** Default base image of images that `op-sdk image build` makes in projects without Dockerfile. It contains Node without build tools. */
export const defaultBaseImage = 'node:24-slim';

/** Folder, user and entrypoint of the operator in its image. They are the same in the scaffolded Dockerfile. */
export const operatorStart = {
  folder: '/app',
  user: '65532:65532',
  entrypoint: ['node', '--enable-source-maps', '/app/main.mjs'],
} as const;
