// `npm run bench:catalog`: CPU seconds and peak memory of `op-sdk catalog render`, `validate` and `list` of 300 packages, in JSON and in YAML, beside
// reading the same files alone; and of what is refused. The packages are the bundles of `../shared/data/bundles`, or of the folder that
// BUNDLES names, under other names.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { ensureBuild, ensureDependencies } from '../scripts/lib/provision.mjs';
import { root } from '../scripts/lib/run.mjs';
import { machine, median, usageOf } from './lib/measure.mjs';

const rounds = Number(process.env.ROUNDS ?? 3);
const packages = 300;
/** MiB. */
const mostMemory = 300;
const folder = resolve(root, process.env.BUNDLES ?? '../shared/data/bundles');
const program = join(root, 'bin', 'op-sdk.js');

/** The folders two levels down: packages, then versions. */
function bundlesOf(path) {
  const folders = (inner) =>
    readdirSync(inner)
      .map((name) => join(inner, name))
      .filter((name) => statSync(name).isDirectory());
  return folders(path).flatMap(folders).sort();
}

/** The documents of a bundle as a catalogue has them; undefined for one that cannot be rendered. */
function rendered(bundle) {
  try {
    const argv = [program, 'catalog', 'render', bundle, '--image', 'example.com/b:1', '-o', 'json'];
    const text = execFileSync(process.execPath, argv, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1e9,
    });
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Documents of a package of one version. */
function packageDocuments(document, index) {
  const name = `package-${index}`;
  const text = JSON.stringify(document).replaceAll(JSON.stringify(document.package), JSON.stringify(name));
  const bundle = { ...JSON.parse(text), name: `${name}.v1` };
  return [
    { schema: 'olm.package', name, defaultChannel: 'stable' },
    { schema: 'olm.channel', package: name, name: 'stable', entries: [{ name: bundle.name }] },
    bundle,
  ];
}

async function measure(argv, cwd) {
  const cpu = [];
  for (let round = 0; round < rounds; round += 1) {
    const command = ['sh', '-c', '"$@" > /dev/null 2>&1 || true', 'sh', process.execPath, ...argv];
    cpu.push((await usageOf(command, { cwd })).cpu);
  }
  const file = join(cwd, 'rss');
  const script = `import { writeFileSync } from 'node:fs'; process.on('exit', () => writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)));`;
  const hook = `data:text/javascript,${encodeURIComponent(script)}`;
  await usageOf(
    ['sh', '-c', '"$@" > /dev/null 2>&1 || true', 'sh', process.execPath, '--import', hook, ...argv],
    { cwd },
  );
  return { cpu: median(cpu), memory: Number(readFileSync(file, 'utf8')) / 1024 };
}

const line = (what, { cpu, memory }, baseline) =>
  console.log(
    `${what.padEnd(34)} ${cpu.toFixed(2)} CPU s${baseline === undefined ? '' : ` (${(cpu / baseline.cpu).toFixed(1)}× reading)`}, ${memory.toFixed(0)} MiB (target < ${mostMemory})`,
  );

if (!existsSync(folder)) {
  console.log(`skipped: the bundles are not there (${folder})`);
} else {
  await ensureDependencies();
  await ensureBuild();
  const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bench-catalog-'));
  try {
    const documents = bundlesOf(folder)
      .map(rendered)
      .filter((document) => document !== undefined);
    console.log(`${documents.length} bundles of ${bundlesOf(folder).length} can be rendered`);
    console.log(`before: ${machine()}`);
    for (const [form, print] of [
      ['json', (all) => all.map((document) => `${JSON.stringify(document)}\n`).join('')],
      ['yaml', (all) => all.map((document) => `---\n${stringify(document)}`).join('')],
    ]) {
      const catalog = join(scratch, form);
      mkdirSync(catalog);
      for (let index = 0; index < packages; index += 1)
        writeFileSync(
          join(catalog, `${index}.${form}`),
          print(packageDocuments(documents[index % documents.length], index)),
        );
      const files = readdirSync(catalog);
      const bytes = files.reduce((sum, name) => sum + statSync(join(catalog, name)).size, 0);
      console.log(`${packages} packages in ${form}, ${(bytes / 1e6).toFixed(1)} MB`);
      const reading = `for (const n of require('fs').readdirSync('${form}')) require('fs').readFileSync('${form}/' + n, 'utf8')`;
      const baseline = await measure(['-e', reading], scratch);
      for (const command of ['render', 'validate', 'list'])
        line(`catalog ${command}`, await measure([program, 'catalog', command, form], scratch), baseline);
    }
    for (const [what, text] of [
      ['a million entries', `schema: olm.channel\nentries:\n${'- name: a\n'.repeat(1_000_000)}`],
      ['a million documents', '{"schema":"x"}\n'.repeat(1_000_000)],
    ]) {
      const name = what.replaceAll(' ', '-');
      mkdirSync(join(scratch, name));
      writeFileSync(join(scratch, name, 'catalog.yaml'), text);
      line(`refuse ${what}`, await measure([program, 'catalog', 'validate', name], scratch));
    }
    console.log(`after:  ${machine()}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
