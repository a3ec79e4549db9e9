import type { RefusalCase } from '../case.ts';
import { custom, deployment, service, settings } from '../objects.ts';

export const files = {
  'web.yaml': deployment,
  'service.yaml': service,
  'settings.yaml': settings,
  'custom.yaml': custom,
};

export const resources = `resources: [${Object.keys(files).join(', ')}]\n`;

export type Codes = RefusalCase['refused'];

/** Fields that both refuse. */
export const both = (name: string, fields: string, ...refused: Codes): RefusalCase => ({
  name,
  kustomization: resources + fields,
  files,
  refused,
  kustomize: 'refuses',
});

/** Fields that kustomize renders, for a reason not to. */
export const only = (name: string, renders: string, fields: string, ...refused: Codes): RefusalCase => ({
  name,
  kustomization: resources + fields,
  files,
  refused,
  kustomize: { renders },
});

export const web = 'apiVersion: apps/v1, kind: Deployment, metadata: {name: web}';

export const merge = (body: string): string => `patches:\n- patch: '{${web}, ${body}}'\n`;

export const pods = (body: string): string => merge(`spec: {template: {spec: {${body}}}}`);

export const steps = (list: string): string =>
  `patches:\n- target: {kind: Deployment}\n  patch: '- ${list}'\n`;

export const replace = (source: string, targets: string): string =>
  `replacements:\n- source: ${source}\n  targets: ${targets}\n`;

export const from = '{kind: ConfigMap, fieldPath: data.a}';

export const to = (path: string, options = '{}'): string =>
  replace(from, `[{select: {kind: Memcached}, fieldPaths: ['${path}'], options: ${options}}]`);
