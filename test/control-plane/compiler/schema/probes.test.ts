// What test/golden/probes leaves to the API server, it refuses; what test/golden/accepted-probes says, it takes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { acceptedProbes } from '../../../golden/accepted-probes/accepted-probes.ts';
import { rejectedProbes } from '../../../golden/probes/rejected-probes.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { sharedControlPlane, type SharedControlPlane } from '../../../helpers/control-plane.ts';
import { isServerOlderThan } from '../../../helpers/server-version.ts';

let controlPlane: SharedControlPlane;
beforeAll(async () => {
  controlPlane = await sharedControlPlane();
});

const golden = join(import.meta.dirname, '../../../golden');

const tryCrd = (path: string) =>
  apiRequest(controlPlane, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Strict',
    body: parse(readFileSync(join(golden, path, 'crd.yaml'), 'utf8')) as object,
  });

const forVerify = rejectedProbes.flatMap(({ folder, refusedBy }) =>
  folder !== undefined && refusedBy === 'verify' ? [folder] : [],
);

test('some rules only an API server can judge', () => expect(forVerify.length).toBeGreaterThan(3));

test.each(forVerify)('%s is refused for its rule', async (folder) => {
  const { status, text } = await tryCrd(`probes/${folder}`);
  expect(status, text).toBe(422);
  // Nothing but the rule is wrong: all else `generate manifests` refuses itself.
  const { details } = JSON.parse(text) as { details: { causes: readonly { field: string }[] } };
  for (const { field } of details.causes) expect(field).toMatch(/x-kubernetes-validations|openAPIV3Schema$/);
});

test.each(forVerify)('%s is refused by --verify at its place', async (folder) => {
  const args = ['generate', 'manifests', '--only', 'crd', '--apis-dir', folder, '--stdout', '-o', 'json'];
  const server = ['--verify=cluster', '--kubeconfig', controlPlane.kubeconfig];
  const options = { cwd: join(golden, 'probes'), env: { OPSDK_NO_CACHE: '1' } };
  const run = await runCli([...args, ...server], options);
  expect(run.code, run.stderr).toBe(1);
  const { errors } = JSON.parse(run.stdout) as { errors: readonly unknown[] };
  const where = { file: `${folder}/types.ts`, line: expect.any(Number) };
  const refusal = expect.objectContaining({
    code: 'manifests/verify-refused',
    where: expect.objectContaining(where),
  });
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) expect(error).toEqual(refusal);
});

test.for(acceptedProbes.map(([, folder]) => folder))('%s is accepted', async (folder, { skip }) => {
  skip(folder === 'cel-formats' && isServerOlderThan('1.34'), 'the server does not know the formats');
  const { status, text } = await tryCrd(`accepted-probes/${folder}`);
  expect(status, text).toBe(201);
});
