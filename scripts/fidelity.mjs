// `npm run fidelity -- DIR [--keep FOLDER]`: real CRDs become TypeScript and CRDs again, with the built command, in an empty folder.
// Prints how many are equal, where the others differ, how often the types need the escape `@k8s`, and how long it took. Exit code 1 if
// one differs.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuild, ensureDependencies } from './lib/provision.mjs';
import { root, run, since } from './lib/run.mjs';

const usage = 'usage: npm run fidelity -- DIR [--keep FOLDER]';

function readArguments(argv) {
  const at = argv.indexOf('--keep');
  const rest = at === -1 ? argv : [...argv.slice(0, at), ...argv.slice(at + 2)];
  const keep = at === -1 ? undefined : argv[at + 1];
  if (rest.length !== 1 || (at !== -1 && keep === undefined)) throw new Error(usage);
  return { source: resolve(rest[0]), keep: keep === undefined ? undefined : resolve(keep) };
}

/** Whether a source is newer than what was built. */
function isStale() {
  const newest = (folder) =>
    Math.max(
      0,
      ...filesOf(folder, /\.[jt]s$/).map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0),
    );
  const built = join(root, 'dist', 'cli', 'main.js');
  return !existsSync(built) || newest(join(root, 'src')) > statSync(built).mtimeMs;
}

/** The files below a folder whose names end like this. */
function filesOf(folder, ending) {
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder, { recursive: true })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name))
    .sort();
}

/** The CRDs of a folder by their names; what is not a manifest is left out, as the command does it. */
function crdsOf(api, folder) {
  const found = new Map();
  for (const file of filesOf(folder, /\.(?:ya?ml|json)$/)) {
    const text = readFileSync(file, 'utf8');
    if (!text.includes('CustomResourceDefinition')) continue;
    try {
      for (const { crd } of api.readCrds(text, file).crds) found.set(crd.metadata.name, crd);
    } catch (error) {
      if (!error.findings?.every(({ code }) => code.startsWith('io/'))) throw error;
      console.log(`passed over ${file}: ${error.message}`);
    }
  }
  return found;
}

function nodesOf(schema) {
  const { properties, items, additionalProperties } = schema;
  const inside = [...Object.values(properties ?? {}), items, additionalProperties].filter(
    (part) => typeof part === 'object' && part !== null,
  );
  return inside.reduce((sum, part) => sum + nodesOf(part), 1);
}

async function step(title, args, cwd) {
  const start = performance.now();
  const { code, output } = await run(process.execPath, [join(root, 'bin', 'op-sdk.js'), ...args], {
    cwd,
    capture: 'all',
  });
  console.log(`${title}: ${since(start)} s, exit code ${code}`);
  if (code !== 0)
    console.log(
      output
        .split('\n')
        .filter((line) => !line.startsWith('create'))
        .join('\n'),
    );
  return code;
}

async function main() {
  const { source, keep } = readArguments(process.argv.slice(2));
  await ensureDependencies();
  if (isStale()) await ensureBuild();
  const api = await import(pathToFileURL(join(root, 'dist', 'kubernetes', 'crd', 'index.js')).href);
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'op-sdk-fidelity-'));
  mkdirSync(folder, { recursive: true });
  try {
    const quiet = ['--quiet'];
    const imported = await step('import', ['import', 'crd', source, '--output-dir', 'api', ...quiet], folder);
    const generate = ['generate', 'manifests', '--only', 'crd', '--apis-dir', 'api', '--output-dir', 'out'];
    const generated = await step('generate', [...generate, ...quiet], folder);
    const wanted = crdsOf(api, source);
    const made = generated === 0 ? crdsOf(api, join(folder, 'out')) : new Map();
    const equal = report(api, wanted, made);
    const nodes = [...wanted.values()]
      .flatMap(({ spec }) => spec.versions)
      .reduce((sum, { schema }) => sum + nodesOf(schema.openAPIV3Schema), 0);
    const escapes = filesOf(join(folder, 'api'), /\.ts$/).flatMap(
      (file) => readFileSync(file, 'utf8').match(/^ *(?:\/\*)?\*+ @(?:(?:items|values)\.)*k8s /gm) ?? [],
    ).length;
    console.log(`escapes ${escapes} of ${nodes} nodes (${((100 * escapes) / nodes).toFixed(3)} %)`);
    console.log(`equal ${equal} of ${wanted.size}`);
    return imported === 0 && equal === wanted.size ? 0 : 1;
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints where CRDs differ; returns how many do not. */
function report(api, wanted, made) {
  let equal = 0;
  for (const [name, crd] of wanted) {
    const differences = made.has(name)
      ? api.compareCrds(crd, made.get(name))
      : [{ path: 'everything', left: 'there', right: 'missing' }];
    if (differences.length === 0) equal++;
    for (const { path, left, right } of differences.slice(0, 10))
      console.log(`${name}: ${path}: ${shorten(left)} → ${shorten(right)}`);
  }
  return equal;
}

function shorten(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
