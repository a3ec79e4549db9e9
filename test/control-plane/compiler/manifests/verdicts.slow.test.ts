// What we say about the resource in defineResource is what the API server says about the CRD.
import { beforeAll, expect, test } from 'vitest';
import { FindingList } from '../../../../src/base/errors/index.ts';
import { addSchema } from '../../../../src/compiler/manifests/collect-kinds.ts';
import { groupVersions } from '../../../../src/compiler/manifests/crd/check-group.ts';
import { crdDocument } from '../../../../src/compiler/manifests/crd/crd-document.ts';
import { readDefinition } from '../../../../src/compiler/manifests/crd/read-definition.ts';
import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { sharedControlPlane, type SharedControlPlane } from '../../../helpers/control-plane.ts';
import { callsIn, judge, lines } from '../../../unit/compiler/manifests/fixture.ts';

let controlPlane: SharedControlPlane;
beforeAll(async () => {
  controlPlane = await sharedControlPlane();
});

const fields = Object.fromEntries(
  Array.from({ length: 9 }, (_, index) => [`f${index}`, { type: 'string' }] as const),
);
const schema: JSONSchemaProps = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        ...fields,
        size: { type: 'integer' },
        ratio: { type: 'number' },
        on: { type: 'boolean' },
        'the-port': { type: 'integer' },
        port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        list: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } },
  },
};

/** The CRD as it would be generated if nothing were wrong with it, and what is. */
function generate(definitions: readonly string[]): { readonly crd: unknown; readonly problems: string[] } {
  const findings = new FindingList();
  const main = definitions
    .map((definition) => {
      const named = (name: string, value: string): string =>
        new RegExp(`(?:^|[ {])${name}:`).test(definition) ? '' : `${name}: ${value}, `;
      return `defineResource<object>({ ${named('group', "'a.example.com'")}${named('version', "'v1'")}${named('kind', "'Sample'")}${definition} });`;
    })
    .join('\n');
  const nothing = {
    schema,
    findings: [],
    warnings: [],
    allows: { used: [], unused: [] },
    descriptors: { spec: [], status: [], tags: { used: [], unused: [] } },
    printerColumns: [],
    selectableFields: [],
    scale: {},
  };
  const kinds = callsIn(main).flatMap((call) => {
    const read = readDefinition(findings, call.arguments[0], call.place);
    if (read === undefined) return [];
    return [addSchema(findings, read, nothing)];
  });
  judge(findings, kinds);
  const [kind] = groupVersions(findings, kinds);
  return { crd: kind && crdDocument(kind), problems: lines(findings) };
}

const approved = (value: string): string =>
  `group: 'a.k8s.io', annotations: { 'api-approved.kubernetes.io': '${value}' }`;
const webhook = (client: string, versions = `['v1']`): string =>
  `conversion: { strategy: 'Webhook', clientConfig: ${client}, conversionReviewVersions: ${versions} }`;
const service = (rest: string): string => webhook(`{ service: { namespace: 'a', name: 'b', ${rest} } }`);
const column = (rest: string): string =>
  `printerColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.f0', ${rest} }]`;
const selectable = (...paths: string[]): string => `selectableFields: ${JSON.stringify(paths)}`;
const scale = (spec: string, status: string, selector?: string): string =>
  `scale: ${JSON.stringify({ spec, status, selector })}`;

