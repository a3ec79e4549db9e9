// The API server accepts every manifest of a scaffolded project, strictly and without a warning.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';

const project = fileURLToPath(new URL('../../../golden/projects/kinds/', import.meta.url));
let plane: ControlPlane;

beforeAll(async () => {
  plane = await startControlPlane();
});

afterAll(async () => {
  await plane.stop();
});

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

function manifestsIn(folder: string, pattern: RegExp): Manifest[] {
  return readdirSync(join(project, folder))
    .filter((name) => pattern.test(name) && name !== 'kustomization.yaml')
    .flatMap((name) => parseAllDocuments(readFileSync(join(project, folder, name), 'utf8')))
    .map((document) => document.toJS() as Manifest);
}

/** The path of the collection, told by the server's own discovery. */
async function collectionOf({ apiVersion, kind, metadata }: Manifest): Promise<string> {
  const prefix = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const resource = await eventually(async () => {
    const { status, text } = await apiRequest(plane, { path: prefix });
    if (status !== 200) return false;
    const { resources } = JSON.parse(text) as {
      resources: { name: string; kind: string; namespaced: boolean }[];
    };
    return resources.find((known) => known.kind === kind && !known.name.includes('/')) ?? false;
  });
  const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
  return `${prefix}${namespace}/${resource.name}`;
}

/** Creates an object; tells what the server warns of besides its verdict. */
async function post(
  path: string,
  body: Manifest,
): Promise<{ status?: number; warning: string; text: string }> {
  const { certificate: cert, key } = plane.credentials;
  const outgoing = request(new URL(path, plane.url), {
    method: 'POST',
    ca: plane.caCertificate,
    cert,
    key,
    agent: false,
    headers: { 'content-type': 'application/json' },
  });
  outgoing.end(JSON.stringify(body));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const { statusCode: status, headers } = response;
  return {
    ...(status && { status }),
    warning: headers.warning ?? '',
    text: Buffer.concat(parts).toString(),
  };
}

test.each([
  ['CRDs', 'config/crd/bases', /\.yaml$/, 4],
  ['the manager and its namespace', 'config/manager', /\.yaml$/, 2],
  ['roles', 'config/rbac', /\.yaml$/, 17],
  ['the metrics service and its roles', 'config/metrics', /^metrics_(?:service|auth|reader).*\.yaml$/, 4],
  ['the network policy', 'config/network-policy', /\.yaml$/, 1],
  // The samples of two versions are one object: nothing is stored.
  ['samples', 'config/samples', /\.yaml$/, 5, '&dryRun=All'],
])('%s', async (_title, folder, pattern, count, query = '') => {
  const manifests = manifestsIn(folder, pattern);
  expect(manifests).toHaveLength(count);
  for (const manifest of manifests) {
    const collection = await collectionOf(manifest);
    // A new kind is listed by discovery a moment before it can be written.
    const created = await eventually(async () => {
      const answer = await post(`${collection}?fieldValidation=Strict${query}`, manifest);
      return answer.status === 404 ? false : answer;
    });
    expect(created, `${folder}: ${manifest.kind} ${manifest.metadata.name}\n${created.text}`).toMatchObject({
      status: 201,
      warning: '',
    });
  }
});
