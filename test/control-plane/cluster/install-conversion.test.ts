import { expect, test } from 'vitest';
import { CustomResourceDefinition } from '../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import { clientOf, widget } from './helpers.ts';

test('install leaves the conversion out, which comes with the operator, and keeps it once it is there', async () => {
  const plane = await sharedControlPlane();
  const namespace = await uniqueNamespace(plane, 'conversion');
  const client = await clientOf(plane);
  const opSdk = (argv: readonly string[], call: { readonly stdin: string }): Promise<CliRun> =>
    runCli([...argv, '--kubeconfig', plane.kubeconfig], call);
  const { crd, name } = widget(uniqueName('cmd'), namespace);
  const service = { name: 'webhook-service', namespace, path: '/convert' };
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: { service }, conversionReviewVersions: ['v1'] },
  };
  const stdin = JSON.stringify({ ...crd, spec: { ...(crd as { spec: object }).spec, conversion } });
  const title = `customresourcedefinition.apiextensions.k8s.io/${name}`;
  const strategy = async (): Promise<string | undefined> =>
    (await client.get(CustomResourceDefinition, { name })).spec.conversion?.strategy;

  const first = await opSdk(['install', '-f', '-'], { stdin });
  expect([first.code, first.stdout]).toEqual([0, `${title} created\n`]);
  expect(first.stderr).toContain(
    `warning[cluster/conversion-left-out]: ${name} is installed without spec.conversion`,
  );
  expect(await strategy()).toBe('None');
  expect((await opSdk(['install', '-f', '-'], { stdin })).stdout).toBe(`${title} unchanged\n`);

  expect((await opSdk(['deploy', '-f', '-'], { stdin })).stdout).toBe(`${title} configured\n`);
  expect(await strategy()).toBe('Webhook');
  const again = await opSdk(['install', '-f', '-'], { stdin });
  expect([again.stdout, again.stderr]).toEqual([`${title} unchanged\n`, '']);
  expect(await strategy()).toBe('Webhook');
  await opSdk(['uninstall', '-f', '-', '--yes'], { stdin });
  await client.close();
});
