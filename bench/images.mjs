// `npm run bench:images`: what images and kustomizations cost in CPU, beside the tools that do the same. In turn, in one run.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../scripts/lib/api.mjs';
import { freePort } from '../scripts/lib/free-port.mjs';
import { ensureBuild, ensureDependencies } from '../scripts/lib/provision.mjs';
import { must, root } from '../scripts/lib/run.mjs';
import { cpuOfScript, machine, median } from './lib/measure.mjs';
import { installed } from './lib/programs.mjs';

const rounds = Number(process.env.ROUNDS ?? 7);
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-bench-images-'));
const project = join(scratch, 'bench-operator');
const opSdk = `${process.execPath} ${join(root, 'bin', 'op-sdk.js')}`;
let server;

/** Runs the ways in turn; the first round warms the caches and is not counted. @returns the median of each, in CPU seconds */
function measureInTurn(ways) {
  const samples = ways.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    ways.forEach(({ script }, index) => {
      const cpu = cpuOfScript(script(round), { cwd: project });
      if (round > 0) samples[index].push(cpu);
    });
  }
  return samples.map(median);
}

function report(title, ways) {
  const medians = measureInTurn(ways);
  const [ours, theirs] = medians;
  console.log(`\n${title} (medians of ${rounds}, CPU s)`);
  ways.forEach(({ name }, index) => console.log(`  ${name.padEnd(40)} ${medians[index].toFixed(3)}`));
  console.log(`  ratio ${(ours / theirs).toFixed(2)}`);
}

async function makeProject() {
  mkdirSync(project);
  const steps = [
    'init --domain example.com --skip-install --opsdk "*"',
    'create api --group cache --version v1alpha1 --kind Memcached',
    'generate kustomize manifests --description Measured --provider Example --keywords bench --maintainers a:a@example.com',
    'generate bundle --version 0.0.1',
  ];
  for (const step of steps) await must('sh', ['-c', `${opSdk} ${step}`], { cwd: project, quiet: true });
}

async function startDockerRegistry() {
  const host = `127.0.0.1:${await freePort()}`;
  const config = join(scratch, 'registry.yml');
  const data = join(scratch, 'registry');
  writeFileSync(
    config,
    `version: 0.1\nlog: {level: error}\nstorage: {filesystem: {rootdirectory: ${data}}}\nhttp: {addr: '${host}'}\n`,
  );
  server = spawn('docker-registry', ['serve', config], { stdio: 'ignore' });
  await until('docker-registry listens', () =>
    fetch(`http://${host}/v2/`).then(
      (answer) => answer.ok,
      () => false,
    ),
  );
  return host;
}

/** The command line of kustomize, of the version that the tests compare with. */
async function kustomizeProgram() {
  const peer = join(root, 'test', 'peers', 'kustomize');
  const program = join(scratch, 'kustomize');
  const build = ['build', '-o', program, 'sigs.k8s.io/kustomize/kustomize/v5'];
  await must('go', build, { cwd: peer });
  return program;
}

await ensureDependencies();
await ensureBuild();
try {
  console.log(`before: ${machine()}`);
  await makeProject();
  if (installed('docker-registry', 'buildah', 'skopeo')) {
    const host = await startDockerRegistry();
    // A new repository each time: what a registry has already is not sent again.
    const [own, peer] = ['op-sdk', 'peer'].map((name) => (round) => `${host}/${name}-${round}/bundle:v0.0.1`);
    report('a bundle image, built and pushed', [
      {
        name: 'op-sdk bundle build + push',
        script: (round) => `${opSdk} bundle build --tag ${own(round)}\n${opSdk} bundle push ${own(round)}`,
      },
      {
        name: 'buildah build + skopeo copy',
        script: (round) =>
          `buildah build --isolation chroot --file bundle.Dockerfile --tag ${peer(round)} .
skopeo copy --dest-tls-verify=false containers-storage:${peer(round)} docker://${peer(round)}`,
      },
    ]);
    for (let round = 0; round <= rounds; round += 1)
      spawnSync('buildah', ['rmi', '--force', peer(round)], { stdio: 'ignore' });
  } else console.log('skipped: docker-registry, buildah and skopeo are not all installed');
  if (installed('go')) {
    const kustomize = await kustomizeProgram();
    report('config/default, rendered', [
      { name: 'op-sdk kustomize build', script: () => `${opSdk} kustomize build config/default` },
      { name: 'kustomize build', script: () => `${kustomize} build config/default` },
    ]);
  } else console.log('skipped: no go to build kustomize with');
  console.log(`\nafter:  ${machine()}`);
} finally {
  if (server !== undefined && server.exitCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  rmSync(scratch, { recursive: true, force: true });
}
