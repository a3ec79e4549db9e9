// Checks of a packed package from the outside: publint on its shape, "are the types wrong" on its types.
import { readFileSync } from 'node:fs';

/**
 * Resolutions that are judged. The packages are ES modules only. Of the other two, `node10` knows no `exports`, so that it finds no subpath
 * of any package that has them, and `node16-cjs` reports that `require` gets an ES module, which is meant: Node loads those since 20.19.
 * The profile "esm-only" of attw leaves out the same two.
 */
const resolutions = ['node16-esm', 'bundler'];

/**
 * Lists what Node, bundlers and TypeScript would stumble over in a packed package.
 * @param {string} tarball
 * @returns {Promise<string[]>} one sentence each; empty if both tools are quiet
 */
export async function checkPackage(tarball) {
  const data = new Uint8Array(readFileSync(tarball));
  return [...(await shapeFindings(data)), ...(await typeFindings(data))];
}

async function shapeFindings(data) {
  const { publint } = await import('publint');
  const { formatMessage } = await import('publint/utils');
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true });
  return messages.map((message) => `${pkg.name}: publint: ${formatMessage(message, pkg)}`);
}

async function typeFindings(data) {
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  const { filterProblems, problemKindInfo } = await import('@arethetypeswrong/core/problems');
  const unpacked = createPackageFromTarballData(data);
  const analysis = await checkPackage(unpacked, { includeEntrypoints: entriesOfPatterns(unpacked) });
  // create-opsdk is a command: nobody imports it.
  if (analysis.types === false) return [];
  const problems = resolutions.flatMap((resolutionKind) => filterProblems(analysis, { resolutionKind }));
  return [...new Set(problems)].map(({ kind, entrypoint, resolutionKind, typesFileName, fileName }) => {
    const place = entrypoint === undefined ? (typesFileName ?? fileName) : `${entrypoint}, ${resolutionKind}`;
    return `${unpacked.packageName}: attw: ${place}: ${kind}: ${problemKindInfo[kind].shortDescription}`;
  });
}

/** The entries that a pattern such as `./k8s/*` stands for: attw leaves patterns out. */
function entriesOfPatterns(unpacked) {
  const folder = `/node_modules/${unpacked.packageName}/`;
  const { exports = {} } = JSON.parse(unpacked.readFile(`${folder}package.json`));
  const files = unpacked.listFiles();
  return Object.entries(exports)
    .filter(([entry, { types }]) => entry.includes('*') && types !== undefined)
    .flatMap(([entry, { types }]) => {
      const [before, after] = types.replace(/^\.\//, folder).split('*');
      return files
        .filter((file) => file.startsWith(before) && file.endsWith(after))
        .map((file) => entry.replace('*', file.slice(before.length, -after.length)));
    });
}
