// `npm run example:two-versions`: an operator gets a second version of its kind, with a conversion between the two, on a real API server.
// From the packed tarball, in an empty folder, by the documented commands; no file under config/ is edited.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { ensureBuild, ensureControlPlane, ensureDependencies } from './lib/provision.mjs';
import { must, root, run, since } from './lib/run.mjs';

const started = performance.now();
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-two-versions-'));
const project = join(scratch, 'nginx-operator');
let plane;
let operator;
/** Settles when the operator has ended. */
let operatorEnd;
let operatorOutput = '';

async function step(title, action) {
  const start = performance.now();
  console.log(`\n==> ${title}`);
  const result = await action();
  console.log(`    done in ${since(start)} s`);
  return result;
}

/** @throws if something is not as it should be */
function expectEqual(what, found, expected) {
  if (!isDeepStrictEqual(found, expected))
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`);
  console.log(`    ✓ ${what}: ${JSON.stringify(found)}`);
}

/** First of all: everything below may be missing in a fresh clone, `yaml` included. */
await ensureDependencies();
const { apiOf, until } = await import('./lib/api.mjs');
const { nginxProjectSteps, packPackage } = await import('./lib/nginx-project.mjs');
const { parse } = await import('yaml');

try {
  if ((process.env.OP_SDK_TEST_TARBALL ?? '') === '') await ensureBuild();
  process.env.KUBEBUILDER_ASSETS = await ensureControlPlane();
  const tarball = await step('npm pack', () => packPackage(join(scratch, 'package')));
  for (const { title, action } of nginxProjectSteps({ folder: project, tarball })) await step(title, action);
  const inside = { cwd: project };
  const opSdk = (...args) => must('npx', ['--no-install', 'op-sdk', ...args], inside);

  // The testing library of the package that the project has installed.
  const testing = await import(pathToFileURL(join(project, 'node_modules/opsdk/dist/testing.js')).href);
  plane = await step('start etcd, kube-apiserver and kube-controller-manager', () =>
    testing.startControlPlane({ controllerManager: true }),
  );
  const cluster = ['--kubeconfig', plane.kubeconfig];
  const api = apiOf(plane);
  const path = (version, name) =>
    `/apis/operator.example.com/${version}/namespaces/default/nginxoperators${name === undefined ? '' : `/${name}`}`;
  const call = async (method, ...args) => {
    const { status, body } = await api.request(method, ...args);
    if (status >= 300) throw new Error(`${method} ${args[0]}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const create = (version, name, spec) => {
    const object = {
      apiVersion: `operator.example.com/${version}`,
      kind: 'NginxOperator',
      metadata: { name },
      spec,
    };
    return call('POST', path(version), JSON.stringify(object));
  };
  const read = (version, name) => call('GET', path(version, name));
  /** Gives an object another spec. Reads it again if the operator has written its status meanwhile. */
  const edit = async (version, name, spec) => {
    const object = await read(version, name);
    const { status, body } = await api.request(
      'PUT',
      path(version, name),
      JSON.stringify({ ...object, spec }),
    );
    if (status === 409) return edit(version, name, spec);
    if (status >= 300) throw new Error(`PUT ${path(version, name)}: ${status} ${JSON.stringify(body)}`);
  };
  const storedVersions = async () =>
    (await api.get('CustomResourceDefinition', 'nginxoperators.operator.example.com')).status.storedVersions;

  await step('version 0.0.1: op-sdk install, and an object of v1alpha1', async () => {
    await opSdk('install', ...cluster);
    await create('v1alpha1', 'old', { replicas: 1, port: 8081 });
    expectEqual('stored versions', await storedVersions(), ['v1alpha1']);
  });

  const kind = ['--group', 'operator', '--version', 'v1alpha2', '--kind', 'NginxOperator'];
  await step(
    'AS10.1: op-sdk create api --version v1alpha2: the types are copied, the controller moves, v1alpha2 is stored',
    () => opSdk('create', 'api', ...kind, '--resource', '--controller', '--storage', '--force'),
  );
  await step('AS10.4: op-sdk create webhook --conversion --spoke v1alpha1 --cert-provider self-signed', () =>
    opSdk(
      'create',
      'webhook',
      ...kind,
      '--conversion',
      '--spoke',
      'v1alpha1',
      '--cert-provider',
      'self-signed',
    ),
  );
  await step(
    "AS10.2: the tutorial's second version: ports, the controller that uses them, the conversion",
    async () => cpSync(join(root, 'examples', 'two-versions'), project, { recursive: true }),
  );
  await step('op-sdk generate manifests', () => opSdk('generate', 'manifests'));
  await step('npm install: the test of the conversion needs fast-check', () =>
    must('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--silent'], inside),
  );
  await step('npm run typecheck', () => must('npm', ['run', '--silent', 'typecheck'], inside));
  await step('AS10.3: npm test: the conversion loses nothing, on random objects of both versions', () =>
    must('npm', ['test', '--silent'], inside),
  );

  await step('op-sdk install, then op-sdk run --webhook-host 127.0.0.1', async () => {
    await opSdk('install', ...cluster);
    // Not by npx: it may end by a signal before the operator does.
    const command = join(project, 'node_modules/.bin/op-sdk');
    operator = spawn(command, ['run', ...cluster, '--webhook-host', '127.0.0.1'], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    operatorEnd = once(operator, 'exit');
    for (const stream of [operator.stdout, operator.stderr])
      stream.setEncoding('utf8').on('data', (text) => (operatorOutput += text));
    await until('the conversion', async () => {
      if (operator.exitCode !== null)
        throw new Error(`the operator ended with exit code ${operator.exitCode}`);
      const { body } = await api.request('GET', path('v1alpha2', 'old'));
      return body.spec?.ports !== undefined;
    });
  });

  await step('AS10.2, AS10.5: an object created as v1alpha1 is read as v1alpha2', async () => {
    await create('v1alpha1', 'cluster', { replicas: 1, port: 8080 });
    const [one, two] = [await read('v1alpha1', 'cluster'), await read('v1alpha2', 'cluster')];
    expectEqual('spec as v1alpha2', two.spec, {
      ports: [{ containerPort: 8080, protocol: 'TCP' }],
      replicas: 1,
    });
    expectEqual('spec as v1alpha1', one.spec, { port: 8080, replicas: 1 });
    expectEqual('annotations', two.metadata.annotations, undefined);
    expectEqual(
      'uid and resourceVersion are the same',
      [two.metadata.uid === one.metadata.uid, two.metadata.resourceVersion === one.metadata.resourceVersion],
      [true, true],
    );
    const deployment = await until('its Deployment', () => api.get('Deployment', 'cluster'));
    const [container] = deployment.spec.template.spec.containers;
    expectEqual('ports of its Deployment', container.ports, [{ containerPort: 8080, protocol: 'TCP' }]);
  });

  await step('AS10.7: the object of version 0.0.1 can be used as before', async () => {
    const old = await read('v1alpha2', 'old');
    expectEqual('spec as v1alpha2', old.spec, {
      ports: [{ containerPort: 8081, protocol: 'TCP' }],
      replicas: 1,
    });
    expectEqual('spec as v1alpha1', (await read('v1alpha1', 'old')).spec, { port: 8081, replicas: 1 });
  });

  await step('AS10.3: what v1alpha1 cannot say is kept when v1alpha1 is edited', async () => {
    const ports = [
      { containerPort: 80, name: 'http', protocol: 'TCP' },
      { containerPort: 53, protocol: 'UDP' },
    ];
    await create('v1alpha2', 'two-ports', { ports });
    expectEqual('spec as v1alpha1', (await read('v1alpha1', 'two-ports')).spec, { port: 80 });
    await edit('v1alpha1', 'two-ports', { port: 8080, replicas: 2 });
    expectEqual('spec as v1alpha2', (await read('v1alpha2', 'two-ports')).spec, {
      ports: [{ ...ports[0], containerPort: 8080 }, ports[1]],
      replicas: 2,
    });
  });

  await step('AS10.7: op-sdk storage status, migrate: all objects are stored as v1alpha2', async () => {
    expectEqual('stored versions', await storedVersions(), ['v1alpha1', 'v1alpha2']);
    await opSdk('storage', 'status', ...cluster);
    await opSdk('storage', 'migrate', ...cluster);
    expectEqual('stored versions', await storedVersions(), ['v1alpha2']);
    expectEqual('spec as v1alpha1', (await read('v1alpha1', 'old')).spec, { port: 8081, replicas: 1 });
  });

  await step('SIGTERM', async () => {
    operator.kill('SIGTERM');
    const [code] = await operatorEnd;
    expectEqual('exit code', code, 0);
  });

  await step('AS10.8: a controller of a version that is not served is refused', async () => {
    const copy = join(scratch, 'mistake');
    cpSync(project, copy, { recursive: true });
    const types = join(copy, 'src/api/operator/v1alpha1/nginx-operator.ts');
    writeFileSync(
      types,
      readFileSync(types, 'utf8').replace('storage: false,', 'storage: false,\n  served: false,'),
    );
    const controller = join(copy, 'src/controllers/operator/nginx-operator.ts');
    writeFileSync(controller, readFileSync(controller, 'utf8').replace('/v1alpha2/', '/v1alpha1/'));
    const { code, output } = await run(
      'npx',
      ['--no-install', 'op-sdk', 'generate', 'manifests', '--dry-run'],
      {
        cwd: copy,
        capture: 'all',
      },
    );
    expectEqual('exit code', code, 1);
    const refusal = output.split('\n').find((line) => line.startsWith('error['));
    console.log(`    ${refusal}`);
  });

  await step(
    'AS10.6: version 0.0.2: its bundle has both versions, the conversion and its Service',
    async () => {
      await opSdk(
        ...['generate', 'kustomize', 'manifests', '--display-name', 'Nginx Operator'],
        ...['--description', 'Operator for managing a basic Nginx deployment', '--provider', 'MyCompany'],
        ...['--keywords', 'nginx,tutorial', '--maintainers', 'Mike Dame:mike@mycompany.example'],
      );
      await opSdk(
        ...['kustomize', 'edit', 'set', 'image', 'controller=example.com/nginx-operator:v0.0.2'],
        ...['--dir', 'config/manager'],
      );
      await opSdk('generate', 'bundle', '--version', '0.0.2');
      await opSdk('bundle', 'validate', 'bundle');
      const manifests = join(project, 'bundle/manifests');
      const csv = parse(readFileSync(join(manifests, 'nginx-operator.clusterserviceversion.yaml'), 'utf8'));
      const owned = csv.spec.customresourcedefinitions.owned.map(({ version }) => version);
      expectEqual('versions that it owns', owned.sort(), ['v1alpha1', 'v1alpha2']);
      const webhooks = csv.spec.webhookdefinitions.map(({ type, conversionCRDs, webhookPath }) => ({
        ...{ type, conversionCRDs, webhookPath },
      }));
      expectEqual('webhooks', webhooks, [
        {
          type: 'ConversionWebhook',
          conversionCRDs: ['nginxoperators.operator.example.com'],
          webhookPath: '/convert',
        },
      ]);
      const services = readdirSync(manifests).filter((file) => file.endsWith('_service.yaml'));
      expectEqual('Services', services, ['nginx-operator-webhook-service_v1_service.yaml']);
    },
  );

  console.log(`\nThe whole way took ${since(started)} s.`);
} catch (error) {
  console.error(`\nFAILED: ${error.message}`);
  console.error(`\nThe operator's last lines:\n${operatorOutput.split('\n').slice(-30).join('\n')}`);
  process.exitCode = 1;
} finally {
  operator?.kill('SIGTERM');
  await operatorEnd;
  await plane?.stop();
  rmSync(scratch, { recursive: true, force: true });
}
