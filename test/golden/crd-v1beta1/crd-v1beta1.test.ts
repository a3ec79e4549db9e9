// Each folder holds a v1beta1 definition and `api-server.yaml`, what the API server's own code makes of it (test/peers/crd-v1beta1),
// or `error.txt`. `warnings.txt` says what was lost. `UPDATE_GOLDEN=1` writes the texts, never api-server.yaml.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatFinding, formatFindings } from '../../../src/base/errors/index.ts';
import { fromV1beta1 } from '../../../src/kubernetes/crd/document/v1beta1.ts';
import type { JsonMap } from '../../../src/base/util/json-map.ts';
import { parseYaml } from '../../../src/kubernetes/yaml/read-yaml.ts';

const root = import.meta.dirname;
const cases = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());

function convert(name: string) {
  const read = parseYaml(readFileSync(join(root, name, 'v1beta1.yaml'), 'utf8'), 'v1beta1.yaml');
  return { read, converted: fromV1beta1(read.value as JsonMap, (path) => read.locate(path)) };
}

/** What v1 asks for beyond the API server's conversion, which left such definitions as v1 would refuse to create them. */
function acceptable(converted: {
  spec: { preserveUnknownFields?: boolean; versions: { schema?: { openAPIV3Schema: object } }[] };
}) {
  const { preserveUnknownFields, ...spec } = converted.spec;
  const versions = spec.versions.map((version) => ({
    ...version,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        ...version.schema?.openAPIV3Schema,
        ...(preserveUnknownFields === true ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
      },
    },
  }));
  return { ...converted, spec: { ...spec, versions } };
}

test.each(cases.map(({ name }) => name))('%s', async (name) => {
  const { document, findings, warnings } = convert(name).converted;
  if (name.startsWith('error-')) {
    expect(document).toBeUndefined();
    await expect(`${formatFindings(findings)}\n`).toMatchFileSnapshot(join(root, name, 'error.txt'));
    return;
  }
  expect(findings).toEqual([]);
  const expected = parse(readFileSync(join(root, name, 'api-server.yaml'), 'utf8'));
  expect(document).toEqual(acceptable(expected));
  const told = warnings.map((finding) => formatFinding(finding, { severity: 'warning' })).join('\n\n');
  if (told !== '') await expect(`${told}\n`).toMatchFileSnapshot(join(root, name, 'warnings.txt'));
});

test.each([
  ['short-form', ['spec', 'versions', 0, 'name'], 'v1alpha1'],
  ['short-form', ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec'], 'spec:'],
  ['short-form', ['spec', 'versions', 0, 'additionalPrinterColumns', 1, 'jsonPath'], 'JSONPath: .metadata'],
  ['versions-own', ['spec', 'versions', 1, 'schema', 'openAPIV3Schema', 'properties', 'spec'], 'spec:'],
  [
    'versions-share',
    ['spec', 'versions', 1, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'required'],
    'required: [host]',
  ],
  ['webhook-conversion', ['spec', 'conversion', 'webhook', 'clientConfig', 'caBundle'], 'caBundle'],
  ['webhook-url', ['spec', 'conversion', 'webhook', 'conversionReviewVersions', 1], 'v1beta1]'],
] as const)('%s: what became %j is found again', (name, path, text) => {
  const { read, converted } = convert(name);
  const { line, column } = read.locate(converted.origin([...path]));
  const written = readFileSync(join(root, name, 'v1beta1.yaml'), 'utf8').split('\n')[line - 1] ?? '';
  expect(written.slice(column - 1)).toContain(text);
});