test.each([
  [''],
  [`group: 'example'`],
  [`group: 'A.example.com'`],
  [`group: 'a.k8s.io'`],
  [approved('https://example.com/x')],
  [approved('ftp://example.com')],
  [approved('https:///x')],
  [approved('/x')],
  [approved('unapproved')],
  [approved('soon')],
  [`version: 'alpha'`],
  [`version: 'v1gamma1'`],
  [`version: 'V1'`],
  [`version: '1'`],
  [`version: 'v1.1'`],
  [`kind: 'lower'`],
  [`kind: 'With-Dash'`],
  [`kind: 'With_Line'`],
  [`kind: '1st'`],
  [`kind: '${'K'.repeat(60)}'`],
  [`kind: '${'K'.repeat(60)}', listKind: 'Ks'`],
  [`plural: 'Samples'`],
  [`plural: 'sam.ples'`],
  [`singular: 'Sample'`],
  [`listKind: 'Sample'`],
  [`listKind: 'samples'`],
  [`listKind: 'sample list'`],
  [`shortNames: ['s']`],
  [`shortNames: ['S']`],
  [`categories: ['all', 'a_b']`],
  [`deprecated: true`],
  [`deprecated: 'use v2'`],
  [`deprecated: ''`],
  [`deprecated: 'a\\nb'`],
  [`deprecated: 'a\\u00a0b'`],
  [`deprecated: 'é 😀 ±'`],
  [`deprecated: '${'x'.repeat(256)}'`],
  [`deprecated: '${'x'.repeat(257)}'`],
  [`deprecated: '${'ä'.repeat(129)}'`],
  [`status: false`],
  [`status: true`],
  [`status: false, crd: { subresources: {} }`],
  [`labels: { a: 'b', 'a.b/c': '', 'A_b.c': 'D-e' }`],
  [`labels: { 'a b': 'c' }`],
  [`labels: { 'a/b/c': 'd' }`],
  [`labels: { 'A.b/c': 'd' }`],
  [`labels: { a: 'b c' }`],
  [`labels: { a: '-b' }`],
  [`labels: { a: '${'x'.repeat(64)}' }`],
  [`labels: { '${'x'.repeat(64)}': 'a' }`],
  [`annotations: { 'A.b/C': 'any thing\\n', '': 'x' }`],
  [`annotations: { 'A.b/C': 'any thing\\n' }`],
  [`annotations: { '/a': 'x' }`],
  [`conversion: { strategy: 'None' }`],
  [webhook(`{ url: 'https://a.example.com' }`)],
  [webhook(`{ url: 'https://a.example.com:8443/x/y' }`)],
  [webhook(`{ url: 'https://a.example.com' }`, `['v1', 'v1beta1', 'v2']`)],
  [webhook(`{ url: 'https://a.example.com' }`, `['v2']`)],
  [webhook(`{ url: 'https://a.example.com' }`, `['v1', 'v1']`)],
  [webhook(`{ url: 'https://a.example.com' }`, `['v1', 'V2']`)],
  [webhook(`{ url: 'https://a.example.com' }`, `[]`)],
  [webhook(`{ url: 'http://a.example.com' }`)],
  [webhook(`{ url: 'HTTPS://a.example.com' }`)],
  [webhook(`{ url: 'https:a.example.com' }`)],
  [webhook(`{ url: 'https:///x' }`)],
  [webhook(`{ url: 'https://u@a.example.com' }`)],
  [webhook(`{ url: 'https://a.example.com?x=y' }`)],
  [webhook(`{ url: 'https://a.example.com#x' }`)],
  [webhook(`{ url: 'https://a.example.com/#' }`)],
  [webhook(`{ url: 'https://a.example.com/?' }`)],
  [webhook(`{ url: 'https://' }`)],
  [webhook(`{ url: 'https://:443/' }`)],
  [webhook(`{ url: 'https://@a.example.com/' }`)],
  [webhook(`{ url: 'https://a b/' }`)],
  [webhook(`{ url: 'https://a.example.com:x/' }`)],
  [webhook(`{ url: 'https://a.example.com/a b' }`)],
  [webhook(`{ url: 'https://a.example.com/%zz' }`)],
  [webhook(`{ url: 'https://[::1]:443/' }`)],
  [webhook(`{ url: 'https://ä.example.com/' }`)],
  [webhook(`{ url: '' }`)],
  [`conversion: { strategy: 'none' }`],
  [`conversion: { strategy: 'None', conversionReviewVersions: ['v1'] }`],
  [`conversion: { strategy: 'Webhook', conversionReviewVersions: ['v1'] }`],
  [`group: '${'a'.repeat(70)}.example.com'`],
  [`group: '${'a'.repeat(242)}.com'`],
  [`group: '-a.example.com'`],
  [`group: 'a..example.com'`],
  [webhook(`{}`)],
  [webhook(`{ url: 'https://a.example.com', service: { namespace: 'a', name: 'b' } }`)],
  [webhook(`{ service: { namespace: 'a', name: '' } }`)],
  [webhook(`{ url: 'https://a.example.com', caBundle: 'Cg==' }`)],
  [webhook(`{ url: 'https://a.example.com', caBundle: 'Zm9v\\nZm9v' }`)],
  [webhook(`{ url: 'https://a.example.com', caBundle: 'Cg=' }`)],
  [webhook(`{ url: 'https://a.example.com', caBundle: 'a b' }`)],
  [service(`path: '/'`)],
  [service(`path: ''`)],
  [service(`path: '/convert/'`)],
  [service(`path: '/a/b.c-d'`)],
  [service(`path: '//'`)],
  [service(`path: '/a//b'`)],
  [service(`path: '/A'`)],
  [service(`path: 'a'`)],
  [service(`port: 9443`)],
  [service(`port: 0`)],
  [service(`port: 65536`)],
  [service(`port: 1.5`)],
  [column('')],
  [column(`format: ''`)],
  [column(`format: 'date-time'`)],
  [column(`format: 'hostname'`)],
  [column(`priority: 0`)],
  [column(`priority: -1`)],
  [column(`priority: 0.5`)],
  [`printerColumns: [{ name: '', type: 'string', jsonPath: '.spec' }]`],
  [`printerColumns: [{ name: 'A', type: 'array', jsonPath: '.spec' }]`],
  [`printerColumns: [{ name: 'A', type: 'string', jsonPath: 'spec' }]`],
  [`printerColumns: [{ name: 'A', type: 'string', jsonPath: '' }]`],
  [`printerColumns: [{ name: 'A', type: 'string', jsonPath: '.not[there' }]`],
  [`printerColumns: [{ name: 'A', type: 'string', jsonPath: '.' }]`],
  [selectable('.spec.f0', '.spec.size', '.spec.on', '.spec.labels.any')],
  [selectable('.spec.ratio')],
  [selectable('.spec.port')],
  [selectable('.spec.labels')],
  [selectable('.spec.list')],
  [selectable('.spec.list[0].name')],
  [selectable('.spec.open.x')],
  [selectable('.spec.missing')],
  [selectable('.spec.the-port')],
  [selectable(".spec['the-port']")],
  [selectable('.spec..f0')],
  [selectable('.spec.f0.')],
  [selectable('.spec.f0]')],
  [selectable('f0')],
  [selectable('.spec.f0.x')],
  [selectable('.spec.f0', '.spec.f0')],
  [selectable('.spec')],
  [selectable('.metadata.name')],
  [selectable('spec.f0')],
  [selectable('')],
  [selectable(...Object.keys(fields).map((name) => `.spec.${name}`))],
  [
    selectable(
      ...Object.keys(fields)
        .slice(1)
        .map((name) => `.spec.${name}`),
    ),
  ],
  [scale('.spec.size', '.status.replicas', '.status.selector')],
  [scale('.spec.missing', '.status.missing')],
  [scale('.spec.size', '.status.replicas', '.spec.f0')],
  [scale('.spec.size', '.status.replicas', '')],
  [scale('.status.replicas', '.status.replicas')],
  [scale('.spec.size', '.spec.size')],
  [scale('.spec', '.status.replicas')],
  [scale('spec.size', '.status.replicas')],
  [scale('.spec.size', '.status.replicas', '.metadata.name')],
  [`cel: [{ rule: 'self.spec.size > 1' }]`],
  [
    `cel: [{ rule: 'self.spec.size > 1', message: 'x', reason: 'FieldValueRequired', fieldPath: '.spec.size' }]`,
  ],
  [`cel: [{ rule: '' }]`],
  [`cel: [{ rule: 'self.spec.size >\\n1' }]`],
  [`cel: [{ rule: 'self.spec.size >\\n1', message: 'x' }]`],
  [`cel: [{ rule: 'self.spec.size > 1', message: ' ' }]`],
  [`cel: [{ rule: 'self.spec.size > 1', message: 'a\\nb' }]`],
  [`cel: [{ rule: 'self.spec.size > 1', reason: 'Invalid' }]`],
  [`cel: [{ rule: 'self.spec.size > 1', optionalOldSelf: true }]`],
  [`cel: [{ rule: 'oldSelf.hasValue() || self.spec.size > 1', optionalOldSelf: true }]`],
  [`served: false`],
  [`storage: true`, `version: 'v2'`],
  [`storage: true`, `storage: false`],
])('%j', async (...definitions: string[]) => {
  const { crd, problems } = generate(definitions);
  expect(crd).toBeDefined();
  const { status, text } = await apiRequest(controlPlane, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Strict',
    body: crd,
  });
  const said = status === 201 ? [] : [text];
  expect({ refused: problems.length > 0, problems, said }).toMatchObject({ refused: said.length > 0 });
});
