import { annotationIn, annotationKeys } from '../../annotations.ts';
import { subdomainProblem } from '../../name-rules.ts';
import type { Check, PlacedDocument, Report } from '../../types.ts';

/** The values of `metadata/annotations.yaml`: names that OLM v1 and catalogues take, folders that are there. */
export const checkAnnotationValues: Check<'opsdk'> = ({ annotations: file }, report) => {
  if (file === undefined) return;
  checkFolder(file, report);
  checkPackage(file, report);
  checkChannels(file, report);
};

function checkFolder(file: PlacedDocument, { error }: Report<'opsdk'>): void {
  const key = annotationKeys.metadata;
  const value = annotationIn(file, key);
  if (value === undefined || value === 'metadata/' || value === 'metadata') return;
  error(
    'bundle/invalid-annotation',
    [file, ['annotations', key]],
    `the annotation ${key} is ${JSON.stringify(value)}; a bundle of manifests has metadata/`,
    `write ${key}: metadata/`,
  );
}

/** Source: the package name as ClusterExtension takes it. */
function checkPackage(file: PlacedDocument, { error }: Report<'opsdk'>): void {
  const value = annotationIn(file, annotationKeys.package);
  const problem = value === undefined ? undefined : subdomainProblem(value);
  if (problem === undefined) return;
  error(
    'bundle/invalid-annotation',
    [file, ['annotations', annotationKeys.package]],
    `the package ${JSON.stringify(value)} is not valid: ${problem}`,
    'write the name of the package, such as memcached-operator',
  );
}

function checkChannels(file: PlacedDocument, { error }: Report<'opsdk'>): void {
  const key = annotationKeys.channels;
  const value = annotationIn(file, key) ?? '';
  if (value === '' || value.split(',').every((channel) => channel !== '' && channel === channel.trim()))
    return;
  error(
    'bundle/invalid-annotation',
    [file, ['annotations', key]],
    `the channels ${JSON.stringify(value)} hold an empty name or a blank`,
    'write the names with commas and nothing else between them, such as alpha,stable',
  );
}
