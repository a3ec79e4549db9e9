import type { RenderCase } from './case.ts';
import { deployment, service } from './objects.ts';

/** What an overlay changes of the labels and annotations that its base has added: kustomize changes them in all their places. */
const overlay = (name: string, base: string, fields: string): RenderCase => ({
  name: `an overlay of ${name}`,
  kustomization: `resources: [../base]\n${fields}`,
  files: {
    '../base/kustomization.yaml': `resources: [web.yaml, service.yaml, job.yaml]\n${base}`,
    '../base/web.yaml': deployment,
    '../base/service.yaml': service,
    '../base/job.yaml':
      'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: job}\nspec: {jobTemplate: {spec: {template: {spec: {}}}}}\n',
  },
});

const web = '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web';
const byTemplate = 'labels: [{pairs: {tier: a}, includeTemplates: true}]\n';
const bySelector = 'commonLabels: {tier: a}\n';

export const overlayCases: readonly RenderCase[] = [
  overlay('labels of selectors, by labels', bySelector, 'labels: [{pairs: {tier: b}}]\n'),
  overlay('labels of templates, by labels', byTemplate, 'labels: [{pairs: {tier: b}}]\n'),
  overlay('labels that the object had before', 'commonLabels: {app: a}\n', 'labels: [{pairs: {app: b}}]\n'),
  overlay('labels of the object alone', 'labels: [{pairs: {tier: a}}]\n', 'commonLabels: {tier: b}\n'),
  overlay('labels, by a patch', bySelector, `patches: [{patch: "${web}, labels: {tier: b}}}"}]\n`),
  overlay(
    'labels, by a patch of the template',
    bySelector,
    `patches: [{patch: "${web}}, spec: {template: {metadata: {labels: {tier: b}}}}}"}]\n`,
  ),
  overlay(
    'labels, by a patch with two values, the last of which counts',
    bySelector,
    `patches: [{patch: "${web}, labels: {tier: b}}, spec: {selector: {matchLabels: {tier: c}}}}"}]\n`,
  ),
  overlay(
    'labels, by a patch that removes one and changes another one',
    bySelector,
    `patches: [{patch: "${web}, labels: {tier: b}}, spec: {selector: {matchLabels: {tier: null}}}}"}]\ncommonLabels: {tier: c}\n`,
  ),
  overlay(
    'labels, by a JSON 6902 patch, after which nothing is in common',
    bySelector,
    'patches: [{target: {kind: Deployment}, patch: "- {op: replace, path: /metadata/labels/tier, value: b}"}]\nlabels: [{pairs: {tier: c}}]\n',
  ),
  overlay(
    'labels, by replacements of parts',
    bySelector,
    'replacements: [{sourceValue: b, targets: [{select: {kind: Deployment}, fieldPaths: [metadata.labels.tier, spec.template.metadata.labels.tier], options: {delimiter: "-", index: 1}}]}]\n',
  ),
  overlay(
    'annotations, after its prefix and namespace',
    'commonAnnotations: {note: a}\nnamePrefix: x-\nnamespace: prod\n',
    'commonLabels: {tier: a}\npatches: [{target: {kind: CronJob}, patch: "{kind: any, metadata: {name: any, annotations: {note: b}}}"}]\n',
  ),
  overlay(
    'annotations, whose own place the origins of objects separate',
    'commonAnnotations: {note: a}\n',
    'commonAnnotations: {other: a}\nbuildMetadata: [transformerAnnotations]\npatches: [{target: {kind: CronJob}, patch: "{kind: any, metadata: {name: any, annotations: {note: b}}}"}]\n',
  ),
];
