// `npm run quickstart`: the nginx operator, from an empty folder to a process that reconciles on a real API server.
// Nothing is installed outside this clone and the caches of npm and op-sdk; nothing is asked; all of it is removed at the end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from './lib/free-port.mjs';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { must, since } from './lib/run.mjs';

const started = performance.now();
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-quickstart-'));
const project = join(scratch, 'nginx-operator');
const operatorLog = join(scratch, 'operator.log');
let plane;
let operator;
let registry;

async function step(title, action) {
  const start = performance.now();
  console.log(`\n==> ${title}`);
  const result = await action();
  console.log(`    done in ${since(start)} s`);
  return result;
}

/** A statement about the cluster that must become true. */
async function observe(what, question) {
  const start = performance.now();
  const answer = await until(what, question);
  console.log(`    ✓ ${what} (${since(start)} s)`);
  return answer;
}

async function stopOperator() {
  if (operator === undefined || operator.exitCode !== null || operator.signalCode !== null)
    return operator?.exitCode;
  const ended = once(operator, 'exit');
  operator.kill('SIGTERM');
  const [code] = await ended;
  return code;
}

/** First of all: everything below may be missing in a fresh clone, `yaml` included. */
await ensureDependencies();
const { apiOf, until } = await import('./lib/api.mjs');
const { nginxProjectSteps, packPackage } = await import('./lib/nginx-project.mjs');
const { readImage, startRegistry } = await import('./lib/registry.mjs');

