import type { Loose } from '../objects.ts';
import { schemaOf } from './bundle-folder.ts';

/** A change of the valid bundle, the one code that it gives, and what stands on the line that is named. */
export type Case = readonly [name: string, code: string, line: string, change: (bundle: Loose) => void];

export const push = (list: Loose[], item: Loose): void => void list.push(item);
export const owned = (bundle: Loose): Loose => bundle.csv.spec.customresourcedefinitions.owned;
export const version = (bundle: Loose): Loose => bundle.crd.spec.versions[0];
export const field = (bundle: Loose, name: string, schema: Loose): void => {
  schemaOf(bundle).properties.spec.properties[name] = schema;
};
/** A rule of a webhook. */
export const anyRule: Loose = {
  operations: ['CREATE'],
  apiGroups: ['example.com'],
  apiVersions: ['v1'],
  resources: ['sites'],
};
export const webhook = (change: Loose = {}): Loose => ({
  generateName: 'sites.example.com',
  type: 'ValidatingAdmissionWebhook',
  deploymentName: 'web-operator',
  containerPort: 443,
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  webhookPath: '/validate',
  rules: [anyRule],
  ...change,
});
export const conversion = (change: Loose = {}): Loose =>
  webhook({ type: 'ConversionWebhook', rules: undefined, conversionCRDs: ['sites.example.com'], ...change });
export const webhooks = (bundle: Loose, ...list: Loose[]): void => {
  bundle.csv.spec.webhookdefinitions = list;
};
export const dependency = (bundle: Loose, type: string, value: Loose): void => {
  bundle.files['metadata/dependencies.yaml'] = { dependencies: [{ type, value }] };
};
export const review = (clientConfig: Loose, versions: Loose = ['v1']): Loose => ({
  strategy: 'Webhook',
  webhook: { clientConfig, conversionReviewVersions: versions },
});
export const service = { name: 'a', namespace: 'b' };

/** The labels of the bundle's Dockerfile, with one text replaced. */
export function dockerfile(bundle: Loose, from: string | RegExp = '', to = ''): string {
  const lines = Object.entries(bundle.annotations).map(([key, value]) => `LABEL ${key}=${String(value)}\n`);
  return `FROM scratch\n${lines.join('')}COPY manifests /manifests/\n`.replace(from, to);
}