try {
  // A tarball that is given was packed from what would be built here.
  if ((process.env.OP_SDK_TEST_TARBALL ?? '') === '') await ensureBuild();
  const assets = await ensureControlPlane();
  const tarball = await step('npm pack', () => packPackage(join(scratch, 'package')));
  for (const { title, action } of nginxProjectSteps({ folder: project, tarball })) await step(title, action);

  // The testing library of the package that the project has installed, as its own tests would use it.
  const testing = await import(pathToFileURL(join(project, 'node_modules/opsdk/dist/testing.js')).href);
  process.env.KUBEBUILDER_ASSETS = assets;
  plane = await step('start etcd, kube-apiserver and kube-controller-manager, with the CRD installed', () =>
    testing.startControlPlane({ controllerManager: true, crds: [join(project, 'config/crd/bases')] }),
  );
  console.log(`    Kubernetes ${plane.version} at ${plane.url}`);
  const api = apiOf(plane);

  await step('apply the ServiceAccount and the role as the files stand', async () => {
    await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'system' } });
    for (const file of ['service_account.yaml', 'role.yaml', 'role_binding.yaml'])
      await api.applyFile(join(project, 'config/rbac', file));
  });

  const health = `127.0.0.1:${await freePort()}`;
  await step('run the bundled operator as the ServiceAccount of its role', async () => {
    const { path } = await plane.serviceAccountKubeconfig('system', 'controller-manager');
    const flags = [`--kubeconfig=${path}`, `--health-probe-bind-address=${health}`];
    operator = spawn(process.execPath, ['dist/main.mjs', ...flags], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(operatorLog);
    operator.stdout.pipe(log, { end: false });
    operator.stderr.pipe(log, { end: false });
    await observe('the operator is ready', async () => {
      if (operator.exitCode !== null)
        throw new Error(`the operator ended with exit code ${operator.exitCode}`);
      return fetch(`http://${health}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      );
    });
  });

  await step('create NginxOperator default/cluster with replicas: 1', async () => {
    await api.apply({
      apiVersion: 'operator.example.com/v1alpha1',
      kind: 'NginxOperator',
      metadata: { name: 'cluster', namespace: 'default' },
      spec: { replicas: 1, port: 8080 },
    });
    const deployment = await observe('its Deployment appears', () => api.get('Deployment', 'cluster'));
    const [owner] = deployment.metadata.ownerReferences ?? [];
    if (owner?.kind !== 'NginxOperator' || owner.controller !== true || owner.blockOwnerDeletion !== true) {
      throw new Error(
        `the Deployment has the wrong owner: ${JSON.stringify(deployment.metadata.ownerReferences)}`,
      );
    }
    const { ports } = deployment.spec.template.spec.containers[0];
    if (deployment.spec.replicas !== 1 || ports?.[0]?.containerPort !== 8080) {
      throw new Error(`the Deployment is not what was asked for: ${JSON.stringify(deployment.spec)}`);
    }
  });

  await step('delete the Deployment', async () => {
    const { uid } = (await api.get('Deployment', 'cluster')).metadata;
    await api.delete('Deployment', 'cluster');
    await observe('it is healed', async () => {
      const deployment = await api.get('Deployment', 'cluster');
      return (
        deployment !== undefined &&
        deployment.metadata.uid !== uid &&
        deployment.metadata.deletionTimestamp === undefined
      );
    });
  });

  await step('set replicas to 3', async () => {
    await api.patch('NginxOperator', 'cluster', { spec: { replicas: 3 } });
    await observe(
      'the Deployment follows',
      async () => (await api.get('Deployment', 'cluster'))?.spec.replicas === 3,
    );
  });

  await step('delete NginxOperator default/cluster', async () => {
    await api.delete('NginxOperator', 'cluster');
    await observe(
      'the Deployment is garbage-collected',
      async () => (await api.get('Deployment', 'cluster')) === undefined,
    );
  });

  await step('stop the operator with SIGTERM', async () => {
    const code = await stopOperator();
    if (code !== 0) throw new Error(`the operator ended with exit code ${code}, not 0`);
    console.log('    ✓ it drained and ended with exit code 0');
  });

  registry = await startRegistry();
  const bundleImage = `${registry.host}/example/nginx-operator-bundle:v0.0.1`;
  const opSdk = (...args) => must('npx', ['--no-install', 'op-sdk', ...args], { cwd: project });
  await step('op-sdk generate kustomize manifests: the base ClusterServiceVersion of the bundle', () =>
    opSdk(
      ...['generate', 'kustomize', 'manifests', '--display-name', 'Nginx Operator'],
      ...['--description', 'Operator for managing a basic Nginx deployment', '--provider', 'MyCompany'],
      ...['--keywords', 'nginx,tutorial', '--maintainers', 'Mike Dame:mike@mycompany.example'],
    ),
  );
  await step('op-sdk kustomize edit set image controller=example.com/nginx-operator:v0.0.1', () =>
    opSdk(
      ...['kustomize', 'edit', 'set', 'image', 'controller=example.com/nginx-operator:v0.0.1'],
      ...['--dir', 'config/manager'],
    ),
  );
  await step('op-sdk generate bundle --version 0.0.1', () =>
    opSdk('generate', 'bundle', '--version', '0.0.1'),
  );
  await step('op-sdk bundle validate', () => opSdk('bundle', 'validate', 'bundle'));
  await step(`op-sdk bundle build --tag ${bundleImage}`, () =>
    opSdk('bundle', 'build', '--tag', bundleImage),
  );
  await step('op-sdk bundle push, to a registry in this process', async () => {
    await opSdk('bundle', 'push', bundleImage);
    const { digest, labels, files } = readImage(registry, 'example/nginx-operator-bundle', 'v0.0.1');
    if (labels['operators.operatorframework.io.bundle.package.v1'] !== 'nginx-operator')
      throw new Error(`the image has the wrong labels: ${JSON.stringify(labels)}`);
    const csv = 'manifests/nginx-operator.clusterserviceversion.yaml';
    if (files[csv] !== readFileSync(join(project, 'bundle', csv), 'utf8'))
      throw new Error('the image does not hold the bundle');
    console.log(`    ✓ read back: ${digest}, ${Object.keys(files).length} files`);
  });

  console.log(`
The whole way took ${since(started)} s. What to try next, in an empty folder:

  npm exec --yes --package=${join(process.cwd(), '<the tarball of npm pack>')} -- op-sdk init --domain example.com
  npx --no op-sdk create api --group cache --version v1alpha1 --kind Memcached
  npx --no op-sdk dev --samples        # a real API server and the operator, again after each change
`);
} catch (error) {
  console.error(`\nFAILED: ${error.message}`);
  try {
    console.error(
      `\nThe operator's last lines:\n${readFileSync(operatorLog, 'utf8').split('\n').slice(-30).join('\n')}`,
    );
  } catch {
    console.error('(the operator had not been started)');
  }
  process.exitCode = 1;
} finally {
  await stopOperator();
  await plane?.stop();
  await registry?.close();
  rmSync(scratch, { recursive: true, force: true });
}
